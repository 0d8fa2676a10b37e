// Connects to a sink, and checks the settings of its streams before anything relies on them.

import { errorMessage, usageError } from '../../../failure.ts';
import {
  layoutOf,
  partitionsOf,
  sinkStreams,
  type Weakness,
  weaknessesOf,
} from '../../../receiver/sink/sink-layout.ts';
import { parseSinkUrl, type SinkUrl } from '../../../receiver/sink/sink-url.ts';
import { untilQuorum } from '../../../receiver/sink/until-quorum.ts';
import type {
  NatsConnection,
  NatsCredentials,
  NatsFault,
  NatsStream,
  NatsTls,
  World,
} from '../../../world/world.ts';
import type { Context } from '../../context.ts';
import type { SinkConnectionFlags } from '../listen/sink-flags.ts';
import { openCredsFile } from './creds-file.ts';
import { checkSeed, noStream, sinkFailure, weakSink } from './sink-failures.ts';

export interface OpenSink {
  readonly url: SinkUrl;
  readonly nats: NatsConnection;
  readonly partitions: number;
  readonly streams: readonly NatsStream[];
}

const connectMs = 5_000;
/** How long the servers may take to elect a leader when wm starts. */
const startMs = 15_000;
const mostBytes = 1024 * 1024;

/** @throws {Failure} if no server can be reached, or none lets wm in. */
export async function connectToSink(
  context: Pick<Context, 'world'>,
  url: SinkUrl,
  flags: SinkConnectionFlags,
): Promise<NatsConnection> {
  const connection = await connectToServers(context, url, flags, connectMs);
  if ('fault' in connection) throw sinkFailure(connection, url);
  return connection;
}

/** @throws {Failure} `usage` for credentials that cannot be read. */
export async function connectToServers(
  { world }: Pick<Context, 'world'>,
  url: SinkUrl,
  flags: SinkConnectionFlags,
  timeoutMs: number,
): Promise<NatsConnection | NatsFault> {
  const credentials = await readCredentials(world, flags);
  const tls = await readTls(world, url, flags);
  return world.nats.connect({
    servers: url.servers,
    ...(tls === undefined ? {} : { tls }),
    ...(credentials === undefined ? {} : { credentials }),
    name: 'wm',
    timeoutMs,
  });
}

/** @throws {Failure} `not_found` if there is no such sink; `check_failed` if it is weaker than it must be. */
export async function openSink(
  context: Pick<Context, 'world' | 'common'>,
  text: string,
  flags: SinkConnectionFlags & { readonly partitions?: number },
): Promise<OpenSink> {
  const url = parseSinkUrl(text, '--sink');
  const nats = await connectToSink(context, url, flags);
  try {
    const found = await inspectSink(context, nats, url, flags.partitions);
    if (found.weaknesses.length > 0) throw weakSink(url, found.weaknesses);
    return { url, nats, partitions: found.partitions, streams: found.streams };
  } catch (error) {
    await nats.close();
    throw error;
  }
}

export interface Inspected {
  readonly partitions: number;
  readonly streams: readonly NatsStream[];
  readonly weaknesses: readonly Weakness[];
}

