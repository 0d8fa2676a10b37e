// Lets the user pick webhooks from a list with URL, label, scope and status.

import type { Context } from '#cli/context.ts';
import { formatRepeatedCommand } from '#cli/format-command.ts';
import { Failure, joinHints, usageError } from '#failure.ts';
import type { Entry } from '#terminal/picker/entry.ts';
import { noteOf } from '../columns.ts';
import { describeEvents, notShown, scopeOf } from '../coverage.ts';
import { type Hook, listAll, listHooks, onlyThisApplication, statusOf } from '../records/hook.ts';

export interface PickFilter {
  /** True for a webhook that the command would change, by the service's status. The others can be found, but not picked. */
  readonly of: (status: string | undefined) => boolean;
  /** The message if the list is empty. */
  readonly none: string;
}

/** The ids that the user picks. Throws if wm cannot prompt, or if there is nothing to pick. */
export async function pickWebhooks(
  context: Context,
  verb: string,
  filter: PickFilter,
): Promise<readonly string[]> {
  const entries = await readEntries(context, { command: verb, argument: 'ID', ...filter });
  return context.prompt('ID', (prompt) => prompt.pickSeveral(`Which webhook to ${verb}?`, entries));
}

/** Names the command and the argument that the user left out. */
export interface PickOne {
  /** The word after `webhook`. */
  readonly command: string;
  /** The argument's name in help; by default ID. */
  readonly argument?: string;
  readonly question: string;
}

/** The id that the user picks. Throws like {@link pickWebhooks}. */
export async function pickOneWebhook(
  context: Context,
  { command, argument = 'ID', question }: PickOne,
): Promise<string> {
  const entries = await readEntries(context, { command, argument, of: () => true, none: 'No webhook' });
  return context.prompt(argument, (prompt) => prompt.pick(question, entries));
}

async function readEntries(
  context: Context,
  { command, argument, of, none }: PickFilter & { readonly command: string; readonly argument: string },
): Promise<readonly Entry<string>[]> {
  if (!context.canPrompt || context.common.dryRun || context.common.curl) {
    throw usageError(
      `Missing: ${argument}`,
      joinHints([
        `Give it: ${formatRepeatedCommand(context, `webhook ${command}`, [argument])}`,
        listAll(context),
      ]),
    );
  }
  const all = await listHooks(context);
  const those = all.filter((one) => of(statusOf(one)));
  if (those.length === 0) {
    const [first] = all;
    const others = all.length === 1 ? 'the only one is' : `all ${all.length} are`;
    throw new Failure('not_found', {
      message: none,
      why: first ? `${others} already ${statusOf(first)}` : undefined,
      hint: onlyThisApplication,
    });
  }
  // The others stay in the list, so that the user sees that they need no change.
  return toEntries(all, (one) => !of(statusOf(one)));
}

/** The entries of the picker, sorted by URL, so that one host's webhooks are together. */
export function toEntries(
  hooks: readonly Hook[],
  isAlready: (hook: Hook) => boolean = () => false,
): readonly Entry<string>[] {
  const hasLabels = hooks.some(({ local }) => local?.label !== undefined);
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
      return {
        title: record.hookUrl ?? 'no URL',
        details: [
          record.id,
          // Labels have a column of their own, unless no webhook has a label.
          ...(hasLabels ? [label ?? ''] : []),
          `${isAlready(one) ? 'already ' : ''}${statusOf(one) ?? ''}`,
          scopeOf(record, undefined, created),
          // A list omits unknown events.
          events === notShown ? '' : events,
          ...(noteOf(one) === '' ? [] : [`note: ${noteOf(one)}`]),
        ],
        isOnlyFound: isAlready(one),
        value: record.id,
      };
    });
}
