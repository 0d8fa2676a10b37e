// Records the progress of a rotation before and after each step, so that a later run can continue. If a record fails, the
// rotation stops: a later run could not tell what was done.

import { join } from 'node:path';
import type { Context } from '#cli/context.ts';
import { lockOutOtherRuns } from '#cli/create-once.ts';
import { commonFlags } from '#cli/flags/common-flags.ts';
import { formatCommandWith, formatRepeatedCommand } from '#cli/format-command.ts';
import { Failure } from '#failure.ts';
import type { LocalWebhook, RotationState } from '#local-records/local-webhook.ts';
import { safeFileName } from '#local-records/monthly-log.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { settingsOf, type WebhookSettings } from '../coverage.ts';
import { toNewWebhook } from '../new-webhook/create-request.ts';
import type { NewWebhook } from '../new-webhook/resolve-scope.ts';
import { secretFlags } from '../secrets/find-secret.ts';
import { verifyFlags } from '../verification/verify-flags.ts';

export const acceptBoth =
  'Let the receiver accept deliveries that are signed with either secret, the old or the new one, until the rotation has ended.';

/** The name of a generated secret in the store until the rotation has ended. No webhook has such an id. */
export const pendingName = (id: string) => `${id} (new secret)`;

type Settings = Pick<RotationState, 'settings'>;

export function successorSettings({ settings }: Settings): WebhookSettings {
  return settingsOf({ record: {}, local: { created: settings } });
}

/** Without the secret. */
export function toSuccessor(state: Settings): NewWebhook {
  return toNewWebhook(state.settings.hookUrl, successorSettings(state));
}

/** Needs only the id: the settings are recorded, and a generated secret is stored. */
export function continueCommand(context: Context, id: string): string {
  const needed = Object.keys({ ...secretFlags, ...verifyFlags, ...commonFlags, verify: true });
  const recorded = [...context.commandLine.rawFlags.keys()].filter((name) => !needed.includes(name));
  return formatRepeatedCommand(context, 'webhook rotate-secret', [id], recorded);
}

export function abortCommand(context: Context, id: string): string {
  return formatCommandWith(context, 'webhook rotate-secret', [id], '--abort');
}

/** Until the command ends: otherwise --abort could delete the successor while another run suspends the old webhook. */
export async function lockRotation(context: Context, id: string): Promise<void> {
  const folder = join(context.world.files.stateFolder, 'webhooks');
  // Ids that begin with the same 100 characters wait for each other, which does no harm.
  const name = safeFileName(id).slice(0, 100);
  await lockOutOtherRuns(context, join(folder, `rotate-${name}.lock`), 'successors');
}

/** Reads the recorded state again: another run may have changed it. Throws if another run has ended the rotation. */
export async function readState(context: Context, id: string): Promise<RotationState> {
  return assertUnderWay(id, (await (await context.webhookRecords()).read()).get(id));
}

/** Changes the recorded state and returns it. Throws if another run has ended the rotation. */
export async function changeState(
  context: Context,
  id: string,
  change: (state: RotationState) => RotationState,
): Promise<RotationState> {
  return recordState(context, id, (record) => change(assertUnderWay(id, record)));
}

/** Like {@link changeState}, and may begin a rotation. */
export async function recordState(
  context: Context,
  id: string,
  toState: (record: LocalWebhook | undefined) => RotationState,
): Promise<RotationState> {
  const records = await context.webhookRecords();
  let state: RotationState | undefined;
  await records.change([id], (record) => {
    const { replacedBy: _, ...rest } = record ?? {};
    state = toState(record);
    return { ...rest, rotation: state };
  });
  return state ?? toState(undefined);
}

function assertUnderWay(id: string, record: LocalWebhook | undefined): RotationState {
  if (record?.rotation) return record.rotation;
  throw new Failure('other', {
    message: `The rotation of webhook ${id} has already ended`,
    why: 'another wm ended it',
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
export async function recordEnd(context: Context, id: string, successor: string, isDeleted: boolean) {
  const at = new Date(context.world.clock.now()).toISOString();
  await (await context.webhookRecords()).change([id, successor], (record = {}, recordId, records) => {
    const { rotation, label } = records.get(id) ?? {};
    if (!rotation) return record;
    const from = record.replaces?.from ?? at;
    const replaces = { id, from, ...(rotation.wasActive ? { to: at } : {}) };
    if (recordId === successor) return { ...record, ...omitUndefined({ label }), replaces };
    const { rotation: _, label: _moved, ...rest } = record;
    return isDeleted ? undefined : { ...rest, replacedBy: { id: successor, at } };
  });
}
