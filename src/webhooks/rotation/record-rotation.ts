// Records the progress of a rotation before and after each step, so that a later run can continue. If a record fails, the
// rotation stops: a later run could not tell what was done.

import type { Context } from '#cli/context.ts';
import type { LocalWebhook, RotationState } from '#cli/local-webhook.ts';
import { omitUndefined } from '#omit-undefined.ts';

export async function recordState(
  context: Context,
  id: string,
  change: (state: RotationState | undefined) => RotationState,
): Promise<RotationState> {
  let after: RotationState | undefined;
  await (await context.webhookRecords()).change([id], (record) => {
    const { replacedBy: _, ...rest } = record ?? {};
    after = change(record?.rotation);
    return { ...rest, rotation: after };
  });
  return after ?? change(undefined);
}

/** Claims the right to create the successor. Undefined if another run has claimed it, or has ended the rotation. */
export async function claimCreate(
  context: Context,
  id: string,
  before: readonly string[],
): Promise<string | undefined> {
  const at = new Date(context.world.clock.now()).toISOString();
  let isClaimed = false;
  await (await context.webhookRecords()).change([id], (record) => {
    if (!record?.rotation || record.rotation.createSent !== undefined) return record;
    isClaimed = true;
    return { ...record, rotation: { ...record.rotation, createSent: { at, before } } };
  });
  return isClaimed ? at : undefined;
}

/** Allows another request: the last one certainly created nothing, or its webhook is gone. */
export async function dropClaim(context: Context, id: string): Promise<void> {
  await (await context.webhookRecords()).change([id], (record) => {
    if (!record?.rotation) return record;
    const { createSent: _, successor: _gone, ...rotation } = record.rotation;
    return { ...record, rotation };
  });
}

/** Writes both records at once. */
export async function recordSuccessor(context: Context, id: string, successor: string): Promise<void> {
  const at = new Date(context.world.clock.now()).toISOString();
  await (await context.webhookRecords()).change([id, successor], (record, recordId, records) => {
    const old = records.get(id);
    if (!old?.rotation) return record;
    const { rotation, note } = old;
    if (recordId === id) return { ...record, rotation: { ...rotation, successor } };
    return {
      ...record,
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
  id: string,
  successor: string,
  isDeleted: boolean,
): Promise<void> {
  const at = new Date(context.world.clock.now()).toISOString();
  await (await context.webhookRecords()).change(
    [id, successor],
    (record, recordId, records): LocalWebhook | undefined => {
      const { rotation, label } = records.get(id) ?? {};
      if (!rotation) return record;
      if (recordId === id) {
        const { rotation: _, label: _moved, ...rest } = record ?? {};
        return isDeleted ? undefined : { ...rest, replacedBy: { id: successor, at } };
      }
      const { replaces } = record ?? {};
      const from = replaces?.from ?? at;
      return {
        ...record,
        ...omitUndefined({ label }),
        replaces: { id, from, ...(rotation.wasActive ? { to: at } : {}) },
      };
    },
  );
}

export async function recordAbort(
  context: Context,
  id: string,
  successor: string | undefined,
): Promise<void> {
  const ids = successor === undefined ? [id] : [id, successor];
  await (await context.webhookRecords()).change(ids, (record, recordId) => {
    if (recordId !== id) return undefined;
    const { rotation: _, ...rest } = record ?? {};
    return rest;
  });
}
