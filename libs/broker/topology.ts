import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/nats-core';
import { QUARANTINE_RETENTION_MS } from '#contracts/limits.js';
import { STREAM_SUBJECTS, STREAMS } from '#contracts/subjects.js';
import { inboundStreamSubjects } from './partitions.js';

/** A stream as Holdline needs it. What is not named here (replicas, placement, …) is the operator's to choose. */
export type StreamDefinition = Pick<
  StreamConfig,
  'name' | 'description' | 'subjects' | 'storage' | 'retention' | 'discard' | 'max_age' | 'max_bytes'
> &
  Pick<StreamConfig, 'max_msg_size' | 'duplicate_window'>;

export interface TopologyOptions {
  /** Size at which the inbound stream refuses messages. Default 1 GiB. */
  inboundMaxBytes?: number;
  /** How long turns and events can be read. Default 7 days. */
  retentionMs?: number;
  /** Partitions of the inbound stream; more than one needs the mapping of `nats/partitions.conf`. Default 1. */
  partitions?: number;
}

export interface EnsuredStream {
  name: string;
  action: 'created' | 'updated' | 'unchanged';
}

/** The stream cannot be made what Holdline needs; the message says what is in the way and what to do. */
export class StreamIncompatibleError extends Error {
  override readonly name = 'StreamIncompatibleError';
}

const DAY_MS = 24 * 3_600_000;
const COMMON = { storage: StorageType.File, retention: RetentionPolicy.Limits } as const;
const DEDUPLICATED = { duplicate_window: nanos(10 * 60_000), max_msg_size: -1 } as const;

/** Every stream of Holdline. */
export function streamTopology(options: TopologyOptions = {}): StreamDefinition[] {
  const { inboundMaxBytes = 1024 ** 3, retentionMs = 7 * DAY_MS, partitions = 1 } = options;
  return [
    {
      ...COMMON,
      name: STREAMS.inbound,
      description: 'Messages from contacts, until they are processed. Full means that new ones are refused.',
      subjects: inboundStreamSubjects(partitions),
      discard: DiscardPolicy.New,
      max_age: 0,
      max_bytes: inboundMaxBytes,
      // Above the contract's limit, so that what is too large is quarantined rather than lost with its sender, and
      // below the server's payload limit, so that the quarantine has room for its headers.
      max_msg_size: 960 * 1024,
      // A message id counts within its conversation; the server would drop the same id of another one. This is the
      // shortest window that it allows.
      duplicate_window: nanos(100),
    },
    {
      ...COMMON,
      ...DEDUPLICATED,
      name: STREAMS.turns,
      description: 'What agents are asked to answer, and holds.',
      subjects: [...STREAM_SUBJECTS.turns],
      discard: DiscardPolicy.Old,
      max_age: nanos(retentionMs),
      max_bytes: -1,
    },
    {
      ...COMMON,
      ...DEDUPLICATED,
      name: STREAMS.events,
      description: 'The firehose: every committed transition, once.',
      subjects: [...STREAM_SUBJECTS.events],
      discard: DiscardPolicy.Old,
      max_age: nanos(retentionMs),
      max_bytes: -1,
    },
    {
      ...COMMON,
      ...DEDUPLICATED,
      name: STREAMS.quarantine,
      description: 'Messages that were refused, as they came.',
      subjects: [...STREAM_SUBJECTS.quarantine],
      discard: DiscardPolicy.Old,
      max_age: nanos(QUARANTINE_RETENTION_MS),
      max_bytes: -1,
    },
  ];
}

/** The streams with every option at its default. */
export const STREAM_TOPOLOGY: readonly StreamDefinition[] = streamTopology();

/**
 * Creates the streams that are missing and updates those that differ. Any number of processes may do so at once.
 * @throws StreamIncompatibleError for a stream that cannot be updated to what is needed
 */
export async function ensureStreams(nc: NatsConnection, options: TopologyOptions = {}): Promise<EnsuredStream[]> {
  const jsm = await jetstreamManager(nc, { checkAPI: false });
  const ensured: EnsuredStream[] = [];
  for (const wanted of streamTopology(options)) {
    ensured.push({ name: wanted.name, action: await ensureStream(jsm, wanted) });
  }
  return ensured;
}

async function ensureStream(jsm: JetStreamManager, wanted: StreamDefinition): Promise<EnsuredStream['action']> {
  const existing = (await find(jsm, wanted.name)) ?? (await create(jsm, wanted));
  if (existing === 'created') return 'created';
  const differing = differences(existing, wanted);
  if (differing.length === 0) return 'unchanged';
  refuseUnsafeChange(existing, wanted, differing);
  try {
    await jsm.streams.update(wanted.name, wanted);
    return 'updated';
  } catch (error) {
    throw incompatible(wanted, error, differing);
  }
}

async function find(jsm: JetStreamManager, name: string): Promise<StreamInfo | undefined> {
  try {
    return await jsm.streams.info(name);
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return undefined;
    throw error;
  }
}

/** Another process may create the stream at the same moment; then it is that one which counts. */
async function create(jsm: JetStreamManager, wanted: StreamDefinition): Promise<'created' | StreamInfo> {
  try {
    await jsm.streams.add(wanted);
    return 'created';
  } catch (error) {
    const existing = await find(jsm, wanted.name);
    if (existing) return existing;
    throw incompatible(wanted, error, []);
  }
}

function differences({ config }: StreamInfo, wanted: StreamDefinition): (keyof StreamDefinition)[] {
  const fields = Object.keys(wanted) as (keyof StreamDefinition)[];
  return fields.filter((field) => JSON.stringify(config[field]) !== JSON.stringify(wanted[field]));
}

function refuseUnsafeChange({ state }: StreamInfo, wanted: StreamDefinition, differing: string[]): void {
  if (wanted.name !== STREAMS.inbound || !differing.includes('subjects') || state.messages === 0) return;
  throw new StreamIncompatibleError(
    `${wanted.name} still holds ${state.messages} messages of another partitioning. Stop the channels, let the former ` +
      `number of partitions process what is there, purge the stream, then change HOLDLINE_PARTITIONS.`,
  );
}

function incompatible(wanted: StreamDefinition, error: unknown, differing: string[]): unknown {
  if (!(error instanceof JetStreamApiError)) return error;
  const changes = differing.length > 0 ? ` (${differing.join(', ')} would have to change)` : '';
  return new StreamIncompatibleError(
    `The server does not take stream ${wanted.name} as Holdline needs it${changes}: ${error.message}. ` +
      `Rename or delete the stream in the way (nats stream ls), or give Holdline an account of its own.`,
    { cause: error },
  );
}
