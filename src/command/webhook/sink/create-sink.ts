// Creates the streams of a sink, and checks them.

import { joinWithAnd } from '../../../contract/format-list.ts';
import { usageError } from '../../../failure.ts';
import { layoutOf, sinkDefaults } from '../../../receiver/sink/sink-layout.ts';
import type { SinkUrl } from '../../../receiver/sink/sink-url.ts';
import { untilQuorum } from '../../../receiver/sink/until-quorum.ts';
import type { NatsConnection, NatsStream } from '../../../world/world.ts';
import type { Context } from '../../context.ts';
import { interruptedFailure, interruptedFailureWith, untilInterrupted } from '../../interrupt.ts';
import type { SinkConnectionFlags } from '../listen/sink-flags.ts';
import { connectToSink, inspectSink } from './open-sink.ts';
import { noQuorum, sinkFailure, weakSink } from './sink-failures.ts';
import { streamColumns, toStreamJson } from './stream-columns.ts';
import { nameServers } from './which-respond.ts';

const dayMs = 24 * 60 * 60 * 1000;
const copies = 3;

export interface CreateFlags extends SinkConnectionFlags {
  readonly partitions?: number;
  readonly replicas?: number;
  readonly keepDays?: number;
  readonly maxSize?: number;
}

/** How far a creation has come. */
interface Creation {
  /** How many streams there are to create. */
  total: number;
  /** How many of them exist now, whoever created them. */
  existing: number;
  /** The stream for which the servers have not responded yet. */
  pending: string | undefined;
}

/** Streams that exist already are only checked. */
export async function createSink(context: Context, url: SinkUrl, flags: CreateFlags): Promise<void> {
  const creation: Creation = { total: 0, existing: 0, pending: undefined };
  await untilInterrupted(
    context,
    () => createStreams(context, url, flags, creation),
    (signal) =>
      creation.existing === 0 && creation.pending === undefined
        ? interruptedFailure(signal, context)
        : interruptedFailureWith(
            signal,
            describeCreation(url, creation),
            'Run the same command again: it creates what is missing, and checks the rest.',
          ),
  );
}

function describeCreation({ stream }: SinkUrl, { total, existing, pending }: Creation): string {
  const known = `${existing} of the ${total} streams of ${stream} ${existing === 1 ? 'exists' : 'exist'}`;
  return pending === undefined ? known : `${known}; whether ${pending} was created is unknown`;
}

async function createStreams(
  context: Context,
  url: SinkUrl,
  flags: CreateFlags,
  creation: Creation,
): Promise<void> {
  const nats = await connectToSink(context, url, flags);
  try {
    // The servers of a cluster that has just started do not know each other yet.
    const servers = Math.max(nats.server().servers, url.servers.length);
    const replicas = flags.replicas ?? (servers >= copies ? copies : 1);
    if (replicas < copies && servers >= copies)
      throw usageError(
        `--replicas ${replicas}: on ${servers} servers, a sink has at least ${copies} copies`,
        'Leave --replicas out.',
        'with fewer, it could lose deliveries although two servers are left',
      );
    const layout = layoutOf(url.stream, {
      partitions: flags.partitions ?? sinkDefaults.partitions,
      replicas,
      keepMs: (flags.keepDays ?? sinkDefaults.keepDays) * dayMs,
      maxBytes: flags.maxSize ?? 0,
    });
    creation.total = layout.length;
    for (const settings of layout) {
      creation.pending = settings.name;
      const created = await untilQuorum(
        context.world.clock,
        createMs,
        () => nats.createStream(settings),
        // The servers in the URL may still be looking for each other.
        url.servers.length >= replicas ? ['no-peers'] : [],
      );
      if ('fault' in created && created.fault !== 'exists') throw sinkFailure(created, url);
      creation.pending = undefined;
      creation.existing += 1;
    }
    const [deliveries] = await show(context, nats, url, flags);
    if (deliveries) checkSettings(deliveries, flags);
    await context.report.info(
      `The sink ${url.stream} is ready: wm webhook listen --sink stores deliveries there, and wm webhook forward --sink sends them on.`,
    );
    if (replicas < copies)
      await context.report.warn(
        `The streams have ${replicas === 1 ? 'one copy' : `${replicas} copies`}: what is on a disk that fails is lost. Three servers make three copies.`,
      );
  } finally {
    await nats.close();
  }
}

