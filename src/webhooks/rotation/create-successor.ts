// Creates the successor of a webhook exactly once: the request is recorded before it is sent, and after an unknown outcome wm
// searches for the webhook that it created.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import type { RotationState } from '#cli/local-webhook.ts';
import { commandHint, Failure } from '#failure.ts';
import { findCreated, withCreateRequest } from '../new-webhook/create-request.ts';
import { type Hook, isSameUrl, listAllHooks, readHookIfThere, toHooks } from '../records/hook.ts';
import { requireAccepting } from './check-receiver.ts';
import { claimCreate, dropClaim, recordSuccessor } from './record-rotation.ts';
import { abortCommand, acceptBoth, type Rotation, readState, toSuccessor } from './rotation.ts';

/** The successor, created by this run or an earlier one. */
export async function ensureSuccessor(context: Context, rotation: Rotation): Promise<Hook> {
  const { id } = rotation.old.record;
  let isAccepted = false;
  for (;;) {
    const state = await readState(context, id);
    const existing = await findExisting(context, id, state);
    if (existing) return existing;
    if (state.createSent || state.successor !== undefined) {
      await dropClaim(context, id);
      continue;
    }
    const { hookUrl: url } = state.settings;
    const target = { url, webhookId: id, events: toSuccessor(state).events };
    if (!isAccepted) await requireAccepting(context, rotation, target, 'no successor was created', true);
    isAccepted = true;
    const created = await create(context, rotation, state);
    if (created) return created;
  }
}

async function findExisting(context: Context, id: string, state: RotationState): Promise<Hook | undefined> {
  const { successor } = state;
  const hook = await awaitSuccessor(context, state);
  if (!hook && successor !== undefined)
    await context.report.warn(`The successor ${successor} no longer exists.`);
  if (hook && successor === undefined) {
    await context.report.info(
      `The service lists the successor that an earlier request created: ${hook.record.id}`,
    );
    await recordSuccessor(context, id, hook.record.id);
  }
  return hook;
}

async function create(
  context: Context,
  { old, secret, again }: Rotation,
  state: RotationState,
): Promise<Hook | undefined> {
  const { id } = old.record;
  const { settings, wasActive } = state;
  const webhook = { ...toSuccessor(state), secret };
  const listed = await listAllHooks(context, purpose);
  const before = listed
    .filter(({ record }) => isSameUrl(record.hookUrl, settings.hookUrl))
    .map(({ record }) => record.id);
  const at = await claimCreate(context, id, before);
  if (at === undefined) return undefined;
  const session = await context.session();
  const created = await withCreateRequest(webhook, (operation, path, parameters) =>
    session.send(operation, path, parameters),
  )
    .then(async (response) => (await toHooks(context, response))[0])
    .catch((error: unknown) =>
      afterFailure(context, id, { settings, createSent: { at, before } }, { error, again }),
    );
  if (created === undefined)
    throw new Failure('outcome_unknown', { message: 'The service named no webhook as the successor' });
  await recordSuccessor(context, id, created.record.id);
  await context.report.info(
    `Created: the successor ${created.record.id}.${wasActive ? ' From now on both deliver.' : ''}`,
  );
  return created;
}

async function afterFailure(
  context: Context,
  id: string,
  state: Sent,
  { error, again }: { readonly error: unknown; readonly again: string },
): Promise<Hook> {
  if (!(error instanceof Failure)) throw error;
  if (error.meaning.changed === 'no') {
    await dropClaim(context, id);
    if (error.code !== 'rejected') throw error;
    throw error.with({
      why: [error.why, 'no successor was created'].filter(Boolean).join('; '),
      hint: [
        error.hint,
        'Before it creates a webhook, the service asks the receiver for proof that it knows the secret.',
        acceptBoth,
        `Then continue: ${again}`,
        `To begin anew, with other flags: ${abortCommand(context, id)}`,
      ]
        .filter(Boolean)
        .join('\n'),
    });
  }
  const successor = await findSuccessor(context, state).catch(() => undefined);
  if (successor) {
    await context.report.warn('The response to the request for the successor was lost.');
    return successor;
  }
  throw error.with({
    message:
      'The outcome of creating the successor is unknown: the request was sent, but no usable response came',
    hint: `To look for it, and continue: ${again}`,
  });
}

/** How long a request may take to create the webhook: it includes the handshake with a slow receiver. */
const leastSettleMs = 60_000;
const lookAgainMs = 5000;

type Sent = Pick<RotationState, 'settings' | 'createSent' | 'successor'>;

const purpose = 'tell whether there is a successor';

/** The recorded successor, or else the webhook that the request created. Undefined if there is none so far. Throws if several fit. */
export async function findSuccessor(context: Context, state: Sent): Promise<Hook | undefined> {
  if (state.successor !== undefined) return readHookIfThere(context, state.successor);
  if (!state.createSent) return undefined;
  const before = new Set(state.createSent.before);
  const candidates = findCreated(await listAllHooks(context, purpose), before, toSuccessor(state));
  if (candidates.length <= 1) return candidates[0];
  const ids = candidates.map(({ record }) => record.id);
  throw new Failure('outcome_unknown', {
    message: `${candidates.length} webhooks could be the successor: ${ids.join(', ')}`,
    why: 'they were created since the rotation began, for the same URL',
    hint: commandHint(
      'Delete the others, then run the command again: ',
      formatCommandWith(context, 'webhook get', ids),
    ),
  });
}

/** Like {@link findSuccessor}, but waits until the request can no longer create one before it returns undefined. */
export async function awaitSuccessor(context: Context, state: Sent): Promise<Hook | undefined> {
  const { clock } = context.world;
  const settleMs = Math.max(leastSettleMs, 2 * context.timeoutMs);
  const sentAgo = clock.now() - Date.parse(state.createSent?.at ?? '');
  // The clock may have changed since.
  const end = clock.monotonic() + Math.min(settleMs, settleMs - sentAgo);
  let isAnnounced = false;
  for (;;) {
    const successor = await findSuccessor(context, state);
    const remainingMs = end - clock.monotonic();
    if (successor || state.successor !== undefined || !(remainingMs > 0)) return successor;
    if (!isAnnounced)
      await context.report.info(
        `An earlier run sent the request that creates the successor, and it may still take effect. Looking for the successor for ${Math.ceil(remainingMs / 1000)} s.`,
      );
    isAnnounced = true;
    await clock.sleep(Math.min(remainingMs, lookAgainMs));
  }
}
