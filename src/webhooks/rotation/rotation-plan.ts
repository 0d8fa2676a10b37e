// What a rotation will do, in words for its confirmation and as requests for a dry run.

import type { Context } from '#cli/context.ts';
import { formatLocalTime } from '#dates/local-time.ts';
import type { RotationState } from '#local-records/local-webhook.ts';
import { describeEvents, describeFilters, noTitles, scopeOf } from '../coverage.ts';
import { newId, printRequests } from '../new-webhook/create-request.ts';
import { describeHook, type Hook } from '../records/hook.ts';
import { acceptBoth, successorSettings, toSuccessor } from './rotation-state.ts';

export interface Plan {
  /** The webhook whose secret is rotated; only named if it no longer exists. */
  readonly old: Hook;
  /** The recorded state, or the one that a dry run would record. */
  readonly state: Pick<RotationState, 'settings' | 'old' | 'wasActive'>;
  /** The id of the recorded successor, if it still exists. */
  readonly successor: string | undefined;
}

export function describePlan({ old, state, successor }: Plan): readonly string[] {
  const { createSent, successor: recorded } = old.local?.rotation ?? {};
  const isGone = recorded !== undefined && successor === undefined;
  const sent = isGone ? undefined : createSent;
  const { id } = old.record;
  const settings = successorSettings(state);
  const filters = describeFilters(settings, noTitles);
  const covers = [scopeOf(settings), describeEvents(settings), ...(filters ? [filters] : [])];
  const named = { record: { id, hookUrl: state.settings.hookUrl }, local: old.local };
  const doneBy = successor ?? (sent && 'the request was sent');
  const gone = isGone ? ` The last one, ${recorded}, no longer exists.` : '';
  const began = sent ? ` That began at ${formatLocalTime(Date.parse(sent.at))}.` : '';
  return [
    `Rotate the secret of ${describeHook(old.raw ? old : named)}:`,
    `  1. The receiver learns the new secret. ${acceptBoth}`,
    `  2. wm creates a successor with the new secret: same URL; ${covers.join('; ')}.${doneBy ? ` Done: ${doneBy}.` : gone}`,
    '     Before that, the service asks the receiver for proof that it knows the new secret.',
    '  3. wm sends the receiver samples that are signed with the new secret.',
    `  4. wm ${state.old}s the old webhook ${id}.${old.raw ? '' : ' Done.'}`,
    state.wasActive
      ? `From step 2 to step 4 both deliver, so that no event is lost: each arrives twice.${began}`
      : 'The old webhook is suspended, so its successor is suspended as well.',
  ];
}

export async function printPlan(context: Context, plan: Plan): Promise<undefined> {
  const { old, state, successor } = plan;
  const { id } = old.record;
  const webhook = { ...toSuccessor(state), secret: 'printed as a variable' };
  if (!context.common.curl) for (const line of describePlan(plan)) await context.report.info(line);
  await printRequests(context, ({ create, setStatus, remove }) => [
    ...(successor === undefined ? [create(webhook)] : []),
    ...(state.wasActive ? [] : [setStatus(successor ?? newId, 'Suspended')]),
    ...(old.raw && state.old === 'delete' ? [remove(id)] : []),
    ...(old.raw && state.old === 'suspend' && state.wasActive ? [setStatus(id, 'Suspended')] : []),
  ]);
}
