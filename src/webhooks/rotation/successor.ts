// Creates the successor of a webhook exactly once: the request is recorded before it is sent, and after an unknown outcome wm
// searches for the webhook that it created. The receiver must accept the new secret first.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { commandHint, Failure } from '#failure.ts';
import type { RotationState } from '#local-records/local-webhook.ts';
import { findCreated, requestCreate } from '../new-webhook/create-request.ts';
import { type Hook, isSameUrl, listAllHooks, readHookIfThere } from '../records/hook.ts';
import { removeSecrets } from '../secrets/remove-secrets.ts';
import { preventsDelivery } from '../verification/handshake-checks.ts';
import type { VerifyOptions, VerifyTarget } from '../verification/verify-flags.ts';
import { verifyReceiver } from '../verification/verify-receiver.ts';
import {
  abortCommand,
  acceptBoth,
  changeState,
  readState,
  recordSuccessor,
  toSuccessor,
} from './rotation-state.ts';

export interface Rotation {
  /** The webhook whose secret is rotated; only named if it no longer exists. */
  readonly old: Hook;
  readonly secret: string;
  readonly verify: VerifyOptions | undefined;
  /** The command that continues the rotation, for hints. */
  readonly again: string;
}

/** The successor, created by this run or an earlier one. */
export async function ensureSuccessor(context: Context, rotation: Rotation): Promise<Hook> {
  const { id } = rotation.old.record;
  let isAccepted = false;
  for (;;) {
    const state = await readState(context, id);
    const { successor, createSent, settings } = state;
    const existing = await awaitSuccessor(context, state);
    if (existing && successor === undefined) {
      await context.report.info(
        `The service lists the successor that an earlier request created: ${existing.record.id}`,
      );
      await recordSuccessor(context, id, existing.record.id);
    }
    if (existing) return existing;
    if (successor !== undefined) {
      await context.report.warn(`The successor ${successor} no longer exists.`);
      await removeSecrets(context, [{ id: successor }]);
      await (await context.webhookRecords()).change([successor], () => undefined);
    }
    if (createSent ?? successor) await allowCreate(context, id, state);
    const target = { url: settings.hookUrl, webhookId: id, events: toSuccessor(state).events };
    if (!isAccepted)
      await requireAccepting(context, rotation, target, {
        progress: 'no successor was created',
        isShort: true,
      });
    isAccepted = true;
    const created = await create(context, rotation, state);
    if (created) return created;
  }
}

/** Undefined if another run has sent the request. */
async function create(context: Context, { old, secret, again }: Rotation, state: RotationState) {
  const { id } = old.record;
  const { settings, wasActive } = state;
  const listed = await listAllHooks(context, purpose);
  const before = listed
    .filter(({ record }) => isSameUrl(record.hookUrl, settings.hookUrl))
    .map(({ record }) => record.id);
  const createSent = { at: new Date(context.world.clock.now()).toISOString(), before };
  const claimed = await changeState(context, id, (last) => ({ createSent, ...last }));
  if (claimed.createSent !== createSent) return undefined;
  const webhook = { ...toSuccessor(state), secret };
  const hooks = await requestCreate(context, webhook, new Set(before)).catch(async (error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    if (error.code === 'outcome_unknown')
      throw error.with({
        message:
          'The outcome of creating the successor is unknown: the request was sent, but no usable response came',
        hint: `To look for it, and continue: ${again}`,
      });
    await allowCreate(context, id, claimed);
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
  });
  const [created] = hooks ?? [];
  if (!created)
    throw new Failure('outcome_unknown', { message: 'The service named no webhook as the successor' });
  await recordSuccessor(context, id, created.record.id);
  await context.report.info(
    `Created: the successor ${created.record.id}.${wasActive ? ' From now on both deliver.' : ''}`,
  );
  return created;
}

/** Allows another request: that of `known` certainly created nothing, or its webhook is gone. Another run may have sent one since. */
async function allowCreate(context: Context, id: string, known: RotationState): Promise<void> {
  await changeState(context, id, (state) => {
    const { createSent, successor, ...rest } = state;
    return createSent?.at === known.createSent?.at && successor === known.successor ? rest : state;
  });
}

/** How long a request may take to create the webhook: it includes the handshake with a slow receiver. */
const leastSettleMs = 60_000;
const lookAgainMs = 5000;

const purpose = 'tell whether there is a successor';

/** The recorded successor, or else the webhook that the request created. Undefined if there is none so far. Throws if several fit. */
export async function findSuccessor(context: Context, state: RotationState): Promise<Hook | undefined> {
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
export async function awaitSuccessor(context: Context, state: RotationState): Promise<Hook | undefined> {
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

/** Returns once no check fails; on a terminal the user says when to check again. `progress`: what the rotation has done so far. */
export async function requireAccepting(
  context: Context,
  { secret, verify, again }: Rotation,
  target: Pick<VerifyTarget, 'url' | 'webhookId' | 'events'>,
  { progress, isShort = false }: { readonly progress: string; readonly isShort?: boolean },
): Promise<void> {
  if (!verify) return;
  const { canPrompt, common, report } = context;
  for (;;) {
    const signed = { ...target, secret, isSigned: true };
    const bad = (await verifyReceiver(context, signed, { ...verify, isShort })).filter(preventsDelivery);
    const [first] = bad;
    if (first === undefined) return;
    const failure = new Failure('check_failed', {
      message: `The receiver does not accept the new secret: ${bad.map(({ check }) => check).join(', ')}`,
      why: [first.why, progress].filter(Boolean).join('; '),
      hint: [
        ...(first.fix === undefined ? [] : [first.fix]),
        acceptBoth,
        `Then continue: ${again}`,
        'If the receiver cannot be checked from here, add --no-verify.',
      ].join('\n'),
    });
    if (common.yes || !canPrompt) throw failure;
    for (const { check, why = '', fix } of bad)
      await report.warn(`  ${check}: ${why}.${fix === undefined ? '' : ` ${fix}`}`);
    await report.warn(acceptBoth);
    const isReady = await context.prompt('--yes', (prompt) => prompt.confirm('Check the receiver again?'));
    if (!isReady) throw failure;
  }
}
