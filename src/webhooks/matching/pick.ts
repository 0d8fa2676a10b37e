// Lets the user pick webhooks from a list with URL, label, scope and status.

import type { Context } from '#cli/context.ts';
import { formatRepeatedCommand } from '#cli/format-command.ts';
import type { WebhookStatus } from '#contract/webhook.ts';
import { Failure, joinHints, usageError } from '#failure.ts';
import type { Entry } from '#terminal/picker/entry.ts';
import { differencesOf, folderTitles, noteOf } from '../columns.ts';
import { describeEvents, noTitles, notShown, scopeOf, settingsOf } from '../coverage.ts';
import {
  type Hook,
  listAll,
  listHooks,
  namedHook,
  onlyThisApplication,
  warnIfIncomplete,
} from '../records/hook.ts';

export interface PickOptions {
  /** The status that the command sets: a webhook that has it is found, but cannot be picked. */
  readonly to?: WebhookStatus | undefined;
  readonly isOne?: boolean | undefined;
  /** The argument's name in help; by default ID. */
  readonly argument?: string;
  readonly question?: string;
  readonly emptyMessage?: string;
}

export function verbOf({ commandLine }: Pick<Context, 'commandLine'>): string {
  return commandLine.words.replace('webhook ', '');
}

export function needsChange(hook: Hook, to: WebhookStatus | undefined): boolean {
  return to === undefined || hook.record.status !== to;
}

export async function pickWebhooks(context: Context, options: PickOptions): Promise<readonly Hook[]> {
  const { to, argument = 'ID', emptyMessage = `No webhook to ${verbOf(context)}` } = options;
  if (!context.canPrompt || context.isDryRun) {
    const named = formatRepeatedCommand(context, context.commandLine.words, [argument]);
    throw usageError(`Missing: ${argument}`, joinHints([`Name the webhook: ${named}`, listAll(context)]));
  }
  const list = await listHooks(context);
  await warnIfIncomplete(context, list);
  const { hooks } = list;
  if (!hooks.some((hook) => needsChange(hook, to))) {
    const [first] = hooks;
    const subject = hooks.length === 1 ? 'the only one is' : `all ${hooks.length} are`;
    const why = first ? `${subject} already ${first.record.status}` : undefined;
    throw new Failure('not_found', { message: emptyMessage, why, hint: onlyThisApplication });
  }
  return pickFrom(context, options.question ?? `Which webhook to ${verbOf(context)}?`, hooks, options, true);
}

/** `hidesOthers`: a webhook that needs no change is listed only if the user's filter finds it. */
export async function pickFrom(
  context: Context,
  question: string,
  hooks: readonly Hook[],
  { to, isOne = false, argument = 'ID' }: PickOptions,
  hidesOthers = false,
): Promise<readonly Hook[]> {
  const entries = await toEntries(context, hooks, to, hidesOthers);
  const ids = await context.prompt(argument, async (prompt) =>
    isOne ? [await prompt.pick(question, entries)] : prompt.pickSeveral(question, entries),
  );
  const local = await (await context.webhookRecords()).read();
  return ids.map((id) => namedHook(id, local));
}

/** Webhooks that need a change come first, then by URL, so that one host's webhooks are together. */
async function toEntries(
  context: Context,
  hooks: readonly Hook[],
  to: WebhookStatus | undefined,
  hidesOthers: boolean,
): Promise<readonly Entry<string>[]> {
  const hasLabels = hooks.some(({ local }) => local?.label !== undefined);
  const isAlready = (hook: Hook) => !needsChange(hook, to);
  const differences = await readDifferences(context, hooks);
  const isOneUrl = hooks.every((hook) => hook.record.hookUrl === hooks[0]?.record.hookUrl);
  // Sorts team2 before team10.
  const { compare } = new Intl.Collator('en', { numeric: true });
  return hooks
    .toSorted(
      (a, b) =>
        Number(isAlready(a)) - Number(isAlready(b)) ||
        compare(a.record.hookUrl ?? '', b.record.hookUrl ?? ''),
    )
    .map((hook) => {
      const { record } = hook;
      const settings = settingsOf(hook);
      const events = describeEvents(settings);
      const difference = differences.get(record.id);
      return {
        // The question has the only URL.
        title: [difference !== undefined && isOneUrl ? [] : (record.hookUrl ?? 'no URL'), difference ?? []]
          .flat()
          .join(': '),
        details: [
          record.id,
          // Labels have a column of their own, unless no webhook has a label.
          ...(hasLabels ? [hook.local?.label ?? ''] : []),
          `${isAlready(hook) ? 'already ' : ''}${hook.record.status ?? ''}`,
          difference === undefined ? scopeOf(settings) : '',
          // A list omits unknown events.
          events === notShown || difference?.endsWith(events) ? '' : events,
          ...(noteOf(hook) === '' ? [] : [`note: ${noteOf(hook)}`]),
        ],
        // Which of two webhooks with one URL to suspend.
        needed: hasLabels ? 2 : 1,
        isOnlyFound: hidesOthers && isAlready(hook),
        value: record.id,
      };
    });
}

/** Looks up titles only to distinguish two folders. */
async function readDifferences(context: Context, hooks: readonly Hook[]) {
  const alike = differencesOf(hooks, noTitles);
  const inFolders = hooks.filter(({ record }) => alike.has(record.id) && record.folderId !== undefined);
  return inFolders.length === 0 ? alike : differencesOf(hooks, await folderTitles(context, inFolders));
}
