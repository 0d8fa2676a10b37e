// Lets the user pick webhooks from a list with URL, label, scope and status.

import type { Context } from '#cli/context.ts';
import { formatRepeatedCommand } from '#cli/format-command.ts';
import type { WebhookStatus } from '#contract/webhook.ts';
import { Failure, joinHints, usageError } from '#failure.ts';
import type { Entry } from '#terminal/picker/entry.ts';
import { differencesOf, folderTitles, noteOf } from '../columns.ts';
import { describeEvents, noTitles, notShown, scopeOf } from '../coverage.ts';
import { type Hook, listAll, listHooks, onlyThisApplication, statusOf } from '../records/hook.ts';

export interface Picking {
  /** The status that the command sets: a webhook that has it can be found, but not picked. */
  readonly to?: WebhookStatus | undefined;
  /** One webhook alone can be picked. */
  readonly isOne?: boolean | undefined;
  /** The argument's name in help; by default ID. */
  readonly argument?: string;
  readonly question?: string;
  /** The message if the list is empty. */
  readonly none?: string;
}

export function verbOf({ commandLine }: Pick<Context, 'commandLine'>): string {
  return commandLine.words.replace('webhook ', '');
}

export function needsChange(hook: Hook, to: WebhookStatus | undefined): boolean {
  return to === undefined || statusOf(hook) !== to;
}

/** The ids that the user picks. Throws if wm cannot prompt, or if there is nothing to pick. */
export async function pickWebhooks(context: Context, picking: Picking): Promise<readonly string[]> {
  const { to, argument = 'ID', none = `No webhook to ${verbOf(context)}` } = picking;
  if (!context.canPrompt || context.common.dryRun || context.common.curl) {
    throw usageError(
      `Missing: ${argument}`,
      joinHints([
        `Give it: ${formatRepeatedCommand(context, context.commandLine.words, [argument])}`,
        listAll(context),
      ]),
    );
  }
  const all = await listHooks(context);
  if (!all.some((one) => needsChange(one, to))) {
    const [first] = all;
    const others = all.length === 1 ? 'the only one is' : `all ${all.length} are`;
    throw new Failure('not_found', {
      message: none,
      why: first ? `${others} already ${statusOf(first)}` : undefined,
      hint: onlyThisApplication,
    });
  }
  return pickFrom(context, picking.question ?? `Which webhook to ${verbOf(context)}?`, all, picking, true);
}

/** `hidesOthers`: what needs no change is listed only where the filter finds it. */
export async function pickFrom(
  context: Context,
  question: string,
  hooks: readonly Hook[],
  { to, isOne = false, argument = 'ID' }: Picking,
  hidesOthers = false,
): Promise<readonly string[]> {
  const entries = await toEntries(context, hooks, to, hidesOthers);
  return context.prompt(argument, async (prompt) =>
    isOne ? [await prompt.pick(question, entries)] : prompt.pickSeveral(question, entries),
  );
}

/** What needs a change first, then by URL, so that one host's webhooks are together. */
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
      (one, other) =>
        Number(isAlready(one)) - Number(isAlready(other)) ||
        compare(one.record.hookUrl ?? '', other.record.hookUrl ?? ''),
    )
    .map((one) => {
      const { record } = one;
      const { created, label } = one.local ?? {};
      const events = describeEvents(record, created);
      const difference = differences.get(record.id);
      return {
        // The question has the only URL.
        title: [difference !== undefined && isOneUrl ? [] : (record.hookUrl ?? 'no URL'), difference ?? []]
          .flat()
          .join(': '),
        details: [
          record.id,
          // Labels have a column of their own, unless no webhook has a label.
          ...(hasLabels ? [label ?? ''] : []),
          `${isAlready(one) ? 'already ' : ''}${statusOf(one) ?? ''}`,
          difference === undefined ? scopeOf(record, undefined, created) : '',
          // A list omits unknown events.
          events === notShown || difference?.endsWith(events) ? '' : events,
          ...(noteOf(one) === '' ? [] : [`note: ${noteOf(one)}`]),
        ],
        isOnlyFound: hidesOthers && isAlready(one),
        value: record.id,
      };
    });
}

/** Looks up titles only where two folders are to be told apart. */
async function readDifferences(
  context: Context,
  hooks: readonly Hook[],
): Promise<ReadonlyMap<string, string>> {
  const alike = differencesOf(hooks, noTitles);
  const inFolders = hooks.filter(({ record }) => alike.has(record.id) && record.folderId !== undefined);
  return inFolders.length === 0 ? alike : differencesOf(hooks, await folderTitles(context, inFolders));
}
