// Connects to a sink, and checks the settings of its streams before a command relies on them.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { commandHint, Failure, usageError } from '#failure.ts';
import type { NatsConnection, NatsStream } from '#world/world.ts';
import type { SinkConnectionFlags, SinkUrl } from '../archive/storage-flags.ts';
import { isFault, untilQuorum } from './jetstream/sink-faults.ts';
import * as layout from './jetstream/sink-layout.ts';
import { readCredentials, readTls } from './sink-credentials.ts';
import { doOrDoes, faultOf, sinkFailure } from './sink-failures.ts';

const connectMs = 5_000;
const askMs = 3_000;
/** How long the servers may take to elect a leader when wm starts. */
const startMs = 15_000;

export type SinkServers = ReturnType<typeof sinkServers>;

export function sinkServers({ world }: Pick<Context, 'world'>, url: SinkUrl, flags: SinkConnectionFlags) {
  const tryToConnect = async (servers: readonly string[], timeoutMs: number) => {
    const credentials = await readCredentials(world, flags);
    const tls = await readTls(world, url, flags);
    return world.nats.connect({ servers, tls, credentials, timeoutMs });
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
      if (layout.isRecentServer(version)) return connection;
      await connection.close();
      throw oldServer(url.servers.join(', '), version);
    },
    /** @throws {Failure} for a server that is too old. Silent servers are reported elsewhere. */
    async rejectOld() {
      for (const { server, version } of await ask())
        if (version !== undefined && !layout.isRecentServer(version)) throw oldServer(server, version);
    },
    /** Returns the failure behind an error; adds which servers respond, if they are its cause. */
    async explain(error: unknown): Promise<unknown> {
      const fault = faultOf(error);
      const failure = fault ? sinkFailure(fault, url) : error;
      if (!(failure instanceof Failure) || failure.code !== 'network' || url.servers.length < 2)
        return failure;
      const asked = await ask();
      const [responding, silent] = [true, false].map((isResponding) =>
        asked.filter(({ responds }) => responds === isResponding).map(({ server }) => server),
      );
      if (!responding?.length) return failure;
      const text = silent?.length
        ? `${doOrDoes(silent)} not respond; ${doOrDoes(responding)}`
        : 'each of them responds, so they may be cut off from each other';
      return failure.with({ why: failure.why === undefined ? text : `${text} (${failure.why})` });
    },
  };
}

/**
 * `reads`: whether the caller reads many messages (`readStream`).
 * @throws {Failure} `not_found` if the sink does not exist; `check_failed` if its settings are too weak; `network` names the servers that
 * respond.
 */
export async function openSink(
  context: Pick<Context, 'world' | 'common'>,
  url: SinkUrl,
  flags: SinkConnectionFlags & { readonly partitions?: number },
  reads: boolean,
) {
  const { clock, random, randomBytes } = context.world;
  const { connect, explain } = sinkServers(context, url, flags);
  let nats: NatsConnection | undefined;
  try {
    nats = await connect();
    const { weaknesses: all, partitions, streams } = await inspectSink(context, nats, url, flags.partitions);
    const weaknesses = all.filter(({ onlyReading }) => reads || !onlyReading);
    if (weaknesses.length > 0) throw weakSink(url, weaknesses);
    const [names, created] = [layout.sinkNames(url.stream), streams[0]?.created ?? ''];
    return { nats, clock, random, randomBytes, url, names, partitions, created, explain };
  } catch (error) {
    await nats?.close();
    throw await explain(error);
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
  const weaknesses: layout.Weakness[] = [];
  for (const required of layout.sinkLayout(url.stream)) {
    const { name } = required;
    const stream = await untilQuorum(context.world, startMs, () => nats.stream(name));
    if ('fault' in stream && stream.fault !== 'not-found') throw sinkFailure(stream, url);
    if ('fault' in stream) throw await noStream(context, nats, url, name);
    if (layout.isFromEarlierVersion(stream))
      throw new Failure('check_failed', {
        message: `The sink ${url.stream} was created by an earlier version of wm`,
        why: 'its streams are laid out differently, and this version would forward everything again',
        hint: 'With the previous version, stop the receivers, and forward until `wm webhook log --stuck` lists nothing. Then create a sink with another name with this version.',
      });
    streams.push(stream);
    weaknesses.push(...layout.findWeaknesses(required, stream, nats.server().servers));
  }
  const [deliveries] = streams;
  const partitions = deliveries && layout.partitionsOf(deliveries);
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

/** Lists the sinks, so that a mistyped name does not become a second sink. */
async function noStream(
  context: Pick<Context, 'world' | 'common'>,
  nats: NatsConnection,
  url: SinkUrl,
  name: string,
): Promise<Failure> {
  const names = await nats.streams();
  const isSink = (sink: string) =>
    layout.sinkLayout(sink).every((stream) => !isFault(names) && names.includes(stream.name));
  const isIncomplete = name !== url.stream;
  const sinks = isIncomplete || isFault(names) ? [] : names.filter(isSink);
  const create = formatCommandWith(context, 'webhook sink', ['create', url.text]);
  return new Failure('not_found', {
    message: `Stream ${name} does not exist on ${url.servers.join(', ')}`,
    hint:
      sinks.length === 0
        ? commandHint(`To create ${isIncomplete ? 'the missing streams' : 'the sink'}: `, create)
        : `The sinks there are: ${sinks.join(', ')}. To create another: ${create}`,
  });
}

function oldServer(server: string, version: string): Failure {
  return new Failure('check_failed', {
    message: `NATS on ${server} has version ${version === '' ? 'unknown' : version}; a sink needs ${layout.minServerVersion} or newer`,
    why: 'older servers lost deliveries in tests, when they were killed',
    hint: 'Install a newer nats-server on all of the servers: https://github.com/nats-io/nats-server/releases',
  });
}

export function weakSink({ stream }: SinkUrl, weaknesses: readonly layout.Weakness[]): Failure {
  const byText = new Map<string, string[]>();
  for (const weakness of weaknesses)
    byText.set(weakness.text, [...(byText.get(weakness.text) ?? []), weakness.stream]);
  const edits = [...new Set(weaknesses.map((weakness) => `nats stream edit ${weakness.stream}`))];
  const lines = [...byText].map(([text, streams]) => `${streams.join(', ')}: ${text}`);
  return new Failure('check_failed', {
    message: `The settings of the sink ${stream} are too weak. ${lines.join('. ')}`,
    why: weaknesses.every(({ onlyReading }) => onlyReading)
      ? 'its deliveries could not be read'
      : 'it could lose deliveries unnoticed',
    hint: `Change the streams with NATS's own command (${edits.join(', ')}), or create a sink with another name.`,
  });
}
