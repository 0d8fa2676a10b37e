// What a command prints of webhooks: their columns, the titles of what they cover, and in JSON what this machine knows of
// each, in one member of its own.

import type { Webhook } from '../../../contract/webhook.ts';
import type { ReportedRecords } from '../../../terminal/report.ts';
import type { Column } from '../../../terminal/table.ts';
import type { Context } from '../../context.ts';
import {
  type LocalWebhook,
  type LocalWebhooks,
  type ObservedStatus,
  toShownLocal,
} from '../../webhook-records/local-webhook.ts';
import type { Hook } from '../hook.ts';
import { webhookColumnsWith, webhookDetailsWith } from './columns.ts';
import { type FolderTitles, notShown } from './coverage.ts';
import { titlesForTerminal } from './folder-titles.ts';

/** With what is known by now. `titles` are looked up where they help, unless they are given. */
export async function toReported(
  context: Context,
  hooks: readonly Hook[],
  titles?: FolderTitles,
): Promise<ReportedRecords<Webhook>> {
  const local = await (await context.webhookRecords()).read();
  const known = hooks.map((hook) => ({ ...hook, local: local.get(hook.record.id) }));
  const records = known.map(({ record }) => record);
  const { clock, streams } = context.world;
  const knowledge = {
    titles: titles ?? (await titlesForTerminal(context, known)),
    local,
    now: streams.output.isTerminal ? clock.now() : undefined,
  };
  const all = webhookColumnsWith(knowledge);
  return {
    columns: streams.output.isTerminal ? all.filter((column) => isOfUse(column, records, local)) : all,
    details: webhookDetailsWith(knowledge),
    records,
    raw: known.map(({ raw = {}, local }) => {
      const member = toJsonMember(local);
      return member === undefined ? raw : { ...raw, local: member };
    }),
  };
}

/** Without what only this very look has shown: the member stays the same until something changes. */
function toJsonMember({ observed, ...rest }: LocalWebhook = {}): object | undefined {
  const known = toShownLocal(rest);
  const all = observed && isKnownSince(observed) ? { ...known, observed: withoutSeen(observed) } : known;
  return Object.keys(all).length === 0 ? undefined : all;
}

function isKnownSince({ byWm, before, since, seen }: ObservedStatus): boolean {
  return byWm === true || before !== undefined || since !== seen;
}

function withoutSeen({ seen: _, ...status }: ObservedStatus): object {
  return status;
}

/** On a terminal, a column that says nothing of any webhook only takes the room of the others. A single webhook has all. */
function isOfUse(
  { title, cell }: Column<Webhook>,
  records: readonly Webhook[],
  local: LocalWebhooks,
): boolean {
  switch (title) {
    case 'filters':
      return records.some((record) => cell(record) !== '' && cell(record) !== notShown);
    case 'label':
    case 'note':
    case 'rotation':
      return records.some((record) => cell(record) !== '');
    case 'since':
      // That wm first saw an active webhook some time ago is no news.
      return records.some(
        ({ id, status }) => status !== 'Active' || local.get(id)?.observed?.before !== undefined,
      );
    default:
      return true;
  }
}
