import { randomUUID } from 'node:crypto';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import type { NatsConnection } from '@nats-io/nats-core';

import { connectBroker } from '#broker/connection.js';
import { StreamPublisher } from '#broker/stream-publisher.js';
import { ensureStreams } from '#broker/topology.js';
import { subjectOfMethod } from '#contracts/methods.js';
import { eventSubject } from '#contracts/subjects.js';

import { startServers } from './servers.js';
import { percentile } from './statistics.js';

const USAGE = 'node dist/bench/event-streams.js [--clients 1000] [--events-per-second 200] [--seconds 5]';
const BURST_EVERY_MS = 20;
const BODY = 'x'.repeat(262);

/** How a gateway fares with many clients of `GET /events`, which all want everything. */
async function measure(): Promise<void> {
  const { values } = parseArgs({
    options: {
      clients: { type: 'string', default: '1000' },
      'events-per-second': { type: 'string', default: '200' },
      seconds: { type: 'string', default: '5' },
    },
  });
  const [clients, rate, seconds] = [values.clients, values['events-per-second'], values.seconds].map(Number);
  if (!clients || !rate || !seconds) return console.error(USAGE);
  const servers = await startServers(new AbortController().signal);
  const nc = await connectBroker({ servers: servers.natsUrl, name: 'bench' });
  await ensureStreams(nc);
  admitEverybody(nc);
  const gateway = spawn(process.execPath, ['dist/apps/gateway/src/main.js'], {
    env: {
      ...process.env,
      NATS_URL: servers.natsUrl,
      HOLDLINE_HTTP_PORT: '0',
      HOLDLINE_HTTP_RATE_LIMIT: '1000000',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const readers = await openAll(await urlOf(gateway), clients);
    console.log(JSON.stringify(await tell(nc, readers, await urlOf(gateway), rate, seconds)));
  } finally {
    gateway.kill();
    await once(gateway, 'exit');
    await nc.close();
    await servers.stop();
  }
}

/** In the place of Holdline: every token may read transcripts. */
function admitEverybody(nc: NatsConnection): void {
  const answer = JSON.stringify({ jsonrpc: '2.0', id: 0, result: { events: [] } });
  nc.subscribe(subjectOfMethod('nexo/admin/agent_events/read'), {
    callback: (_error, message) => void message.respond(answer),
  });
}

const urls = new WeakMap<ChildProcess, Promise<string>>();

/** Once it reads the firehose. */
function urlOf(gateway: ChildProcess): Promise<string> {
  const known = urls.get(gateway);
  if (known !== undefined) return known;
  const found = (async () => {
    let log = '';
    gateway.stderr?.on('data', (text: Buffer) => (log += text.toString()));
    for (;;) {
      const url = /"http":"([^"]+)"/.exec(log)?.[1];
      const checks = url === undefined ? undefined : await (await fetch(`${url}/readyz`)).json();
      if ((checks as { checks?: { events?: unknown } } | undefined)?.checks?.events === true) return String(url);
      await sleep(50);
    }
  })();
  urls.set(gateway, found);
  return found;
}

/** One client: how many events it got, and how late. */
interface Reader {
  events: number;
  latenciesMs: number[];
}

async function openAll(url: string, count: number): Promise<Reader[]> {
  const agent = new Agent({ maxSockets: Infinity });
  const readers: Reader[] = [];
  while (readers.length < count) {
    const some = Math.min(50, count - readers.length);
    readers.push(...(await Promise.all(Array.from({ length: some }, () => open(url, agent)))));
  }
  return readers;
}

async function open(url: string, agent: Agent): Promise<Reader> {
  const reader: Reader = { events: 0, latenciesMs: [] };
  const [answer] = (await once(get(`${url}/events`, { agent }), 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`/events answered ${answer.statusCode}`);
  answer.on('data', (bytes: Buffer) => {
    let last = -1;
    for (let at = bytes.indexOf('"at_ms":'); at !== -1; at = bytes.indexOf('"at_ms":', at + 8)) {
      reader.events += 1;
      last = at;
    }
    if (last !== -1)
      reader.latenciesMs.push(Date.now() - Number.parseInt(bytes.toString('latin1', last + 8, last + 21), 10));
  });
  return reader;
}

async function tell(nc: NatsConnection, readers: Reader[], url: string, rate: number, seconds: number) {
  const publisher = new StreamPublisher(nc);
  const cpuBefore = await figure(url, 'process_cpu_seconds_total');
  const startedAt = performance.now();
  let told = 0;
  while (performance.now() - startedAt < seconds * 1_000) {
    const due = Math.floor(((performance.now() - startedAt) * rate) / 1_000) - told;
    const burst = Array.from({ length: due }, event);
    told += due;
    await Promise.all([publisher.publish(burst, { timeoutMs: 5_000 }), sleep(BURST_EVERY_MS)]);
  }
  const wallSeconds = (performance.now() - startedAt) / 1_000;
  const cpuSeconds = (await figure(url, 'process_cpu_seconds_total')) - cpuBefore;
  await sleep(1_000);
  publisher.close();
  const latencies = readers.flatMap(({ latenciesMs }) => latenciesMs);
  return {
    clients: readers.length,
    eventsPerSecond: Math.round(told / wallSeconds),
    complete: readers.filter(({ events }) => events === told).length,
    deliveriesPerSecond: Math.round((told * readers.length) / wallSeconds),
    latencyMs: { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) },
    gatewayCores: Number((cpuSeconds / wallSeconds).toFixed(2)),
    gatewayMegabytes: Math.round((await figure(url, 'process_resident_memory_bytes')) / 1e6),
    openAtTheEnd: await figure(url, 'holdline_sse_clients'),
  };
}

function event() {
  const event = { kind: 'turn_failed', event_id: randomUUID(), agent_id: 'bench', detail: BODY, at_ms: Date.now() };
  return { subject: eventSubject('bench', 'turn_failed'), payload: JSON.stringify(event) };
}

async function figure(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}

await measure();
