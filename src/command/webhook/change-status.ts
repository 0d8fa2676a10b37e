// Suspending and resuming: the same steps with another word. What support needs at night is certainty, so the account is
// shown before, and the status is read back after, whatever the answer to the change was.

import { prepare } from '../../client/session.ts';
import { operations } from '../../contract/operation.ts';
import type { Webhook, WebhookStatus } from '../../contract/webhook.ts';
import { Failure } from '../../failure.ts';
import type { Context } from '../context.ts';
import { readIdentity } from '../identity.ts';
import { and } from '../missing.ts';
import { showInstead } from '../send.ts';
import { scopeOf, webhookColumns } from './columns.ts';
import { about, pickWebhook, readWebhook, type Seen } from './pick.ts';

export interface StatusChange {
  readonly to: WebhookStatus;
  /** The command's word: suspend. */
  readonly verb: string;
  /** What it has done to a webhook: suspended. */
  readonly done: string;
  /** What is true afterwards, for a person. */
  readonly effect: string;
  readonly asks: boolean;
}

export async function changeStatus(
  context: Context,
  given: string | undefined,
  change: StatusChange,
): Promise<void> {
  const { report } = context;
  const { to, verb } = change;
  const id = await pickWebhook(context, given, verb, (webhook) => webhook.status !== to);
  const parameters = { status: to };
  if (await showInstead(context, operations.updateWebhook, { webhookId: id }, parameters)) return;

  prepare(operations.updateWebhook, { webhookId: id }, parameters);
  const before = await lookBefore(context, id);
  if (before?.record.status === to) {
    await report.say(`Webhook ${id} is ${to} already; nothing was changed.`);
    return show(context, before);
  }
  if (change.asks) {
    await showBefore(context, before ? [before.record] : []);
    await context.confirm(question(verb, [id], before ? [] : [id]));
  }
  context.ifInterrupted(() => seeAndRepeat(verb, [id], [id]));
  return show(context, await makeChange(context, id, change));
}

/**
 * Nothing, once that was said, where the service or the network fails to show it: a service in trouble is when somebody
 * must stop webhooks, and it may still do that.
 */
export async function lookBefore(context: Context, id: string): Promise<Seen | undefined> {
  try {
    return await readWebhook(context, id);
  } catch (error) {
    await warnUnread(context, `Webhook ${id} could not be read beforehand`, error);
    return undefined;
  }
}

/** Throws what is no trouble of the service or the network. */
async function warnUnread(context: Context, what: string, error: unknown): Promise<void> {
  if (!(error instanceof Failure) || (error.code !== 'server' && error.code !== 'network')) throw error;
  const { message, why } = error;
  await context.report.warn(`${what}: ${why ? `${message}: ${why}` : message}`);
}

export function question(verb: string, ids: readonly string[], unread: readonly string[]): string {
  if (ids.length === 1)
    return `${capital(verb)} webhook ${ids[0]}${unread.length > 0 ? ', which could not be read' : ''}?`;
  const but = unread.length > 0 ? `, of which ${and(unread)} could not be read` : '';
  return `${capital(verb)} ${ids.length} webhooks (${ids.join(', ')})${but}?`;
}

/** Sends it and reads it back; says so. */
export async function makeChange(context: Context, id: string, change: StatusChange): Promise<Seen> {
  const { to, verb } = change;
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
    if (sent instanceof Failure) throw unknown(id, verb, sentOnly, sent);
    const named = sent.records.some((webhook) => webhook.id === id && webhook.status === to);
    throw unknown(id, verb, named ? `the service answered that it is ${to}, but it` : sentOnly, error);
  });
  if (after.record.status !== to) throw notDone(id, change, after.record, sent);
  await context.report.say(`Webhook ${id} is ${to}: read back from the service. ${change.effect}`);
  return after;
}

/** To whoever is asked: the account, and what will be changed in it. */
export async function showBefore(context: Context, webhooks: readonly Webhook[]): Promise<void> {
  if (context.common.yes || !context.mayAsk) return;
  try {
    const { user, account } = await readIdentity(await context.session(), '');
    await context.report.warn(`Account ${account}, as ${user}`);
  } catch (error) {
    await warnUnread(context, 'The account could not be read', error);
  }
  for (const webhook of webhooks) {
    await context.report.warn(
      `${webhook.status}  ${scopeOf(webhook)}  ${webhook.hookUrl ?? ''}  ${about(webhook)}`,
    );
  }
}

export function seeAndRepeat(verb: string, see: readonly string[], repeat: readonly string[]): string {
  return [
    ...(see.length > 0
      ? [`See how ${see.length === 1 ? 'it is' : 'they are'}: wm webhook get ${see.join(' ')}`]
      : []),
    ...(repeat.length > 0 ? [`It can be repeated: wm webhook ${verb} ${repeat.join(' ')}`] : []),
  ].join('\n');
}

export function capital(verb: string): string {
  return `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`;
}

async function show(context: Context, { record, raw }: Seen): Promise<void> {
  await context.report.one({ columns: webhookColumns, records: [record], raw: [raw] });
}

const sentOnly = 'the change was sent, and its status';

function unknown(id: string, verb: string, known: string, cause: unknown): Failure {
  return new Failure('outcome_unknown', {
    what: `Webhook ${id}: ${known} could not be read back`,
    why: cause instanceof Error ? cause.message : undefined,
    hint: seeAndRepeat(verb, [id], [id]),
    cause,
  });
}

function notDone(id: string, { to, verb }: StatusChange, after: Webhook, sent: unknown): Failure {
  const status = after.status ?? 'without a status';
  if (sent instanceof Failure) {
    return new Failure('outcome_unknown', {
      what: `Webhook ${id} is still ${status}, and the change to ${to} may yet take effect`,
      why: sent.why ?? sent.message,
      hint: seeAndRepeat(verb, [id], [id]),
      cause: sent,
    });
  }
  return new Failure('other', {
    what: `Webhook ${id} is ${status}, not ${to}`,
    why: 'the service accepted the change but did not make it',
    hint: `Try again: wm webhook ${verb} ${id}`,
  });
}
