import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

import { PROJECT_ROOT } from './project-root.js';
import { forgetProcess, noteProcess } from './run.js';

export interface ChildOptions {
  command: string;
  args: string[];
  /** On top of PATH, HOME and what the test run needs; nothing else is inherited. */
  env?: Record<string, string>;
  /** The project's directory by default. */
  cwd?: string;
}

export interface ChildEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process that a test started, in a process group of its own; it ends with the test run at the latest. */
export class TestProcess {
  readonly pid: number;
  /** What it has written so far. */
  stdout = '';
  stderr = '';
  /** Settles when it has ended and all its output was read. */
  readonly ended: Promise<ChildEnd>;

  private constructor(private readonly child: ChildProcess) {
    this.pid = child.pid as number;
    noteProcess(this.pid);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = once(child, 'close').then(([code, signal]) => {
      forgetProcess(this.pid);
      return { code: code as number | null, signal: signal as NodeJS.Signals | null };
    });
  }

  static async start({ command, args, env = {}, cwd = PROJECT_ROOT }: ChildOptions): Promise<TestProcess> {
    const inherited = ['PATH', 'HOME', 'HOLDLINE_TEST_RUN', 'HOLDLINE_NATS_SERVER'];
    const base = Object.fromEntries(
      inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
    );
    const child = spawn(command, args, {
      cwd,
      env: { ...base, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    await once(child, 'spawn');
    return new TestProcess(child);
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** True while a signal has stopped it. Linux only. */
  get isStopped(): boolean {
    return /^State:\tT/m.test(readFileSync(`/proc/${this.pid}/status`, 'utf8'));
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** What a terminal does at Ctrl-C: every process of the group gets the signal. */
  killGroup(signal: NodeJS.Signals): void {
    process.kill(-this.pid, signal);
  }

  /** SIGKILL, unless it has ended; resolves when it is gone. */
  async destroy(): Promise<void> {
    if (!this.hasEnded) this.kill('SIGKILL');
    await this.ended;
  }
}

/** The command lines of all processes in which `text` occurs, other than this one's. Linux only; elsewhere none. */
export function commandLinesWith(text: string): string[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.map(commandLine).filter((line) => line.includes(text));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}
