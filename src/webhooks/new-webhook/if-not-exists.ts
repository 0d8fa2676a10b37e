// Creates one webhook for a URL although `wm` runs several times at once, and deletes its own if another machine created the
// same meanwhile.

import { join } from 'node:path';
import type { Context } from '#cli/context.ts';
import { lockOutOtherRuns, lookAgain } from '#cli/create-once.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { Failure, toFailure } from '#failure.ts';
import { safeFileName } from '#local-records/monthly-log.ts';
import { accountHost } from '#login/select-account.ts';
import { deleteAndForget } from '../change/delete-one.ts';
import { toReported } from '../columns.ts';
import { keyOf } from '../compare-settings.ts';
import { settingsOf } from '../coverage.ts';
import { type Hook, readHook } from '../records/hook.ts';
import type { NewWebhook } from './resolve-scope.ts';
import { findSameUrl } from './same-url.ts';

/** Until the command ends: webhooks of one host are created by one run at a time. */
export async function lockCreation(context: Context): Promise<void> {
  const name = `apply-${safeFileName(await accountHost(context))}.lock`;
  await lockOutOtherRuns(context, join(context.world.files.stateFolder, 'webhooks', name), 'webhooks');
}

/**
 * Looks again after the creation. Of two webhooks that the service shows to be alike, the creator of the one whose id sorts last (by bytes)
 * deletes it; then true is returned. In any doubt both stay, and the one whose id sorts first always does.
 */
export async function deletedAsDouble(context: Context, created: Hook, requested: NewWebhook) {
  const { report } = context;
  const { id } = created.record;
  const found = await lookAgain(context, 'webhook', id, () => findSameUrl(context, requested));
  const own = found.find(({ record }) => record.id === id);
  const sorted = [created, ...found.filter((hook) => hook !== own)].toSorted(inOrder);
  const [first = created, ...others] = sorted;
  if (others.length === 0) return false;
  const mayDelete = first !== created && own && isAlike(first, own, requested);
  const kept = mayDelete ? await readHook(context, first.record.id).catch(toFailure) : undefined;
  let failure = kept instanceof Failure ? kept : undefined;
  if (failure?.code === 'not_found') return false;
  const event = `created for ${requested.hookUrl} at the same time`;
  if (kept && !(kept instanceof Failure) && kept.record.status === 'Active') {
    failure = await deleteAndForget(context, created).then(() => undefined, toFailure);
    if (!failure) {
      await report.info(`Webhook ${kept.record.id} was ${event}.`);
      await report.one(await toReported(context, [kept]));
      return true;
    }
  }
  const ids = sorted.map(({ record }) => record.id);
  const command = formatCommandWith(context, 'webhook delete', ids.slice(1));
  const why = failure ? `${failure.sentence}\n` : '';
  await report.warn(`${why}Webhooks ${joinWithAnd(ids)} were ${event}. To keep only ${ids[0]}: ${command}`);
  return false;
}

/** In all that the service shows: it need not show the place and the events. It never shows a space, so this machine must know it. */
function isAlike(other: Hook, own: Hook, { folderId: requestedId, spaceId }: NewWebhook): boolean {
  const shown = ({ record: { folderId, recursive, events } }: Hook) => keyOf({ folderId, recursive, events });
  return (
    shown(other) === shown(own) &&
    (requestedId === undefined || requestedId === own.record.folderId) &&
    settingsOf(other).scope?.spaceId === spaceId
  );
}

/** The active ones first, then by the bytes of the id. */
function inOrder({ record: a }: Hook, { record: b }: Hook): number {
  return (
    Number(b.status === 'Active') - Number(a.status === 'Active') ||
    Buffer.compare(Buffer.from(a.id), Buffer.from(b.id))
  );
}
