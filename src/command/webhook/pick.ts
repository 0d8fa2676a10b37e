// Which webhooks a command acts on: those named, or one picked from a list that shows URL, scope and status.

import { operations } from '../../contract/operation.ts';
import type { Webhook } from '../../contract/webhook.ts';
import { Failure, usage } from '../../failure.ts';
import type { Context } from '../context.ts';
import { scopeOf } from './columns.ts';
import { onlyThisApplication } from './list.ts';

/** A webhook, and how the service sent it. */
export interface Seen {
  readonly record: Webhook;
  readonly raw: unknown;
}

/** The webhook as it is now; the id must be one of the service's. */
export async function readWebhook(context: Context, id: string): Promise<Seen> {
  const session = await context.session();
  const { records, raw } = await session.send(operations.getWebhooks, { webhookIds: id }, {});
  const at = records.findIndex((webhook) => webhook.id === id);
  const record = records[at];
  if (!record)
    throw new Failure('not_found', { what: `There is no webhook ${id}`, hint: 'See wm webhook list.' });
  return { record, raw: raw[at] };
}

/** The id given, or the one a person picks. `preferred` come first. */
export async function pickWebhook(
  context: Context,
  id: string | undefined,
  verb: string,
  preferred: (webhook: Webhook) => boolean,
): Promise<string> {
  if (id !== undefined) return id;
  if (!context.mayAsk || context.common.dryRun || context.common.curl) {
    throw usage('Missing: ID', `Which webhook? wm webhook ${verb} ID. See wm webhook list.`);
  }
  const session = await context.session();
  const { records } = await session.send(operations.listWebhooks, {}, {});
  if (records.length === 0) {
    throw new Failure('not_found', { what: `There is no webhook to ${verb}`, hint: onlyThisApplication });
  }
  const width = (of: (webhook: Webhook) => string) =>
    Math.max(...records.map((webhook) => of(webhook).length));
  const status = width((webhook) => webhook.status ?? '');
  const scope = width(scopeOf);
  const sorted = [...records.filter(preferred), ...records.filter((webhook) => !preferred(webhook))];
  return context.ask('ID', (prompt) =>
    prompt.select(
      `Which webhook to ${verb}?`,
      sorted.map((webhook) => ({
        name: `${(webhook.status ?? '').padEnd(status)}  ${scopeOf(webhook).padEnd(scope)}  ${webhook.hookUrl ?? ''}  ${about(webhook)}`,
        value: webhook.id,
      })),
    ),
  );
}

/** What tells two webhooks of one URL apart. */
export function about({ id, events }: Webhook): string {
  return events === undefined ? id : `${events.join(', ')}  ${id}`;
}
