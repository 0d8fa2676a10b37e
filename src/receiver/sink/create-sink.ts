// Creates the streams of a sink, and checks them.

import type { Context } from '#cli/context.ts';
import { interruptedFailureWith, untilInterrupted } from '#cli/interrupt.ts';
import { Failure, usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Column } from '#terminal/table.ts';
import type { NatsConnection, NatsStream } from '#world/world.ts';
import type { SinkConnectionFlags, SinkUrl } from '../archive/storage-flags.ts';
import { isFault, untilQuorum } from './jetstream/sink-faults.ts';
import * as layout from './jetstream/sink-layout.ts';
import { inspectSink, type SinkServers, sinkServers, weakSink } from './open-sink.ts';
import { doOrDoes, sinkFailure } from './sink-failures.ts';

const copies = 3;
/** The time limit to create the streams: a new cluster must first elect a leader. */
const createMs = 15_000;
/** How long wm asks other servers when one finds no quorum: it may be cut off, or an election may be under way. */
const quorumMs = 10_000;
const retryMs = 500;

export const streamColumns: readonly Column<NatsStream>[] = [
  { title: 'stream', cell: ({ config }) => config.name },
  { title: 'messages', cell: ({ state }) => String(state.messages) },
  { title: 'bytes', cell: ({ state }) => String(state.bytes) },
  { title: 'partitions', cell: (stream) => String(layout.partitionsOf(stream) ?? '') },
  { title: 'replicas', cell: ({ config }) => String(config.num_replicas) },
  { title: 'storage', cell: ({ config }) => config.storage },
  {
    title: 'days',
    cell: ({ config }) => (config.max_age === 0 ? '' : String(layout.toDays(config.max_age))),
  },
  { title: 'discard', cell: ({ config }) => config.discard },
];

function toStreamJson(stream: NatsStream): object {
  const { config, state } = stream;
  const { name, num_replicas, storage, max_age, max_bytes, duplicate_window, discard } = config;
  const { messages, bytes } = state;
  return {
    name,
    messages,
    bytes,
    ...omitUndefined({ partitions: layout.partitionsOf(stream) }),
    replicas: num_replicas,
    storage,
    ...(max_age !== 0 && { maxAgeDays: layout.toDays(max_age) }),
    duplicateWindowDays: layout.toDays(duplicate_window),
    discard,
    ...(max_bytes > 0 && { maxBytes: max_bytes }),
  };
}

type CreateFlags = SinkConnectionFlags & layout.SinkSettings;

/** Creates the missing streams, and only checks existing ones. */
export async function createSink(context: Context, url: SinkUrl, flags: CreateFlags): Promise<void> {
  const servers = sinkServers(context, url, flags);
  let existing = 0;
  const create = async () => {
    await servers.rejectOld();
    const nats = await servers.connect();
    try {
      // The servers of a new cluster do not know each other yet.
      const count = Math.max(nats.server().servers, url.servers.length);
      const replicas = flags.replicas ?? (count >= copies ? copies : 1);
      if (replicas < copies && count >= copies)
        throw usageError(
          `--replicas ${replicas}: on ${count} servers, a sink has at least ${copies} copies`,
          'Leave --replicas out.',
          'with fewer, it could lose deliveries while two servers still run',
        );
      // The servers of the URL may still be looking for each other.
      const retried = url.servers.length >= replicas ? (['no-peers'] as const) : [];
      for (const settings of layout.sinkLayout(url.stream, { ...flags, replicas })) {
        const create = () => nats.createStream(settings);
        const created = await untilQuorum(context.world, createMs, create, retried);
        if (isFault(created) && created.fault !== 'exists') throw sinkFailure(created, url);
        existing += 1;
      }
      const [deliveries] = await printStreams(context, servers, nats, flags);
      if (deliveries) checkSettings(deliveries, flags);
      await context.report.info(
        `The sink ${url.stream} is ready: wm webhook listen --sink stores deliveries there, and wm webhook forward --sink sends them on.`,
      );
      if (replicas < copies)
        await context.report.warn(
          `The streams have ${replicas === 1 ? 'one copy' : `${replicas} copies`}: a disk that fails loses deliveries. Three servers make three copies.`,
        );
    } finally {
      await nats.close();
    }
  };
  await untilInterrupted(context, create, (signal) =>
    interruptedFailureWith(
      signal,
      `${existing} of the streams of ${url.stream} ${existing === 1 ? 'exists' : 'exist'}, as far as wm knows`,
      'Run the same command again: it creates what is missing, and checks the rest.',
    ),
  );
}

