// A .creds file of NATS: a token that identifies wm, and a key that proves it. The token may expire, and the file may be replaced meanwhile.

import { parseJsonIfValid } from '../../../contract/json.ts';
import { number, object, optional, readLeniently, unlessInvalid } from '../../../contract/schema.ts';
import { usageError } from '../../../failure.ts';
import type { NatsCredentials, World } from '../../../world/world.ts';

const pattern =
  /-----BEGIN NATS USER JWT-----\s*(\S+)\s*-+END NATS USER JWT-+\s[\s\S]*-----BEGIN USER NKEY SEED-----\s*(\S+)/;
const claims = object('claims', { exp: optional(number('seconds')) });

/** `read` returns the current text of the file. @throws {Failure} `usage` if it is not a .creds file. */
export async function openCredsFile(
  { clock, secrets }: Pick<World, 'clock' | 'secrets'>,
  path: string,
  read: () => Promise<string>,
): Promise<NatsCredentials> {
  const accept = (text: string): string | undefined => {
    const [, , seed] = pattern.exec(text) ?? [];
    if (seed === undefined) return undefined;
    secrets.add(seed);
    return text;
  };
  const text = accept(await read());
  if (text === undefined)
    throw usageError(`--sink-creds: ${path} is not a .creds file`, 'nsc generate creds writes one.');
  return {
    kind: 'creds',
    text,
    readAgain: () => read().then(accept, () => undefined),
    hasExpired: (held) => expiryOf(held) <= clock.now() / 1000,
  };
}

/** In seconds since 1970. */
function expiryOf(text: string): number {
  const [, token = ''] = pattern.exec(text) ?? [];
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  const found = unlessInvalid(() => readLeniently(claims, parseJsonIfValid(payload)));
  return found?.exp || Number.POSITIVE_INFINITY;
}
