// The last step of a rotation that reaches the service: the old webhook is suspended, or deleted.

import type { Context } from '../../context.ts';
import { currentUserName } from '../../current-user.ts';
import { makeChange, type StatusChange } from '../change/change-status.ts';
import { deleteOne } from '../change/delete-one.ts';
import { recordStatuses } from '../change/record-changes.ts';
import { readLocalWebhooks } from '../local/local-webhooks.ts';
import { observeWebhooks } from '../local/observe.ts';
import { readStoredSecret } from '../secret/find-secret.ts';
import { openSecretPlace } from '../secret/secret-place.ts';
import type { ReadWebhook } from '../select/read-webhook.ts';
import type { OldWebhook } from './rotation.ts';

const suspending: StatusChange = {
  to: 'Suspended',
  verb: 'suspend',
  done: 'suspended',
  effect: 'Its successor delivers in its place.',
  asks: false,
};
const suspendingToo: StatusChange = {
  ...suspending,
  effect: 'The webhook that it replaces was suspended too.',
};
const resuming: StatusChange = {
  to: 'Active',
  verb: 'resume',
  done: 'resumed',
  effect: 'Its deliveries start again.',
  asks: false,
};

/** True if it is gone then. */
export async function retireOld(
  context: Context,
  { id, seen }: OldWebhook,
  how: 'suspend' | 'delete',
  successor: string,
): Promise<boolean> {
  if (seen === undefined) return true;
  const local = await readLocalWebhooks(context);
  if (how === 'delete') {
    await deleteOne(context, { id, record: seen.record, local: local.get(id) });
    return true;
  }
  const isSuspended = seen.record.status === 'Suspended';
  const after = isSuspended ? seen : await makeChange(context, id, seen.record, { ...suspending, local });
  const text = `secret rotated: ${successor} delivers in its place`;
  const note = { text, by: () => currentUserName(context) };
  await recordStatuses(context, [{ webhook: after, changed: !isSuspended }], note, local);
  return false;
}

/** The successor gets the status that the old webhook had when the rotation began. */
export async function matchStatus(
  context: Context,
  successor: ReadWebhook,
  to: 'Active' | 'Suspended',
): Promise<ReadWebhook> {
  if (successor.record.status === to) return successor;
  const local = await readLocalWebhooks(context);
  const change = to === 'Active' ? resuming : suspendingToo;
  const after = await makeChange(context, successor.record.id, successor.record, { ...change, local });
  await observeWebhooks(context, [after.record], true, local);
  return after;
}

/** `name`: of a webhook, or of what is stored for one under another name. */
export async function removeStored(context: Context, name: string): Promise<void> {
  // Without a keychain there is none, and that is no error.
  if ((await readStoredSecret(context, name)) === undefined) return;
  const { store, owner } = await openSecretPlace(context, name);
  await store.remove(owner);
}