/** Leaves existing streams unchanged. @throws {Failure} if a flag asks for another setting. */
function checkSettings({ config }: NatsStream, flags: CreateFlags): void {
  const { name, num_replicas, max_age, max_bytes } = config;
  for (const [flag, requested, actual, unit] of [
    ['--replicas', flags.replicas, num_replicas, ''],
    ['--keep-days', flags.keepDays, layout.toDays(max_age), ''],
    ['--max-size', flags.maxSize, Math.max(0, max_bytes), ' bytes'],
  ] as const)
    if (requested !== undefined && requested !== actual)
      throw usageError(
        `The sink ${name} exists already, and its ${flag} is ${actual === 0 ? 'unlimited' : `${actual}${unit}`}, not ${requested}${unit}`,
        `Leave ${flag} out to keep it, change it with NATS's own command (nats stream edit ${name}), or create a sink with another name.`,
      );
}

export async function checkSink(context: Context, url: SinkUrl, flags: CreateFlags): Promise<void> {
  const { report } = context;
  const servers = sinkServers(context, url, flags);
  await servers.rejectOld();
  const nats = await servers.connect();
  const streams = await printStreams(context, servers, nats, flags).finally(() => nats.close());
  const failure = noQuorum(url, streams);
  if (failure) throw await servers.explain(failure);
  const copies = streams.map((stream) => ({ name: stream.config.name, ...layout.unhealthyCopies(stream) }));
  const silent = [...new Set(copies.flatMap((copy) => copy.silent))];
  if (silent.length > 0)
    await report.warn(
      `${doOrDoes(silent)} not respond. Nothing is lost, but the sink stops if one more does not.`,
    );
  const behind = copies.filter((copy) => copy.behind.length > 0);
  for (const copy of behind)
    await report.warn(
      `${doOrDoes(copy.behind)} not have all of ${copy.name} yet. If that does not change, check their logs.`,
    );
  if (silent.length + behind.length === 0) await report.info(`The sink ${url.stream} is set up correctly.`);
}

/** Reads the streams, preferably from a server that is in touch with the others. */
async function printStreams(
  context: Context,
  { url, connect }: SinkServers,
  nats: NatsConnection,
  { partitions }: CreateFlags,
): Promise<readonly NatsStream[]> {
  const { clock } = context.world;
  let { streams, weaknesses } = await inspectSink(context, nats, url, partitions);
  // The time starts only now: a server that is cut off may have used that much already.
  const end = clock.monotonic() + quorumMs;
  while (noQuorum(url, streams) !== undefined && clock.monotonic() < end) {
    await clock.sleep(retryMs);
    const connection = await connect();
    const inspecting = inspectSink(context, connection, url, partitions);
    ({ streams, weaknesses } = await inspecting.finally(() => connection.close()));
  }
  await context.report.list({ columns: streamColumns, records: streams, raw: streams.map(toStreamJson) });
  if (weaknesses.length > 0) throw weakSink(url, weaknesses);
  const { servers } = nats.server();
  if (servers > url.servers.length)
    await context.report.warn(
      `The URL names ${url.servers.length} of ${servers} servers. Name all of them for receivers and forwarders: if a server is cut off, wm uses only another server in the URL.`,
    );
  return streams;
}

/** Returns `undefined` if enough of the servers with a copy respond. */
function noQuorum({ stream }: SinkUrl, streams: readonly NatsStream[]): Failure | undefined {
  const without = streams.find(layout.lacksQuorum);
  if (without === undefined) return undefined;
  const { silent } = layout.unhealthyCopies(without);
  return new Failure('network', {
    message: `The sink ${stream} has no quorum: ${without.cluster?.leader !== undefined ? `${doOrDoes(silent)} not respond` : 'its servers have no leader'}`,
    why: 'receivers respond with 503 until more than half of the servers are back',
    hint: 'Start the servers that do not respond, and check their logs.',
  });
}
