// Reads whose fresh tokens are, before anything else uses them.

import type { Context } from '#cli/context.ts';
import { createCommandSession } from '#cli/create-session.ts';
import { type Identity, readIdentity } from '#cli/identity.ts';
import { toAccess } from '#login/refreshing-credentials.ts';
import type { StoredTokens } from '#login/token-store.ts';

export async function readTokenIdentity(context: Context, item: StoredTokens): Promise<Identity> {
  const access = toAccess(item);
  const session = await createCommandSession(context, {
    credentials: { access: async () => access, refresh: async () => undefined },
  });
  return readIdentity(session, item.host);
}
