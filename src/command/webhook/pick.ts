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

export interface Wanted {
  /** Which can be picked at all. */
  readonly of: (webhook: Webhook) => boolean;
  /** What is said where there is none. */
  readonly none: string;
}

/** The ids that a person picks. Throws where nobody can be asked, and where there is nothing to pick. */
export async function pickWebhooks(
  context: Context,
  verb: string,
  { of, none }: Wanted,
): Promise<readonly string[]> {
  if (!context.mayAsk || context.common.dryRun || context.common.curl) {
    throw usage('Missing: ID', `Which webhook? wm webhook ${verb} ID. See wm webhook list.`);
  }
  const session = await context.session();
  const { records } = await session.send(operations.listWebhooks, {}, {});
  const those = records.filter(of);
  if (those.length === 0) {
    const others = records.length === 1 ? 'the only one is' : `all ${records.length} are`;
    throw new Failure('not_found', {
      what: none,
      why: records.length === 0 ? undefined : `${others} ${records[0]?.status}`,
      hint: onlyThisApplication,
    });
  }
  const status = Math.max(...those.map((webhook) => (webhook.status ?? '').length));
  const id = await context.ask('ID', (prompt) =>
    prompt.select(
      `Which webhook to ${verb}?`,
      those.map((webhook) => ({
        name: `${webhook.hookUrl ?? ''}  ${webhook.id}  ${(webhook.status ?? '').padEnd(status)}  ${scopeOf(webhook)}`,
        value: webhook.id,
      })),
    ),
  );
  return [id];
}

/** What tells two webhooks of one URL apart. */
export function about({ id, events }: Webhook): string {
  return events === undefined ? id : `${events.join(', ')}  ${id}`;
}
