// The plan of a rotation: its steps in words, those that are done marked; and its requests for --dry-run and --curl.

import { operations } from '../../../contract/operation.ts';
import type { Context } from '../../context.ts';
import { formatLocalTime } from '../../local-time.ts';
import { createRequestFormatter } from '../../send.ts';
import type { RotationState } from '../../webhook-records/local-webhook.ts';
import { withCreateRequest } from '../create/create-request.ts';
import { describeEvents, describeFilters, noTitles, scopeOf } from '../display/coverage.ts';
import { describeHook, type Hook } from '../hook.ts';
import { acceptBoth } from './check-receiver.ts';
import { fromCreatedAs } from './rotation.ts';

export interface Plan {
  readonly old: Hook;
  /** As recorded, or as it would be. */
  readonly state: Pick<RotationState, 'settings' | 'old' | 'wasActive'>;
}

export function describePlan({ old, state }: Plan): readonly string[] {
  const { createSent, successor } = old.local?.rotation ?? {};
  const { id } = old.record;
  const { settings, wasActive } = state;
  const { hookUrl, folderId } = settings;
  const record = { id, hookUrl, ...(folderId === undefined ? {} : { folderId }) };
  const filters = describeFilters(settings, noTitles);
  const covers = [
    scopeOf(record, noTitles, settings),
    describeEvents(record, settings),
    ...(filters ? [filters] : []),
  ];
  const doneBy = successor ?? (createSent ? 'the request was sent' : undefined);
  return [
    `Rotate the secret of ${describeHook(old.raw ? old : { record, local: old.local })}:`,
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

/** Stands for the id of the webhook that the first request creates. */
const newId = 'NEW_ID';

export async function printPlan(context: Context, plan: Plan): Promise<void> {
  const { common, report } = context;
  const { old, state } = plan;
  const { id } = old.record;
  const successor = old.local?.rotation?.successor;
  const format = await createRequestFormatter(context);
  const { create, scope } = fromCreatedAs(state.settings);
  const setStatus = (webhookId: string) =>
    format(operations.updateWebhook, { webhookId }, { status: 'Suspended' });
  const requests = [
    ...(successor === undefined ? [withCreateRequest(scope, { ...create, secret: '' }, format)] : []),
    ...(state.wasActive ? [] : [setStatus(successor ?? newId)]),
    ...(old.raw === undefined || (state.old === 'suspend' && !state.wasActive) ? [] : [retire()]),
  ];
  function retire(): string {
    return state.old === 'delete' ? format(operations.deleteWebhook, { webhookId: id }, {}) : setStatus(id);
  }
  if (!common.curl) for (const line of describePlan(plan)) await report.info(line);
  for (const line of requests) await report.line(line);
  if (!common.curl && !report.wantsJson) await report.info('Dry run: nothing was changed.');
}
