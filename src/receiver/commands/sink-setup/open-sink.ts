// Connects to a sink, and checks the settings of its streams before a command relies on them.

import type { Context } from '#cli/context.ts';
import { Failure, usageError } from '#failure.ts';
import { untilQuorum } from '#receiver/sink/sink-faults.ts';
import {
  findWeaknesses,
  isFromEarlierVersion,
  isRecentServer,
  partitionsOf,
  sinkLayout,
  sinkNames,
  type Weakness,
} from '#receiver/sink/sink-layout.ts';
import { parseSinkUrl, type SinkUrl } from '#receiver/sink/sink-url.ts';
import type { NatsConnection, NatsStream } from '#world/world.ts';
import type { SinkConnectionFlags } from '../listening/sink-flags.ts';
import { readCredentials, readTls } from './sink-credentials.ts';
import {
  doOrDoes,
  earlierSink,
  noStream,
  oldServer,
  sinkFailure,
  toSinkFailure,
  weakSink,
} from './sink-failures.ts';

const connectMs = 5_000;
const askMs = 3_000;
/** How long the servers may take to elect a leader when wm starts. */
const startMs = 15_000;

export type SinkServers = ReturnType<typeof sinkServers>;

/** The servers that the URL names. */
export function sinkServers({ world }: Pick<Context, 'world'>, url: SinkUrl, flags: SinkConnectionFlags) {
  const tryToConnect = async (servers: readonly string[], timeoutMs: number) => {
    const credentials = await readCredentials(world, flags);
    const tls = await readTls(world, url, flags);
    return world.nats.connect({ servers, tls, credentials, name: 'wm', timeoutMs });
  };
  const ask = () =>
    Promise.all(
      url.servers.map(async (server) => {
        const connection = await tryToConnect([server], askMs);
        // A server that rejects the credentials still responds.
        if ('fault' in connection) return { server, responds: connection.fault === 'not-allowed' };
        const { version } = connection.server();
        await connection.close();
        return { server, responds: true, version };
      }),
    );
  return {
    url,
    /** @throws {Failure} if no server can be reached or accepts the credentials, or the server is too old. */
    async connect() {
      const connection = await tryToConnect(url.servers, connectMs);
      if ('fault' in connection) throw sinkFailure(connection, url);
      const { version } = connection.server();
      if (isRecentServer(version)) return connection;
      await connection.close();
      throw oldServer(url.servers.join(', '), version);
    },
    /** @throws {Failure} for a server that is too old. Silent servers are reported elsewhere. */
    async rejectOld() {
      for (const { server, version } of await ask())
        if (version !== undefined && !isRecentServer(version)) throw oldServer(server, version);
    },
    /** Returns the failure; adds which servers respond, if they are its cause. */
    async toFailure(error: unknown): Promise<Failure> {
      const failure = toSinkFailure(error, url);
      if (failure.code !== 'network' || url.servers.length < 2) return failure;
      const asked = await ask();
      const [responding, silent] = [true, false].map((isResponding) => {
        const names = asked.filter(({ responds }) => responds === isResponding).map(({ server }) => server);
        return names.length === 0 ? '' : doOrDoes(names);
      });
      if (responding === '') return failure;
      const text =
        silent === ''
          ? 'each of them responds, so they may be cut off from each other'
          : `${silent} not respond; ${responding}`;
      return failure.with({ why: failure.why === undefined ? text : `${text} (${failure.why})` });
    },
  };
}

/**
 * `reads`: whether the caller reads many messages (`readAll`).
 * @throws {Failure} `not_found` if the sink does not exist; `check_failed` if its settings are too weak; `network` names the servers that
 * respond.
 */
export async function openSink(
  context: Pick<Context, 'world' | 'common'>,
  text: string,
  flags: SinkConnectionFlags & { readonly partitions?: number },
  reads: boolean,
) {
  const { clock, random } = context.world;
  const url = parseSinkUrl(text, '--sink');
  const { connect, toFailure } = sinkServers(context, url, flags);
  let nats: NatsConnection | undefined;
  try {
    nats = await connect();
    const { weaknesses: all, partitions, streams } = await inspectSink(context, nats, url, flags.partitions);
    const weaknesses = all.filter(({ onlyReading }) => reads || !onlyReading);
    if (weaknesses.length > 0) throw weakSink(url, weaknesses);
    /** When the stream of deliveries was created. */
    const created = streams[0]?.created ?? '';
    return { nats, clock, random, url, names: sinkNames(url.stream), partitions, created, toFailure };
  } catch (error) {
    await nats?.close();
    throw error instanceof Failure ? await toFailure(error) : error;
  }
}

/** @throws {Failure} if a stream is missing, the version is too old, or `partitions` differs. */
export async function inspectSink(
  context: Pick<Context, 'world' | 'common'>,
  nats: NatsConnection,
  url: SinkUrl,
  requestedPartitions: number | undefined,
) {
  const streams: NatsStream[] = [];
  const weaknesses: Weakness[] = [];
  for (const required of sinkLayout(url.stream)) {
    const { name } = required;
    const stream = await untilQuorum(context.world.clock, startMs, () => nats.stream(name));
    if ('fault' in stream && stream.fault !== 'not-found') throw sinkFailure(stream, url);
    if ('fault' in stream) throw noStream(context, url, name, await sinksOn(nats));
    if (isFromEarlierVersion(stream)) throw earlierSink(url);
    streams.push(stream);
    weaknesses.push(...findWeaknesses(required, stream, nats.server().servers));
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
  return { partitions, streams, weaknesses };
}

/** Lists the sinks for the error, so that a mistyped name does not become a second sink. */
async function sinksOn(nats: NatsConnection): Promise<readonly string[]> {
  const names = await nats.streams();
  if ('fault' in names) return [];
  return names.filter((name) => sinkLayout(name).every((stream) => names.includes(stream.name)));
}
