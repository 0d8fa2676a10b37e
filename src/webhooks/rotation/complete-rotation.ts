// Runs the steps of a rotation that change the service, in an order that loses no event. Each step first reads the current
// state, so that a run after a crash continues with the first unfinished step. Aborting deletes the successor instead.

import type { Context } from '#cli/context.ts';
import { currentUserName } from '#cli/current-user.ts';
import { formatCommandWith, formatConfirmedCommand } from '#cli/format-command.ts';
import type { WebhookStatus } from '#contract/webhook.ts';
import { formatLocalTime } from '#dates/local-time.ts';
import { commandHint, type Failure, joinHints, toFailure, usageError } from '#failure.ts';
import type { LocalWebhook } from '#local-records/local-webhook.ts';
import { learnStatus, setStatus, setStatusAndSave } from '../change/change-status.ts';
import { deleteOne } from '../change/delete-one.ts';
import { toReported } from '../columns.ts';
import { settingsOf } from '../coverage.ts';
import { printRequests } from '../new-webhook/create-request.ts';
import { type Hook, readHook } from '../records/hook.ts';
import { readStoredSecret } from '../secrets/find-secret.ts';
import { openSecretPlace, storeSecret } from '../secrets/secret-place.ts';
import { subscribedEvents } from '../verification/verify-flags.ts';
import { pendingName, readState, recordEnd } from './rotation-state.ts';
import {
  awaitSuccessor,
  ensureSuccessor,
  findSuccessor,
  type Rotation,
  requireAccepting,
} from './successor.ts';

export async function completeRotation(context: Context, rotation: Rotation): Promise<void> {
  const { old, secret, again } = rotation;
  const { id: oldId } = old.record;
  (await context.history()).setNote(`rotates the secret of ${oldId}`);
  try {
    const created = await ensureSuccessor(context, rotation);
    const { id } = created.record;
    const { settings, wasActive, ...state } = await readState(context, oldId);
    if (state.storeSecret && (await readStoredSecret(context, id))?.text !== secret)
      await storeSecret(context, id, secret);
    const quiet = wasActive ? created : await matchStatus(context, created, 'Suspended');
    const target = {
      url: quiet.record.hookUrl ?? settings.hookUrl,
      webhookId: id,
      events: subscribedEvents(settingsOf({ ...quiet, local: { created: settings } })),
    };
    const progress = wasActive
      ? `the successor ${id} exists, and the old webhook was not changed: both deliver`
      : `the successor ${id} exists, and is suspended`;
    await requireAccepting(context, rotation, target, { progress });
    // Another person may have deleted it meanwhile, or the last request of a killed --abort.
    const checked = rotation.verify ? await readHook(context, id) : quiet;
    const successor = wasActive ? await matchStatus(context, checked, 'Active') : checked;
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

export async function abortRotation(context: Context, old: Hook): Promise<undefined> {
  const { id } = old.record;
  const state = old.local?.rotation;
  if (!state) throw notUnderWay(context, old);
  if (!old.raw)
    throw usageError(
      `The rotation of webhook ${id} cannot be aborted: the old webhook no longer exists`,
      commandHint('To complete it: ', formatCommandWith(context, 'webhook rotate-secret', [id])),
    );
  const isStopped = state.wasActive && old.record.status === 'Suspended' && state.successor !== undefined;
  if (context.isDryRun) {
    const found = await findSuccessor(context, state);
    return printRequests(context, ({ setStatus, remove }) => [
      ...(isStopped ? [setStatus(id, 'Active')] : []),
      ...(found ? [remove(found.record.id)] : []),
    ]);
  }
  // Waits until no request in flight can still create one.
  const successor = await awaitSuccessor(context, state);
  const resumes = isStopped ? `, and webhook ${id} is resumed` : '';
  await context.report.warn(describeAbort(successor?.record.id, state.successor, resumes));
  await context.confirm(`Abort the rotation of webhook ${id}?`);
  // Resume first, so that one of the two always delivers.
  const resumed = isStopped ? await matchStatus(context, old, 'Active') : old;
  if (successor) await deleteOne(context, successor);
  const gone = successor?.record.id ?? state.successor;
  if (gone !== undefined) await removeStored(context, gone);
  await removeStored(context, pendingName(id));
  const ids = gone === undefined ? [id] : [id, gone];
  await (await context.webhookRecords()).change(ids, ({ rotation: _, ...record } = {}, recordId) =>
    recordId === id ? record : undefined,
  );
  await context.report.info(`Aborted: webhook ${id} has the secret that it had.`);
  await context.report.one(await toReported(context, [resumed]));
}

/** `recorded`: the successor, which may be gone. */
function describeAbort(successor: string | undefined, recorded: string | undefined, resumes: string): string {
  const knowsOld = 'The receiver must still know the old secret.';
  if (successor !== undefined)
    return `The successor ${successor} is deleted for good${resumes && `${resumes} first`}. ${knowsOld}`;
  if (recorded === undefined) return 'The rotation has no successor yet: nothing changes at the service.';
  if (resumes) return `The successor ${recorded} no longer exists${resumes}. ${knowsOld}`;
  return `The successor ${recorded} no longer exists: nothing changes at the service.`;
}

function notUnderWay(context: Context, { record: { id }, local }: Hook): Failure {
  const { replacedBy } = local ?? {};
  const confirmed = (verb: string, of: string) => formatConfirmedCommand(context, `webhook ${verb}`, [of]);
  return usageError(
    `No rotation of the secret of webhook ${id} is under way`,
    replacedBy
      ? joinHints([
          commandHint('It is complete. To go back to the old secret: ', confirmed('resume', id)),
          commandHint('Then: ', confirmed('delete', replacedBy.id)),
        ])
      : commandHint('To begin one: ', formatCommandWith(context, 'webhook rotate-secret', [id])),
  );
}

async function retireOld(context: Context, old: Hook, how: 'suspend' | 'delete', successor: string) {
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

async function matchStatus(context: Context, hook: Hook, to: WebhookStatus): Promise<Hook> {
  if (hook.record.status === to) return hook;
  const effect = 'The webhook that it replaces was suspended too.';
  return setStatusAndSave(context, hook, to === 'Active' ? { to } : { to, effect });
}

export async function removeLeftovers(context: Context, id: string, isDeleted: boolean): Promise<void> {
  await removeStored(context, pendingName(id));
  if (isDeleted) await removeStored(context, id);
}

/** `name`: the webhook's id, or another name under which its secret is stored. */
async function removeStored(context: Context, name: string): Promise<void> {
  // Without a keychain nothing was stored, and nothing needs removing.
  if ((await readStoredSecret(context, name)) === undefined) return;
  await (await openSecretPlace(context, name)).remove();
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
