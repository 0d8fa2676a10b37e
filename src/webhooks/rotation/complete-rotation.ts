// Runs the steps of a rotation that change the service, in an order that loses no event. Each step first reads the current
// state, so that a run after a crash continues with the first unfinished step.

import type { Context } from '#cli/context.ts';
import { currentUserName } from '#cli/current-user.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { formatLocalTime } from '#cli/local-time.ts';
import type { LocalWebhook } from '#cli/local-webhook.ts';
import type { WebhookStatus } from '#contract/webhook.ts';
import { toFailure } from '#failure.ts';
import { learnStatus, sendStatus, setStatus } from '../change/change-status.ts';
import { deleteOne } from '../change/delete-one.ts';
import { toReported } from '../columns.ts';
import { settingsOf } from '../coverage.ts';
import type { Hook } from '../records/hook.ts';
import { readStoredSecret } from '../secrets/find-secret.ts';
import { openSecretPlace, storeSecret } from '../secrets/secret-place.ts';
import { subscribedEvents } from '../verification/verify-flags.ts';
import { requireAccepting } from './check-receiver.ts';
import { ensureSuccessor } from './create-successor.ts';
import { pendingName } from './new-secret.ts';
import { recordEnd } from './record-rotation.ts';
import { type Rotation, readState } from './rotation.ts';

export async function completeRotation(context: Context, rotation: Rotation): Promise<void> {
  const { old, secret, again } = rotation;
  const { id: oldId } = old.record;
  (await context.history()).setNote(`rotates the secret of ${oldId}`);
  try {
    const created = await ensureSuccessor(context, rotation);
    const { id } = created.record;
    const state = await readState(context, oldId);
    if (state.storeSecret && (await readStoredSecret(context, id))?.text !== secret)
      await storeSecret(context, id, secret);
    const quiet = state.wasActive ? created : await matchStatus(context, created, 'Suspended');
    const { settings } = state;
    const target = {
      url: quiet.record.hookUrl ?? settings.hookUrl,
      webhookId: id,
      events: subscribedEvents(settingsOf({ ...quiet, local: { created: settings } })),
    };
    const progress = state.wasActive
      ? `the successor ${id} exists, and the old webhook was not changed: both deliver`
      : `the successor ${id} exists, and is suspended`;
    await requireAccepting(context, rotation, target, progress, false);
    const successor = state.wasActive ? await matchStatus(context, quiet, 'Active') : quiet;
    const isDeleted = await retireOld(context, old, state.old, id);
    await recordEnd(context, oldId, id, isDeleted);
    await removeLeftovers(context, oldId, isDeleted);
    await reportEnd(context, oldId, successor, isDeleted);
  } catch (thrown) {
    const failure = toFailure(thrown);
    if (failure.hint?.includes(again)) throw failure;
    throw failure.with({ hint: [failure.hint, `To continue: ${again}`].filter(Boolean).join('\n') });
  }
}

export async function removeLeftovers(context: Context, id: string, isDeleted: boolean): Promise<void> {
  await removeStored(context, pendingName(id));
  if (isDeleted) await removeStored(context, id);
}

async function reportEnd(context: Context, old: string, successor: Hook, isDeleted: boolean): Promise<void> {
  const { report } = context;
  const { id } = successor.record;
  const local = await (await context.webhookRecords()).observe([successor]);
  await report.info(`The secret of webhook ${old} was rotated: ${id} has replaced it.`);
  await report.info(describeWindow(local.get(id)?.replaces));
  await report.info('The receiver may forget the old secret now.');
  if (!isDeleted)
    await report.info(`To delete the old webhook: ${formatCommandWith(context, 'webhook delete', [old])}`);
  await report.one(await toReported(context, [successor]));
}

function describeWindow(replaces: LocalWebhook['replaces']): string {
  if (replaces?.to === undefined)
    return 'The old webhook was suspended before: no event was delivered twice.';
  const [from, to] = [replaces.from, replaces.to].map((time) => formatLocalTime(Date.parse(time)));
  return `From ${from} to ${to} both delivered: the receiver got each event of that time twice, signed with either secret.`;
}

async function retireOld(
  context: Context,
  old: Hook,
  how: 'suspend' | 'delete',
  successor: string,
): Promise<boolean> {
  if (!old.raw) return true;
  if (how === 'delete') {
    await deleteOne(context, old);
    return true;
  }
  const text = `secret rotated: ${successor} delivers in its place`;
  const note = { text, by: () => currentUserName(context) };
  if (old.record.status === 'Suspended') await learnStatus(context, old, false, note);
  else
    await setStatus(context, old, { to: 'Suspended', effect: 'Its successor delivers in its place.', note });
  await (await context.webhookRecords()).save();
  return false;
}

export async function matchStatus(context: Context, successor: Hook, to: WebhookStatus): Promise<Hook> {
  if (successor.record.status === to) return successor;
  const effect = 'The webhook that it replaces was suspended too.';
  const after = await sendStatus(context, successor, to === 'Active' ? { to } : { to, effect });
  await (await context.webhookRecords()).observe([after], true);
  return after;
}

/** `name`: the webhook's id, or another name under which its secret is stored. */
export async function removeStored(context: Context, name: string): Promise<void> {
  // Without a keychain nothing was stored, and nothing needs removing.
  if ((await readStoredSecret(context, name)) === undefined) return;
  await (await openSecretPlace(context, name)).remove();
}