/** Streams that existed already are not changed. @throws {Failure} if a flag asks for another setting. */
function checkSettings({ name, replicas, maxAgeMs, maxBytes }: NatsStream, flags: CreateFlags): void {
  const settings = [
    { flag: '--replicas', wanted: flags.replicas, has: replicas, unit: '' },
    { flag: '--keep-days', wanted: flags.keepDays, has: maxAgeMs / dayMs, unit: '' },
    { flag: '--max-size', wanted: flags.maxSize, has: maxBytes, unit: ' bytes' },
  ];
  for (const { flag, wanted, has, unit } of settings)
    if (wanted !== undefined && wanted !== has)
      throw usageError(
        `The sink ${name} exists already, and its ${flag} is ${has === 0 ? 'unlimited' : `${has}${unit}`}, not ${wanted}${unit}`,
        `Leave ${flag} out to keep it, change it with NATS's own command (nats stream edit ${name}), or create a sink with another name.`,
      );
}

export async function checkSink(context: Context, url: SinkUrl, flags: CreateFlags): Promise<void> {
  const nats = await connectToSink(context, url, flags);
  try {
    const streams = await show(context, nats, url, flags);
    const failure = noQuorum(url, streams);
    if (failure) throw await nameServers(context, url, flags, failure);
    const silent = [...new Set(streams.flatMap((one) => one.silent))];
    if (silent.length > 0)
      await context.report.warn(
        `${joinWithAnd(silent)} ${silent.length === 1 ? 'does' : 'do'} not respond. Nothing is lost, but the sink stops if one more does not.`,
      );
    const behind = streams.filter((one) => one.behind.length > 0);
    for (const one of behind)
      await context.report.warn(
        `${joinWithAnd(one.behind)} ${one.behind.length === 1 ? 'does' : 'do'} not have all of ${one.name} yet. If that stays so, check their logs.`,
      );
    if (silent.length + behind.length === 0)
      await context.report.info(`The sink ${url.stream} is set up correctly.`);
  } finally {
    await nats.close();
  }
}

/** The servers of a cluster that has just started need a moment to elect a leader. */
const createMs = 15_000;
/** wm reports that there is no quorum only after this time, and after asking as many servers as the URL names. */
const doubtMs = 5_000;
const againMs = 250;

async function show(
  context: Context,
  nats: NatsConnection,
  url: SinkUrl,
  { partitions }: CreateFlags,
): Promise<readonly NatsStream[]> {
  const { clock } = context.world;
  const end = clock.monotonic() + doubtMs;
  let { streams, weaknesses } = await inspectSink(context, nats, url, partitions);
  // A server that is cut off reports all the others as silent, so ask another one. Or an election is under way.
  for (let asked = 1; noQuorum(url, streams) !== undefined; asked += 1) {
    if (asked > url.servers.length && clock.monotonic() >= end) break;
    await clock.sleep(againMs);
    await nats.changeServer();
    ({ streams, weaknesses } = await inspectSink(context, nats, url, partitions));
  }
  await context.report.list({ columns: streamColumns, records: streams, raw: streams.map(toStreamJson) });
  if (weaknesses.length > 0) throw weakSink(url, weaknesses);
  const { servers } = nats.server();
  if (servers > url.servers.length)
    await context.report.warn(
      `The URL names ${url.servers.length} of ${servers} servers. Name all of them where receivers and forwarders run: wm leaves a server that is cut off only for another one in the URL.`,
    );
  return streams;
}
