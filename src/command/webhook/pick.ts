// Which webhooks a command changes: those named, or those picked from a list that shows URL, scope and status.

import type { JsonObject } from '../../client/response.ts';
import { operations } from '../../contract/operation.ts';
import type { Webhook } from '../../contract/webhook.ts';
import { Failure, usageError } from '../../failure.ts';
import type { Context } from '../context.ts';
import { type FormatContext, formatCommand, formatCommandWith } from '../format-command.ts';
import { scopeOf } from './columns.ts';
import { onlyThisApplication } from './list.ts';

/** A webhook, and how the service sent it. */
export interface ReadWebhook {
  readonly record: Webhook;
  readonly raw: unknown;
}

/** The command that lists every webhook, as a hint. */
export function listAll(given: FormatContext): string {
  return `To list them: ${formatCommand(given, 'webhook list')}`;
}

/** The webhook as it is now; the id must be one of the service's. */
export async function readWebhook(context: Context, id: string): Promise<ReadWebhook> {
  const session = await context.session();
  const { records, raw } = await session.send(operations.getWebhooks, { webhookIds: id }, {});
  const at = records.findIndex((webhook) => webhook.id === id);
  const record = records[at];
  if (!record)
    throw new Failure('not_found', { message: `There is no webhook ${id}`, hint: listAll(context) });
  return { record, raw: raw[at] };
}

export interface PickFilter {
  /** Which can be picked at all; the status as the service wrote it. */
  readonly of: (status: string | undefined) => boolean;
  /** What is said where there is none. */
  readonly none: string;
}

/** The ids that a person picks. Throws where there is no prompt, and where there is nothing to pick. */
export async function pickWebhooks(
  context: Context,
  verb: string,
  { of, none }: PickFilter,
): Promise<readonly string[]> {
  if (!context.canPrompt || context.common.dryRun || context.common.curl) {
    throw usageError(
      'Missing: ID',
      `Give it: ${formatCommandWith(context, `webhook ${verb}`, ['ID'])}\n${listAll(context)}`,
    );
  }
  const session = await context.session();
  const { records, raw } = await session.send(operations.listWebhooks, {}, {});
  const all = records.map((record, index) => ({ record, status: statusIn(raw[index]) }));
  const those = all.filter(({ status }) => of(status));
  if (those.length === 0) {
    const [first] = all;
    const others = all.length === 1 ? 'the only one is' : `all ${all.length} are`;
    throw new Failure('not_found', {
      message: none,
      why: first ? `${others} already ${first.status}` : undefined,
      hint: onlyThisApplication,
    });
  }
  const entries = those
    .toSorted((one, other) => byUrl.compare(one.record.hookUrl ?? '', other.record.hookUrl ?? ''))
    .map(({ record, status = '' }) => ({
      title: record.hookUrl ?? 'no URL',
      details: [record.id, status, scopeOf(record), record.events?.join(', ') ?? ''],
      value: record.id,
    }));
  return context.prompt('ID', (prompt) => prompt.pickSeveral(`Which webhook to ${verb}?`, entries));
}

/** Also one that this version does not know. */
function statusIn(raw: JsonObject | undefined): string | undefined {
  const status = raw?.['status'];
  return typeof status === 'string' ? status : undefined;
}

/** Those of one host next to each other, and team2 before team10. */
const byUrl = new Intl.Collator('en', { numeric: true });
