import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import type { NatsConnection } from '@nats-io/nats-core';

import { connectBroker } from '#broker/connection.js';

import { forgetProcess, makeTestDirectory, noteProcess } from './run.js';
import { waitFor } from './wait-for.js';

/** The users of `nats/nats-server.conf`. */
export const ROLES = ['service', 'channel', 'agent', 'operator', 'observer', 'gateway', 'playground'] as const;
export type Role = (typeof ROLES)[number];

/** A nats-server with one of the project's configuration files; address, store and passwords are the test's. */
export class ConfiguredNats {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(configuration: string): Promise<ConfiguredNats> {
    const directory = makeTestDirectory('configured-nats');
    const store = join(directory, 'store');
    const passwords = ROLES.map((role) => [`HOLDLINE_NATS_${role.toUpperCase()}_PASSWORD`, passwordOf(role)]);
    const usesVariable = readFileSync(configuration, 'utf8').includes('$HOLDLINE_NATS_STORE_DIR');
    const child = spawn(
      process.env['HOLDLINE_NATS_SERVER'] ?? 'nats-server',
      [
        ...['-c', configuration, '-a', '127.0.0.1', '-p', '-1', '-m', '-1', '--ports_file_dir', directory],
        ...(usesVariable ? [] : ['-js', '-sd', store]),
      ],
      {
        env: { ...process.env, ...Object.fromEntries(passwords), HOLDLINE_NATS_STORE_DIR: store },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    noteProcess(child.pid!);
    const lines: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => lines.push(line));
    const portsFile = join(directory, `nats-server_${child.pid}.ports`);
    const url = await waitFor(
      () => {
        if (child.exitCode !== null) throw new Error(lines.join('\n'));
        return (JSON.parse(readFileSync(portsFile, 'utf8')) as { nats: string[] }).nats[0];
      },
      { what: `nats-server with ${configuration}` },
    );
    return new ConfiguredNats(child, url);
  }

  /** With the credentials of a role, as a setting. */
  urlOf(role: Role): string {
    return this.url.replace('://', `://${role}:${passwordOf(role)}@`);
  }

  connect(role: Role): Promise<NatsConnection> {
    return connectBroker({ servers: this.url, user: role, pass: passwordOf(role), name: role });
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await ended;
    forgetProcess(this.child.pid!);
  }
}

function passwordOf(role: Role): string {
  return `secretOf${role}`;
}
