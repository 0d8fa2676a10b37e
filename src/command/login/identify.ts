// Who fresh tokens stand for, asked before anything else uses them.

import { createSession } from '../../client/session.ts';
import { toAccess } from '../../login/refreshing-credentials.ts';
import type { StoredTokens } from '../../login/token-store.ts';
import { version } from '../../version.ts';
import type { Context } from '../context.ts';
import { type Identity, readIdentity } from '../identity.ts';

export async function readTokenIdentity(context: Context, item: StoredTokens): Promise<Identity> {
  const access = toAccess(item);
  const session = createSession(
    context.world,
    { access: async () => access, refresh: async () => undefined },
    {
      timeoutMs: context.timeoutMs,
      userAgent: `wm/${version}`,
      trace: (line) => context.report.trace(line),
      secrets: context.world.secrets,
    },
  );
  return readIdentity(session, item.host);
}
