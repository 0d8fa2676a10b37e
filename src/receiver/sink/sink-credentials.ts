// Reads the credentials for a sink from a file or the environment, and its certificates.

import { readFileBytes } from '#cli/file-value.ts';
import { number, object, optional } from '#contract/schema.ts';
import { usageError } from '#failure.ts';
import { parseRecord } from '#local-records/json-records.ts';
import type { NatsCredentials, NatsTls, World } from '#world/world.ts';
import type { SinkConnectionFlags, SinkUrl } from '../archive/storage-flags.ts';

const mostBytes = 1024 * 1024;

/** @throws {Failure} `usage` if the credentials cannot be read, or several are given. */
export async function readCredentials(
  world: World,
  { sinkCreds }: SinkConnectionFlags,
): Promise<NatsCredentials> {
  const { environment, secrets } = world;
  const user = environment['WM_SINK_USER'];
  const password = environment['WM_SINK_PASSWORD'];
  const token = environment['WM_SINK_TOKEN'];
  const seed = environment['WM_SINK_NKEY'];
  secrets.add(password, token, seed);
  if ([sinkCreds, user, token, seed].filter((credential) => credential !== undefined).length > 1)
    throw usageError(
      'There are several credentials for NATS',
      'Give one of --sink-creds, WM_SINK_USER with WM_SINK_PASSWORD, WM_SINK_TOKEN and WM_SINK_NKEY.',
    );
  if (password !== undefined && user === undefined)
    throw usageError('WM_SINK_PASSWORD needs WM_SINK_USER', 'Set both, or neither.');
  if (sinkCreds !== undefined) return openCredsFile(world, sinkCreds);
  if (user !== undefined) return { user, pass: password ?? '' };
  if (token !== undefined) return { token };
  if (seed === undefined) return {};
  // The library would fail later, with a less useful error.
  if (!/^SU[A-Z2-7]{56}$/.test(seed.trim()))
    throw usageError(
      'WM_SINK_NKEY is not the seed of a NATS user',
      'A seed begins with SU and has 58 characters.',
    );
  return { nkey: seed };
}

const pattern =
  /-----BEGIN NATS USER JWT-----\s*(\S+)\s*-+END NATS USER JWT-+\s[\s\S]*-----BEGIN USER NKEY SEED-----\s*(\S+)/;
const claims = object('claims', { exp: optional(number('seconds')) });

/**
 * Opens a .creds file of NATS: a token that identifies wm, and a key that proves it. The token may expire, and the file may be replaced.
 * @throws {Failure} `usage` if it is not one.
 */
async function openCredsFile(world: World, path: string): Promise<NatsCredentials> {
  const { clock, secrets } = world;
  let text = '';
  const read = async () => {
    const found = await readPem(world, path, '--sink-creds');
    const [, , seed] = pattern.exec(found) ?? [];
    secrets.add(seed);
    if (seed === undefined)
      throw usageError(`--sink-creds: ${path} is not a .creds file`, 'nsc generate creds writes one.');
    text = found;
  };
  await read();
  return {
    creds: {
      text: () => text,
      readAgain: () => read().catch(() => {}),
      hasExpired: () => expiryOf(text) <= clock.now() / 1000,
    },
  };
}

/** When the token expires, in seconds since 1970. */
function expiryOf(text: string): number {
  const [, token = ''] = pattern.exec(text) ?? [];
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  return parseRecord(claims, payload)?.exp || Number.POSITIVE_INFINITY;
}

export async function readTls(
  world: World,
  url: SinkUrl,
  { sinkCa, sinkCert, sinkKey }: SinkConnectionFlags,
): Promise<NatsTls | undefined> {
  if ((sinkCert === undefined) !== (sinkKey === undefined))
    throw usageError('--sink-cert and --sink-key need each other', 'Give both, or neither.');
  if (!url.isTls && sinkCa === undefined && sinkCert === undefined) return undefined;
  const read = async (path: string | undefined, flag: string) => path && readPem(world, path, flag);
  return {
    ca: await read(sinkCa, '--sink-ca'),
    certificate: await read(sinkCert, '--sink-cert'),
    key: await read(sinkKey, '--sink-key'),
  };
}

async function readPem(world: World, path: string, flag: string): Promise<string> {
  const unreadable = 'Give a text file that you can read.';
  return new TextDecoder().decode(await readFileBytes(world, path, flag, mostBytes, { unreadable }));
}
