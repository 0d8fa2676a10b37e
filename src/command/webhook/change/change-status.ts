// Suspends or resumes a webhook: the steps are the same. In an incident, certainty matters: the account is shown before,
// and the status is read back after, whatever the response was.

import { prepareRequest } from '../../../client/session.ts';
import { operations } from '../../../contract/operation.ts';
import type { Webhook, WebhookStatus } from '../../../contract/webhook.ts';
import { errorMessage, Failure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { type FormatContext, formatCommandWith, formatConfirmedCommand } from '../../format-command.ts';
import { printIfDryRun } from '../../send.ts';
import { webhookColumns } from '../display/columns.ts';
import { type ReadWebhook, readWebhook } from '../select/read-webhook.ts';
import { type ChangeWords, capitalize, confirmTargets, describeWebhook } from './confirm.ts';

export interface StatusChange extends ChangeWords {
  readonly to: WebhookStatus;
  /** What is true afterwards, for a person. */
  readonly effect: string;
  readonly asks: boolean;
}

export async function changeStatus(context: Context, id: string, change: StatusChange): Promise<void> {
  const { to, verb } = change;
  const parameters = { status: to };
  if (await printIfDryRun(context, operations.updateWebhook, { webhookId: id }, parameters)) return;

  prepareRequest(operations.updateWebhook, { webhookId: id }, parameters);
  const before = await readBefore(context, id);
  if (before?.record.status === to) return show(context, await reportUnchanged(context, before, change));
  if (change.asks) await confirmTargets(context, verb, [{ id, record: before?.record }]);
  context.onInterruptHint(() => formatNextCommands(context, verb, [id], [id]));
  return show(context, await makeChange(context, id, before, change));
}

/** Says that there is nothing to change. */
export async function reportUnchanged(
  context: Context,
  seen: ReadWebhook,
  { to }: StatusChange,
): Promise<ReadWebhook> {
  const name = describeWebhook({ id: seen.record.id, record: seen.record }).replace(/^webhook/, 'Webhook');
  await context.report.info(`${name} is already ${to}. Nothing was changed.`);
  return seen;
}

/**
 * Nothing, once that was said, where the service or the network fails to show it: a service in trouble is when somebody
 * must stop webhooks, and it may still do that.
 */
export async function readBefore(context: Context, id: string): Promise<ReadWebhook | undefined> {
  try {
    return await readWebhook(context, id);
  } catch (error) {
    if (!(error instanceof Failure) || error.meaning.retry !== 'soon') throw error;
    await context.report.warn(`Webhook ${id} could not be read beforehand: ${error.sentence}`);
    return undefined;
  }
}

/** Sends it and reads it back; says so. */
export async function makeChange(
  context: Context,
  id: string,
  before: ReadWebhook | undefined,
  change: StatusChange,
): Promise<ReadWebhook> {
  const { to, verb, done } = change;
  const parameters = { status: to };
  const session = await context.session();
  const sent = await session
    .send(operations.updateWebhook, { webhookId: id }, parameters)
    .catch((error: unknown) => {
      // Whether it was done is what reading back will tell.
      if (error instanceof Failure && error.code === 'outcome_unknown') return error;
      throw error;
    });
  const after = await readWebhook(context, id).catch((error: unknown) => {
    const whom = webhookSubject(id, before?.record);
    if (sent instanceof Failure) throw unknownOutcome(context, id, verb, `${whom}: ${sentOnly}`, sent);
    const named = sent.records.some((webhook) => webhook.id === id && webhook.status === to);
    throw unknownOutcome(
      context,
      id,
      verb,
      `${whom}: ${named ? `the service responded that it is ${to}, but its status` : sentOnly}`,
      error,
    );
  });
  if (after.record.status !== to) throw notChanged(context, id, change, after.record, sent);
  if (sent instanceof Failure) await (await context.history()).settle(id);
  const name = describeWebhook({ id, record: after.record });
  await context.report.info(`${capitalize(done)}: ${name}, read back from the service. ${change.effect}`);
  return after;
}

/** As an error names it: `Webhook IEAAAAAQJAAAAAAB (https://hooks.example.com/billing)`. */
export function webhookSubject(id: string, record: Webhook | undefined): string {
  return `Webhook ${id}${record?.hookUrl === undefined ? '' : ` (${record.hookUrl})`}`;
}

/** The commands that show some webhooks, and repeat the change of some. */
export function formatNextCommands(
  given: FormatContext,
  verb: string,
  see: readonly string[],
  repeat: readonly string[],
): string {
  return [
    ...(see.length > 0
      ? [
          `To see ${see.length === 1 ? 'its' : 'their'} status: ${formatCommandWith(given, 'webhook get', see)}`,
        ]
      : []),
    ...(repeat.length > 0
      ? [`It is safe to repeat: ${formatConfirmedCommand(given, `webhook ${verb}`, repeat)}`]
      : []),
  ].join('\n');
}

async function show(context: Context, { record, raw }: ReadWebhook): Promise<void> {
  await context.report.each({ columns: webhookColumns, records: [record], raw: [raw] });
}

const sentOnly = 'the change was sent, but its status';

function unknownOutcome(context: Context, id: string, verb: string, known: string, cause: unknown): Failure {
  return new Failure('outcome_unknown', {
    message: `${known} could not be read back`,
    why: errorMessage(cause),
    hint: formatNextCommands(context, verb, [id], [id]),
    cause,
  });
}

function notChanged(
  context: Context,
  id: string,
  { to, verb }: StatusChange,
  after: Webhook,
  sent: unknown,
): Failure {
  const status = after.status ?? 'without a status';
  if (sent instanceof Failure) {
    return new Failure('outcome_unknown', {
      message: `${webhookSubject(id, after)} is still ${status}, and the change to ${to} may yet take effect`,
      why: sent.why,
      hint: formatNextCommands(context, verb, [id], [id]),
      cause: sent,
    });
  }
  return new Failure('bad_response', {
    message: `${webhookSubject(id, after)} is ${status}, not ${to}`,
    why: 'the service accepted the change but did not apply it',
    hint: `Try again: ${formatConfirmedCommand(context, `webhook ${verb}`, [id])}`,
  });
}
