// Who fresh tokens stand for, asked before anything else uses them.

import { createSession } from '../../client/session.ts';
import { accessOf } from '../../login/renew.ts';
import type { TokenItem } from '../../login/store.ts';
import { version } from '../../version.ts';
import type { Context } from '../context.ts';
import { type Identity, readIdentity } from '../identity.ts';

export async function identityOf(context: Context, item: TokenItem): Promise<Identity> {
  const access = accessOf(item);
  const session = createSession(
    context.world,
    { access: async () => access, renew: async () => undefined },
    {
      timeoutMs: context.timeoutMs,
      userAgent: `wm/${version}`,
      trace: (line) => context.report.trace(line),
      secrets: context.world.secrets,
    },
  );
  return readIdentity(session, item.host);
}
