// Suspending and resuming: the same steps with another word. What support needs at night is certainty, so the account is
// shown before, and the status is read back after, whatever the response to the change was.

import { prepareRequest } from '../../client/session.ts';
import { operations } from '../../contract/operation.ts';
import type { Webhook, WebhookStatus } from '../../contract/webhook.ts';
import { Failure } from '../../failure.ts';
import { commandWith, confirmedCommand, type Given } from '../command-line.ts';
import type { Context } from '../context.ts';
import { showInstead } from '../send.ts';
import { webhookColumns } from './columns.ts';
import { type Change, capital, confirmTargets, nameOf } from './confirm.ts';
import { readWebhook, type Seen } from './pick.ts';

export interface StatusChange extends Change {
  readonly to: WebhookStatus;
  /** What is true afterwards, for a person. */
  readonly effect: string;
  readonly asks: boolean;
}

export async function changeStatus(context: Context, id: string, change: StatusChange): Promise<void> {
  const { to, verb } = change;
  const parameters = { status: to };
  if (await showInstead(context, operations.updateWebhook, { webhookId: id }, parameters)) return;

  prepareRequest(operations.updateWebhook, { webhookId: id }, parameters);
  const before = await lookBefore(context, id);
  if (before?.record.status === to) return show(context, await alreadySo(context, before, change));
  if (change.asks) await confirmTargets(context, verb, [{ id, record: before?.record }]);
  context.ifInterrupted(() => seeAndRepeat(context, verb, [id], [id]));
  return show(context, await makeChange(context, id, before, change));
}

/** Says that there is nothing to change. */
export async function alreadySo(context: Context, seen: Seen, { to }: StatusChange): Promise<Seen> {
  const name = nameOf({ id: seen.record.id, record: seen.record }).replace(/^webhook/, 'Webhook');
  await context.report.info(`${name} is already ${to}; nothing was changed.`);
  return seen;
}

/**
 * Nothing, once that was said, where the service or the network fails to show it: a service in trouble is when somebody
 * must stop webhooks, and it may still do that.
 */
export async function lookBefore(context: Context, id: string): Promise<Seen | undefined> {
  try {
    return await readWebhook(context, id);
  } catch (error) {
    if (!(error instanceof Failure) || (error.code !== 'server' && error.code !== 'network')) throw error;
    const { message, why } = error;
    await context.report.warn(
      `Webhook ${id} could not be read beforehand: ${why ? `${message}: ${why}` : message}`,
    );
    return undefined;
  }
}

/** Sends it and reads it back; says so. */
export async function makeChange(
  context: Context,
  id: string,
  before: Seen | undefined,
  change: StatusChange,
): Promise<Seen> {
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
    const whom = subject(id, before?.record);
    if (sent instanceof Failure) throw unknown(context, id, verb, `${whom}: ${sentOnly}`, sent);
    const named = sent.records.some((webhook) => webhook.id === id && webhook.status === to);
    throw unknown(
      context,
      id,
      verb,
      `${whom}: ${named ? `the service responded that it is ${to}, but it` : sentOnly}`,
      error,
    );
  });
  if (after.record.status !== to) throw notDone(context, id, change, after.record, sent);
  const name = nameOf({ id, record: after.record });
  await context.report.info(`${capital(done)}: ${name}, read back from the service. ${change.effect}`);
  return after;
}

/** As an error names it: `Webhook IEAAAAAQJAAAAAAB (https://hooks.example.com/billing)`. */
export function subject(id: string, record: Webhook | undefined): string {
  return `Webhook ${id}${record?.hookUrl === undefined ? '' : ` (${record.hookUrl})`}`;
}

/** The commands that show some webhooks, and repeat the change of some. */
export function seeAndRepeat(
  given: Given,
  verb: string,
  see: readonly string[],
  repeat: readonly string[],
): string {
  return [
    ...(see.length > 0
      ? [`See how ${see.length === 1 ? 'it is' : 'they are'}: ${commandWith(given, 'webhook get', see)}`]
      : []),
    ...(repeat.length > 0
      ? [`It can be repeated: ${confirmedCommand(given, `webhook ${verb}`, repeat)}`]
      : []),
  ].join('\n');
}

async function show(context: Context, { record, raw }: Seen): Promise<void> {
  await context.report.each({ columns: webhookColumns, records: [record], raw: [raw] });
}

const sentOnly = 'the change was sent, and its status';

function unknown(context: Context, id: string, verb: string, known: string, cause: unknown): Failure {
  return new Failure('outcome_unknown', {
    message: `${known} could not be read back`,
    why: cause instanceof Error ? cause.message : undefined,
    hint: seeAndRepeat(context, verb, [id], [id]),
    cause,
  });
}

function notDone(
  context: Context,
  id: string,
  { to, verb }: StatusChange,
  after: Webhook,
  sent: unknown,
): Failure {
  const status = after.status ?? 'without a status';
  if (sent instanceof Failure) {
    return new Failure('outcome_unknown', {
      message: `${subject(id, after)} is still ${status}, and the change to ${to} may yet take effect`,
      why: sent.why ?? sent.message,
      hint: seeAndRepeat(context, verb, [id], [id]),
      cause: sent,
    });
  }
  return new Failure('other', {
    message: `${subject(id, after)} is ${status}, not ${to}`,
    why: 'the service accepted the change but did not make it',
    hint: `Try again: ${confirmedCommand(context, `webhook ${verb}`, [id])}`,
  });
}
