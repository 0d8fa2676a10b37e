// Connects to a sink, and checks the settings of its streams before a command relies on them.

import type { Context } from '#cli/context.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { Failure, usageError } from '#failure.ts';
import { untilQuorum } from '#receiver/sink/sink-faults.ts';
import {
  findWeaknesses,
  isFromEarlierVersion,
  isRecentServer,
  partitionsOf,
  type Sink,
  sinkLayout,
  sinkStreams,
  type Weakness,
} from '#receiver/sink/sink-layout.ts';
import { parseSinkUrl, type SinkUrl } from '#receiver/sink/sink-url.ts';
import type { NatsConnection, NatsFault, NatsStream } from '#world/world.ts';
import type { SinkConnectionFlags } from '../listening/sink-flags.ts';
import { readCredentials, readTls } from './sink-credentials.ts';
import { earlierSink, noStream, oldServer, sinkFailure, toSinkFailure, weakSink } from './sink-failures.ts';

const connectMs = 5_000;
const askMs = 3_000;
/** How long the servers may take to elect a leader when wm starts. */
const startMs = 15_000;

type Parts = Pick<Context, 'world' | 'common'>;

/** @throws {Failure} if no server can be reached or accepts the credentials, or the server is too old. */
export async function connectToSink(
  context: Pick<Context, 'world'>,
  url: SinkUrl,
  flags: SinkConnectionFlags,
): Promise<NatsConnection> {
  const connection = await connect(context, url, flags, connectMs);
  if ('fault' in connection) throw sinkFailure(connection, url);
  const { version } = connection.server();
  if (isRecentServer(version)) return connection;
  await connection.close();
  throw oldServer(url.servers.join(', '), version);
}

/** @throws {Failure} `usage` for credentials that cannot be read. */
async function connect(
  { world }: Pick<Context, 'world'>,
  url: SinkUrl,
  flags: SinkConnectionFlags,
  timeoutMs: number,
): Promise<NatsConnection | NatsFault> {
  const credentials = await readCredentials(world, flags);
  const tls = await readTls(world, url, flags);
  return world.nats.connect({ servers: url.servers, tls, credentials, name: 'wm', timeoutMs });
}

export function askServers(context: Pick<Context, 'world'>, url: SinkUrl, flags: SinkConnectionFlags) {
  return Promise.all(
    url.servers.map(async (server) => {
      const connection = await connect(context, { ...url, servers: [server] }, flags, askMs);
      // A server that rejects the credentials still responds.
      if ('fault' in connection)
        return { server, responds: connection.fault === 'not-allowed', version: undefined };
      const { version } = connection.server();
      await connection.close();
      return { server, responds: true, version };
    }),
  );
}

/** Returns the failure; adds which servers respond, if they are its cause. */
export async function nameServers(
  context: Pick<Context, 'world'>,
  url: SinkUrl,
  flags: SinkConnectionFlags,
  error: Failure,
): Promise<Failure> {
  if (error.code !== 'network' || url.servers.length < 2) return error;
  const asked = await askServers(context, url, flags);
  const [responding, silent] = [true, false].map((isResponding) => {
    const names = asked.filter(({ responds }) => responds === isResponding).map(({ server }) => server);
    return names.length === 0 ? '' : `${joinWithAnd(names)} ${names.length === 1 ? 'does' : 'do'}`;
  });
  if (responding === '') return error;
  const text =
    silent === ''
      ? 'each of them responds, so they may be cut off from each other'
      : `${silent} not respond; ${responding}`;
  return error.with({ why: error.why === undefined ? text : `${text} (${error.why})` });
}

interface OpenSink extends Sink {
  /** When the stream of deliveries was created. */
  readonly created: string;
  /** Turns what reading the sink throws into a failure that names the servers that respond. */
  toFailure(error: unknown): Promise<Failure>;
}

/**
 * `reads`: whether the caller reads many messages (`readAll`).
 * @throws {Failure} `not_found` if the sink does not exist; `check_failed` if its settings are too weak; `network` names the servers that
 * respond.
 */
export async function openSink(
  context: Parts,
  text: string,
  flags: SinkConnectionFlags & { readonly partitions?: number },
  reads: boolean,
): Promise<OpenSink> {
  const { clock, random } = context.world;
  const url = parseSinkUrl(text, '--sink');
  const toFailure = (error: unknown) => nameServers(context, url, flags, toSinkFailure(error, url));
  let nats: NatsConnection | undefined;
  try {
    nats = await connectToSink(context, url, flags);
    const { weaknesses: all, partitions, streams } = await inspectSink(context, nats, url, flags.partitions);
    const weaknesses = all.filter(({ onlyReading }) => reads || !onlyReading);
    if (weaknesses.length > 0) throw weakSink(url, weaknesses);
    const created = streams[0]?.created ?? '';
    return { nats, clock, random, url, stream: url.stream, partitions, created, toFailure };
  } catch (error) {
    await nats?.close();
    throw error instanceof Failure ? await toFailure(error) : error;
  }
}

/** @throws {Failure} if a stream is missing, the version is too old, or `partitions` differs. */
export async function inspectSink(
  context: Parts,
  nats: NatsConnection,
  url: SinkUrl,
  requestedPartitions: number | undefined,
) {
  const streams: NatsStream[] = [];
  for (const name of Object.values(sinkStreams(url.stream))) {
    const stream = await untilQuorum(context.world.clock, startMs, () => nats.stream(name));
    if ('fault' in stream && stream.fault !== 'not-found') throw sinkFailure(stream, url);
    if ('fault' in stream) throw noStream(context, url, name, await sinksOn(nats));
    if (isFromEarlierVersion(stream)) throw earlierSink(url);
    streams.push(stream);
  }
  const [deliveries] = streams;
  const partitions = deliveries && partitionsOf(deliveries);
  if (partitions === undefined)
    throw usageError(
      `The stream ${url.stream} is not a sink of wm`,
      'Give another name: wm webhook sink create creates its streams.',
      'its metadata has no number of partitions',
    );
  if (requestedPartitions !== undefined && requestedPartitions !== partitions)
    throw usageError(
      `The sink ${url.stream} has ${partitions} partitions, not ${requestedPartitions}`,
      'The number is fixed, because the order of deliveries depends on it: leave out --partitions, or create another sink.',
    );
  const layout = sinkLayout(url.stream, { partitions, replicas: 1, keepMs: 1, maxBytes: 0 });
  const weaknesses = layout.flatMap((settings, index): readonly Weakness[] => {
    const stream = streams[index];
    return stream ? findWeaknesses(settings, stream, nats.server().servers) : [];
  });
  return { partitions, streams, weaknesses };
}

/** Lists the sinks for the error, so that a mistyped name does not become a second sink. */
async function sinksOn(nats: NatsConnection): Promise<readonly string[]> {
  const names = await nats.streams();
  if ('fault' in names) return [];
  return names.filter((name) => Object.values(sinkStreams(name)).every((stream) => names.includes(stream)));
}
