// Finds the successor that an earlier run may have created before it was killed, or before the response was lost. A create
// cannot be repeated without creating a second webhook, so nothing is sent until it is clear that there is none.

import { operations } from '../../../contract/operation.ts';
import { commandHint, Failure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { formatCommandWith } from '../../format-command.ts';
import type { RotationState } from '../../webhook-records/local-webhook.ts';
import { listKey } from '../file/settings-key.ts';
import { assertComplete, type Hook, toHooks } from '../hook.ts';
import { isSameUrl } from '../select/match.ts';

/** How long after it was sent a request may still create something: the handshake of a slow receiver is a part of it. */
const leastSettleMs = 60_000;
const lookAgainMs = 5000;

type Sent = Pick<RotationState, 'settings' | 'createSent'>;

/** All that the service lists. */
export async function listAllWebhooks(context: Context): Promise<readonly Hook[]> {
  const session = await context.session();
  const response = await session.send(operations.listWebhooks, {}, {});
  assertComplete(response, 'tell whether there is a successor');
  return toHooks(context, response);
}

/**
 * The webhook that the request created; undefined if there is none now.
 * @throws {Failure} `outcome_unknown` if several could be it.
 */
export async function findSuccessor(
  context: Context,
  { settings, createSent }: Sent,
): Promise<Hook | undefined> {
  const found = (await listAllWebhooks(context)).filter(({ record }) => {
    if (createSent?.before.includes(record.id)) return false;
    if (!isSameUrl(record.hookUrl ?? '', settings.hookUrl) || record.folderId !== settings.folderId)
      return false;
    const events = settings.events ?? [];
    return record.events === undefined || listKey(record.events) === listKey(events);
  });
  if (found.length <= 1) return found[0];
  const ids = found.map(({ record }) => record.id);
  throw new Failure('outcome_unknown', {
    message: `${found.length} webhooks could be the successor: ${ids.join(', ')}`,
    why: 'they were created since the rotation began, for the same URL',
    hint: commandHint(
      'Delete those that are not, then run the command again: ',
      formatCommandWith(context, 'webhook get', ids),
    ),
  });
}

/** The same, but it returns nothing only once the request can no longer create one. */
export async function awaitSuccessor(context: Context, state: Sent): Promise<Hook | undefined> {
  const { clock } = context.world;
  const settleMs = Math.max(leastSettleMs, 2 * context.timeoutMs);
  const sentAgo = clock.now() - Date.parse(state.createSent?.at ?? '');
  // The time of day may have been set since.
  const end = clock.monotonic() + Math.min(settleMs, settleMs - sentAgo);
  let isSaid = false;
  for (;;) {
    const found = await findSuccessor(context, state);
    const left = end - clock.monotonic();
    if (found || !(left > 0)) return found;
    if (!isSaid)
      await context.report.info(
        `An earlier run sent the request that creates the successor, and it may still take effect. Looking for the successor for ${Math.ceil(left / 1000)} s.`,
      );
    isSaid = true;
    await clock.sleep(Math.min(left, lookAgainMs));
  }
}
