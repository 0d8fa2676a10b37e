// Suspends or resumes a webhook: the steps are the same. In an incident, certainty matters: the account is shown before,
// and the status is read back after, whatever the response was.

import { prepareRequest } from '../../../client/session.ts';
import { operations } from '../../../contract/operation.ts';
import type { Webhook, WebhookStatus } from '../../../contract/webhook.ts';
import { commandHint, errorMessage, Failure, type Hint, hintText, joinHints } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { type FormatContext, formatCommandWith, formatConfirmedCommand } from '../../format-command.ts';
import { printIfDryRun } from '../../send.ts';
import { noTitles } from '../display/coverage.ts';
import { toReported } from '../display/to-reported.ts';
import type { LocalWebhooks, NewNote } from '../local/local-webhook.ts';
import { observeWebhooks } from '../local/observe.ts';
import { type ReadWebhook, readWebhook } from '../select/read-webhook.ts';
import {
  type ChangeTarget,
  type ChangeWords,
  capitalize,
  confirmTargets,
  describeWebhook,
} from './confirm.ts';
import { showKnownAccount } from './known-account.ts';
import { nameFailure, webhookSubject } from './name-failure.ts';
import { type Recorded, recordStatuses } from './record-changes.ts';

export interface StatusChange extends ChangeWords {
  readonly to: WebhookStatus;
  /** What is true afterwards, for a user. */
  readonly effect: string;
  readonly asks: boolean;
  /** Looks at those that are to be changed, and warns; true if the user must confirm because of that. */
  readonly check?: (targets: readonly ChangeTarget[]) => Promise<boolean>;
}

/** With what this machine knows about the webhooks: names have their labels. */
export interface KnownChange extends StatusChange {
  readonly local: LocalWebhooks;
  /** Why they are suspended. */
  readonly note?: NewNote | undefined;
}

export async function changeStatus(context: Context, id: string, change: KnownChange): Promise<void> {
  const { to, verb } = change;
  const parameters = { status: to };
  if (await printIfDryRun(context, operations.updateWebhook, { webhookId: id }, parameters)) return;

  prepareRequest(operations.updateWebhook, { webhookId: id }, parameters);
  const target = { id, local: change.local.get(id) };
  const before = await nameFailure(target, () => readBefore(context, target));
  const local = before ? await observeWebhooks(context, [before.record], false, change.local) : change.local;
  if (before?.record.status === to) {
    await reportUnchanged(context, before, change);
    return recordAndShow(context, { webhook: before, changed: false }, { ...change, local });
  }
  await checkAndConfirm(context, [{ ...target, record: before?.record, local: local.get(id) }], change);
  context.onInterruptHint(() => hintText(formatNextCommands(context, verb, [id], [id])));
  // Meanwhile; it never rejects.
  void change.note?.by();
  const after = await nameFailure({ ...target, record: before?.record }, () =>
    makeChange(context, id, before?.record, change),
  );
  return recordAndShow(context, { webhook: after, changed: true }, { ...change, local });
}

/** Once for all that will be changed. */
export async function checkAndConfirm(
  context: Context,
  targets: readonly ChangeTarget[],
  { verb, asks, check }: StatusChange,
): Promise<void> {
  const mustConfirm = await check?.(targets);
  if (asks || mustConfirm) return confirmTargets(context, verb, targets);
  const records = targets.flatMap(({ record }) => record ?? []);
  if (targets.length > 0) await showKnownAccount(context, records);
}

async function recordAndShow(
  context: Context,
  recorded: Recorded,
  { note, local }: KnownChange,
): Promise<void> {
  return showWebhooks(context, [recorded.webhook], await recordStatuses(context, [recorded], note, local));
}

/** As they are now, with what this machine knows about them. */
export async function showWebhooks(
  context: Context,
  webhooks: readonly ReadWebhook[],
  local: LocalWebhooks,
): Promise<void> {
  await context.report.each(await toReported(context, webhooks, local, noTitles));
}

/** Says that there is nothing to change. */
export async function reportUnchanged(
  context: Context,
  seen: ReadWebhook,
  { to, local }: KnownChange,
): Promise<ReadWebhook> {
  const { id } = seen.record;
  const name = describeWebhook({ id, record: seen.record, local: local.get(id) }).replace(
    /^webhook/,
    'Webhook',
  );
  await context.report.info(`${name} is already ${to}. Nothing was changed.`);
  return seen;
}

/**
 * Nothing, once that was said, where the service or the network fails to show it: a service in trouble is when somebody
 * must stop webhooks, and it may still do that.
 */
export async function readBefore(context: Context, target: ChangeTarget): Promise<ReadWebhook | undefined> {
  try {
    return await readWebhook(context, target.id);
  } catch (error) {
    if (!(error instanceof Failure) || error.meaning.retry !== 'soon') throw error;
    await context.report.warn(`${webhookSubject(target)} could not be read beforehand: ${error.sentence}`);
    return undefined;
  }
}

/** Sends it and reads it back; says so. */
export async function makeChange(
  context: Context,
  id: string,
  before: Webhook | undefined,
  change: KnownChange,
): Promise<ReadWebhook> {
  const { to, verb, done, local } = change;
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
    const whom = webhookSubject({ id, record: before, local: local.get(id) });
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
  if (after.record.status !== to)
    throw notChanged(context, { id, record: after.record, local: local.get(id) }, change, sent);
  if (sent instanceof Failure) await (await context.history()).settle(id);
  const name = describeWebhook({ id, record: after.record, local: local.get(id) });
  await context.report.info(`${capitalize(done)}: ${name}, read back from the service. ${change.effect}`);
  return after;
}

/** The commands that show some webhooks, and repeat the change of some. */
export function formatNextCommands(
  given: FormatContext,
  verb: string,
  see: readonly string[],
  repeat: readonly string[],
): Hint {
  return joinHints([
    ...(see.length > 0
      ? [
          commandHint(
            `To see ${see.length === 1 ? 'its' : 'their'} status: `,
            formatCommandWith(given, 'webhook get', see),
          ),
        ]
      : []),
    ...(repeat.length > 0
      ? [commandHint('It is safe to repeat: ', formatConfirmedCommand(given, `webhook ${verb}`, repeat))]
      : []),
  ]);
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
  target: ChangeTarget,
  { to, verb }: StatusChange,
  sent: unknown,
): Failure {
  const { id, record } = target;
  const status = record?.status ?? 'without a status';
  if (sent instanceof Failure) {
    return new Failure('outcome_unknown', {
      message: `${webhookSubject(target)} is still ${status}, and the change to ${to} may yet take effect`,
      why: sent.why,
      hint: formatNextCommands(context, verb, [id], [id]),
      cause: sent,
    });
  }
  return new Failure('bad_response', {
    message: `${webhookSubject(target)} is ${status}, not ${to}`,
    why: `${record?.status ? `the status was read back as ${status}` : 'the webhook was read back without a status'}; the change may have been undone by another user`,
    hint: formatNextCommands(context, verb, [id], [id]),
  });
}
