// Records the progress of a rotation before and after each step, so that a later run can continue. If a record fails, the
// rotation stops: a later run could not tell what was done.

import type { Context } from '#cli/context.ts';
import type { LocalWebhook, RotationState } from '#cli/local-webhook.ts';

export async function recordState(
  context: Context,
  id: string,
  change: (state: RotationState | undefined) => RotationState,
): Promise<RotationState> {
  let after: RotationState | undefined;
  await (await context.webhookRecords()).change([id], (known) => {
    const { replacedBy: _, ...rest } = known ?? {};
    after = change(known?.rotation);
    return { ...rest, rotation: after };
  });
  return after ?? change(undefined);
}

/**
 * Claims the right to send the request for the successor. Undefined if another run has claimed it, or has ended the
 * rotation.
 */
export async function claimCreate(
  context: Context,
  id: string,
  before: readonly string[],
): Promise<string | undefined> {
  const at = new Date(context.world.clock.now()).toISOString();
  let isClaimed = false;
  await (await context.webhookRecords()).change([id], (known) => {
    if (!known?.rotation || known.rotation.createSent !== undefined) return known;
    isClaimed = true;
    return { ...known, rotation: { ...known.rotation, createSent: { at, before } } };
  });
  return isClaimed ? at : undefined;
}

/** Allows another request: the last one certainly created nothing, or its webhook is gone. */
export async function dropClaim(context: Context, id: string): Promise<void> {
  await (await context.webhookRecords()).change([id], (known) => {
    if (!known?.rotation) return known;
    const { createSent: _, successor: _gone, ...rotation } = known.rotation;
    return { ...known, rotation };
  });
}

/** Writes both records at once. */
export async function recordSuccessor(context: Context, id: string, successor: string): Promise<void> {
  const at = new Date(context.world.clock.now()).toISOString();
  await (await context.webhookRecords()).change([id, successor], (known, which, all) => {
    const old = all.get(id);
    if (!old?.rotation) return known;
    const { rotation, note } = old;
    if (which === id) return { ...known, rotation: { ...rotation, successor } };
    return {
      ...known,
      // The note explains the suspension, and the successor will be suspended too.
      ...(note && !rotation.wasActive ? { note } : {}),
      created: { ...rotation.settings, at, signed: true },
      replaces: { id, from: rotation.createSent?.at ?? at },
    };
  });
}

/** The last step: moves the label and ends the rotation. `isDeleted`: the old webhook was deleted. */
export async function recordEnd(
  context: Context,
  {
    id,
    successor,
    isDeleted,
  }: { readonly id: string; readonly successor: string; readonly isDeleted: boolean },
): Promise<void> {
  const at = new Date(context.world.clock.now()).toISOString();
  await (await context.webhookRecords()).change(
    [id, successor],
    (known, which, all): LocalWebhook | undefined => {
      const old = all.get(id);
      const { rotation, label } = old ?? {};
      if (!rotation) return known;
      if (which === id) {
        const { rotation: _, label: _moved, ...rest } = known ?? {};
        return isDeleted ? undefined : { ...rest, replacedBy: { id: successor, at } };
      }
      const { replaces } = known ?? {};
      const from = replaces?.from ?? at;
      return {
        ...known,
        ...(label === undefined ? {} : { label }),
        replaces: { id, from, ...(rotation.wasActive ? { to: at } : {}) },
      };
    },
  );
}

/** Removes the records of the rotation, after `successor` was deleted. */
export async function recordAbort(
  context: Context,
  id: string,
  successor: string | undefined,
): Promise<void> {
  const ids = successor === undefined ? [id] : [id, successor];
  await (await context.webhookRecords()).change(ids, (known, which) => {
    if (which !== id) return undefined;
    const { rotation: _, ...rest } = known ?? {};
    return rest;
  });
}
