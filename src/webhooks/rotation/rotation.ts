// The state of a running rotation that its steps share, and the commands that continue or abort it.

import type { Context } from '#cli/context.ts';
import { commonFlags } from '#cli/flags/common-flags.ts';
import { formatCommandWith, formatRepeatedCommand } from '#cli/format-command.ts';
import { formatLocalTime } from '#cli/local-time.ts';
import type { RotationState } from '#cli/local-webhook.ts';
import { Failure } from '#failure.ts';
import {
  describeEvents,
  describeFilters,
  noTitles,
  scopeOf,
  settingsOf,
  type WebhookSettings,
} from '../coverage.ts';
import { newId, printRequests, toNewWebhook } from '../new-webhook/create-request.ts';
import type { NewWebhook } from '../new-webhook/resolve-scope.ts';
import { describeHook, type Hook } from '../records/hook.ts';
import { secretFlags } from '../secrets/find-secret.ts';
import { type VerifyOptions, verifyFlags } from '../verification/verify-flags.ts';

export const acceptBoth =
  'Let the receiver accept deliveries that are signed with either secret, the old or the new one, until the rotation has ended.';

export interface Rotation {
  /** The webhook whose secret is rotated; only named if it no longer exists. */
  readonly old: Hook;
  readonly secret: string;
  readonly verify: VerifyOptions | undefined;
  /** The command that continues the rotation, for hints. */
  readonly again: string;
}

function successorSettings({ settings }: Pick<RotationState, 'settings'>): WebhookSettings {
  return settingsOf({ record: {}, local: { created: settings } });
}

/** Without the secret. */
export function toSuccessor(state: Pick<RotationState, 'settings'>): NewWebhook {
  return toNewWebhook(state.settings.hookUrl, successorSettings(state));
}

/** Reads the recorded state again: another run may have changed it. Throws if another run has ended the rotation. */
export async function readState(context: Context, id: string): Promise<RotationState> {
  const records = await context.webhookRecords();
  const state = (await records.read()).get(id)?.rotation;
  if (!state) throw endedElsewhere(id);
  return state;
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

export function endedElsewhere(id: string): Failure {
  return new Failure('other', {
    message: `The rotation of webhook ${id} has already ended`,
    why: 'another wm ended it',
  });
}

export interface Plan {
  readonly old: Hook;
  /** The recorded state, or the one that a dry run would record. */
  readonly state: Pick<RotationState, 'settings' | 'old' | 'wasActive'>;
}

export function describePlan({ old, state }: Plan): readonly string[] {
  const { createSent, successor } = old.local?.rotation ?? {};
  const { id } = old.record;
  const { wasActive } = state;
  const settings = successorSettings(state);
  const filters = describeFilters(settings, noTitles);
  const covers = [scopeOf(settings), describeEvents(settings), ...(filters ? [filters] : [])];
  const named = { record: { id, hookUrl: state.settings.hookUrl }, local: old.local };
  const doneBy = successor ?? (createSent ? 'the request was sent' : undefined);
  return [
    `Rotate the secret of ${describeHook(old.raw ? old : named)}:`,
    `  1. The receiver learns the new secret. ${acceptBoth}`,
    `  2. wm creates a successor with the new secret: same URL; ${covers.join('; ')}.${doneBy === undefined ? '' : ` Done: ${doneBy}.`}`,
    '     Before that, the service asks the receiver for proof that it knows the new secret.',
    '  3. wm sends the receiver samples that are signed with the new secret.',
    `  4. wm ${state.old === 'delete' ? 'deletes' : 'suspends'} the old webhook ${id}.${old.raw ? '' : ' Done.'}`,
    wasActive
      ? `From step 2 to step 4 both deliver, so that no event is lost: each arrives twice.${createSent ? ` That began at ${formatLocalTime(Date.parse(createSent.at))}.` : ''}`
      : 'The old webhook is suspended, so its successor is suspended as well.',
  ];
}

export async function printPlan(context: Context, plan: Plan): Promise<undefined> {
  const { old, state } = plan;
  const { id } = old.record;
  const successor = old.local?.rotation?.successor;
  const webhook = { ...toSuccessor(state), secret: 'printed as a variable' };
  if (!context.common.curl) for (const line of describePlan(plan)) await context.report.info(line);
  await printRequests(context, ({ create, setStatus, remove }) => {
    const retire = () => (state.old === 'delete' ? remove(id) : setStatus(id, 'Suspended'));
    return [
      ...(successor === undefined ? [create(webhook)] : []),
      ...(state.wasActive ? [] : [setStatus(successor ?? newId, 'Suspended')]),
      ...(old.raw === undefined || (state.old === 'suspend' && !state.wasActive) ? [] : [retire()]),
    ];
  });
}
