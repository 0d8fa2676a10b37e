// Webhooks that a user picks from a list with URL, label, scope and status.

import type { Context } from '#cli/context.ts';
import { formatRepeatedCommand } from '#cli/format-command.ts';
import { Failure, joinHints, usageError } from '#failure.ts';
import type { Entry } from '#terminal/picker/entry.ts';
import { noteOf } from '../columns.ts';
import { describeEvents, notShown, scopeOf } from '../coverage.ts';
import { type Hook, listAll, listHooks, onlyThisApplication, statusOf } from '../records/hook.ts';

export interface PickFilter {
  /** Which a change is left to be made of; the status as the service wrote it. The others can be found, and say so. */
  readonly of: (status: string | undefined) => boolean;
  /** What is said where there is none. */
  readonly none: string;
}

/** The ids that a user picks. Throws where there is no prompt, and where there is nothing to pick. */
export async function pickWebhooks(
  context: Context,
  verb: string,
  filter: PickFilter,
): Promise<readonly string[]> {
  const entries = await readEntries(context, { command: verb, argument: 'ID', ...filter });
  return context.prompt('ID', (prompt) => prompt.pickSeveral(`Which webhook to ${verb}?`, entries));
}

/** What a command that acts on a single webhook says where its argument is left out. */
export interface PickOne {
  /** Its word after `webhook`. */
  readonly command: string;
  /** The argument as its help names it: ID, unless said otherwise. */
  readonly argument?: string;
  readonly question: string;
}

/** The id of the one that a user picks. Throws as {@link pickWebhooks}. */
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
  // The others are found as well: so a user sees that nothing is left to do.
  return toEntries(all, (one) => !of(statusOf(one)));
}

/** As a picker shows them: by URL, those of one host next to each other. What is already as it should be is only found. */
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
          // In a column of its own, unless none has one.
          ...(hasLabels ? [label ?? ''] : []),
          `${isAlready(one) ? 'already ' : ''}${statusOf(one) ?? ''}`,
          scopeOf(record, undefined, created),
          // For a list, what nobody knows needs no words.
          events === notShown ? '' : events,
          ...(noteOf(one) === '' ? [] : [`note: ${noteOf(one)}`]),
        ],
        isOnlyFound: isAlready(one),
        value: record.id,
      };
    });
}
