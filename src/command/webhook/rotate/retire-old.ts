// The last step of a rotation that reaches the service: the old webhook is suspended, or deleted.

import type { WebhookStatus } from '../../../contract/webhook.ts';
import type { Context } from '../../context.ts';
import { currentUserName } from '../../current-user.ts';
import { learnStatus, sendStatus, setStatus } from '../change/change-status.ts';
import { deleteOne } from '../change/delete-one.ts';
import type { Hook } from '../hook.ts';
import { readStoredSecret } from '../secret/find-secret.ts';
import { openSecretPlace } from '../secret/secret-place.ts';

/** True if it is gone then. */
export async function retireOld(
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

/** The successor gets the status that the old webhook had when the rotation began. */
export async function matchStatus(context: Context, successor: Hook, to: WebhookStatus): Promise<Hook> {
  if (successor.record.status === to) return successor;
  const effect =
    to === 'Active' ? 'Its deliveries start again.' : 'The webhook that it replaces was suspended too.';
  const after = await sendStatus(context, successor, { to, effect });
  await (await context.webhookRecords()).observe([after.record], true);
  return after;
}

/** `name`: of a webhook, or of what is stored for one under another name. */
export async function removeStored(context: Context, name: string): Promise<void> {
  // Without a keychain there is none, and that is no error.
  if ((await readStoredSecret(context, name)) === undefined) return;
  const { store, owner } = await openSecretPlace(context, name);
  await store.remove(owner);
}
