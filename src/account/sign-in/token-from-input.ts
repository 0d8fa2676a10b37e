// Reads exactly one token from standard input. The text is never shown, even if it is not a token.

import type { Context } from '#cli/context.ts';
import { createCommandSession } from '#cli/create-session.ts';
import { decodeText } from '#cli/decode-text.ts';
import { type Identity, readIdentity } from '#cli/identity.ts';
import { tokenPattern } from '#contract/authorization.ts';
import { errorMessage, usageError } from '#failure.ts';
import { toAccess } from '#login/refreshing-credentials.ts';
import type { StoredTokens } from '#login/token-store.ts';
import type { World } from '#world/world.ts';

const maxBytes = 64 * 1024;

/** Throws a usage failure. */
export async function readTokenFromInput({ secrets, streams }: Pick<World, 'secrets' | 'streams'>) {
  const bytes = await streams.input.readAll(maxBytes).catch((error: unknown) => {
    if (error instanceof RangeError) return new Uint8Array();
    throw usageError('Cannot read standard input', undefined, errorMessage(error));
  });
  const token = decodeText(bytes).trim();
  secrets.addCredentials(token);
  if (tokenPattern.test(token)) return token;
  throw usageError('Standard input does not contain a token', 'Give one token and nothing else.');
}

export async function readTokenIdentity(context: Context, tokens: StoredTokens): Promise<Identity> {
  const access = toAccess(tokens);
  const session = await createCommandSession(context, {
    credentials: { access: async () => access, refresh: async () => undefined },
  });
  return readIdentity(session, tokens.host);
}