/** @throws {Failure} if one of its streams is missing, or `partitions` is not what it has. */
export async function inspectSink(
  context: Pick<Context, 'world' | 'common'>,
  nats: NatsConnection,
  url: SinkUrl,
  wanted: number | undefined,
): Promise<Inspected> {
  const streams: NatsStream[] = [];
  for (const name of Object.values(sinkStreams(url.stream))) {
    const found = await untilQuorum(context.world.clock, startMs, async () => {
      const asked = await nats.stream(name);
      // A server that is cut off from the others, or whose disk is full, accepts clients and responds to none of their requests.
      if ('fault' in asked && (asked.fault === 'timeout' || asked.fault === 'no-quorum'))
        await nats.changeServer();
      return asked;
    });
    if (!('fault' in found)) streams.push(found);
    else if (found.fault !== 'not-found') throw sinkFailure(found, url);
    else throw noStream(context, url, name, await sinksOn(nats));
  }
  const [deliveries] = streams;
  const partitions = deliveries && partitionsOf(deliveries);
  if (partitions === undefined)
    throw usageError(
      `The stream ${url.stream} is not a sink of wm`,
      'Give another name: wm webhook sink create creates its streams.',
      `none of its subjects is ${url.stream}.partitions.N`,
    );
  if (wanted !== undefined && wanted !== partitions)
    throw usageError(
      `The sink ${url.stream} has ${partitions} partitions, not ${wanted}`,
      'The number is fixed, because the order of a task depends on it: leave --partitions out, or create another sink.',
    );
  const layout = layoutOf(url.stream, { partitions, replicas: 1, keepMs: 1, maxBytes: 0 });
  const weaknesses = layout.flatMap((settings, at) => {
    const stream = streams[at];
    return stream ? weaknessesOf(settings, stream, nats.server().servers) : [];
  });
  return { partitions, streams, weaknesses };
}

/** For the error: a mistyped name should not become a second sink. */
async function sinksOn(nats: NatsConnection): Promise<readonly string[]> {
  const found = await nats.streams();
  if ('fault' in found) return [];
  const all = new Set(found);
  return found.filter((name) => Object.values(sinkStreams(name)).every((one) => all.has(one)));
}

async function readCredentials(
  world: World,
  { sinkCreds }: SinkConnectionFlags,
): Promise<NatsCredentials | undefined> {
  const { environment, secrets } = world;
  const user = environment['WM_SINK_USER'];
  const password = environment['WM_SINK_PASSWORD'];
  const token = environment['WM_SINK_TOKEN'];
  const seed = environment['WM_SINK_NKEY'];
  secrets.add(password, token, seed);
  const given = [sinkCreds, user, token, seed].filter((one) => one !== undefined);
  if (given.length > 1)
    throw usageError(
      'There are several credentials for NATS',
      'Give one of --sink-creds, WM_SINK_USER with WM_SINK_PASSWORD, WM_SINK_TOKEN and WM_SINK_NKEY.',
    );
  if (password !== undefined && user === undefined)
    throw usageError('WM_SINK_PASSWORD needs WM_SINK_USER', 'Set both, or neither.');
  if (sinkCreds !== undefined)
    return openCredsFile(world, sinkCreds, () => readPem(world, sinkCreds, '--sink-creds'));
  if (user !== undefined) return { kind: 'user', user, password: password ?? '' };
  if (token !== undefined) return { kind: 'token', token };
  if (seed === undefined) return undefined;
  checkSeed(seed);
  return { kind: 'nkey', seed };
}

async function readTls(
  world: World,
  url: SinkUrl,
  { sinkCa, sinkCert, sinkKey }: SinkConnectionFlags,
): Promise<NatsTls | undefined> {
  if ((sinkCert === undefined) !== (sinkKey === undefined))
    throw usageError('--sink-cert and --sink-key belong together', 'Give both, or neither.');
  if (!url.isTls && sinkCa === undefined && sinkCert === undefined) return undefined;
  return {
    ca: sinkCa === undefined ? undefined : await readPem(world, sinkCa, '--sink-ca'),
    certificate: sinkCert === undefined ? undefined : await readPem(world, sinkCert, '--sink-cert'),
    key: sinkKey === undefined ? undefined : await readPem(world, sinkKey, '--sink-key'),
  };
}

async function readPem({ files }: Pick<World, 'files'>, path: string, flag: string): Promise<string> {
  const bytes = await files.read(path, { maxBytes: mostBytes }).catch((error: unknown) => {
    throw usageError(
      `${flag}: cannot read ${path}`,
      'Give a text file that you can read.',
      errorMessage(error),
    );
  });
  if (bytes === undefined) throw usageError(`${flag}: ${path} does not exist`);
  return new TextDecoder().decode(bytes);
}
