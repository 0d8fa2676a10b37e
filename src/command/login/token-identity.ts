// Reads whose fresh tokens are, before anything else uses them.

import { toAccess } from '../../login/refreshing-credentials.ts';
import type { StoredTokens } from '../../login/token-store.ts';
import type { Context } from '../context.ts';
import { createCommandSession } from '../create-session.ts';
import { type Identity, readIdentity } from '../identity.ts';

export async function readTokenIdentity(context: Context, item: StoredTokens): Promise<Identity> {
  const access = toAccess(item);
  const session = await createCommandSession(context, {
    credentials: { access: async () => access, refresh: async () => undefined },
  });
  return readIdentity(session, item.host);
}
