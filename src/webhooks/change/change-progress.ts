// Reports how far a change of several webhooks got, so that the user can continue from there.

import type { Context } from '#cli/context.ts';
import { formatCommandWith, formatRepeatedCommand } from '#cli/format-command.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { commandHint, Failure, type Hint, hintText, joinHints } from '#failure.ts';
import { selectionFlags } from '../matching/choose.ts';

/** What is done to each, in the words of a command that takes several. */
export interface ChangeWords {
  /** What a webhook is afterwards: Suspended, deleted. */
  readonly to: string;
  /** The command's word: suspend. */
  readonly verb: string;
  /** What it has done to a webhook: suspended. */
  readonly done: string;
}

export interface ChangeProgress {
  readonly given: Context;
  /** In the order given. */
  readonly ids: readonly string[];
  /** Those that were begun: without an outcome they are under way. */
  readonly begun: ReadonlySet<string>;
  /** By id; a webhook that has none was not tried. */
  readonly outcomes: ReadonlyMap<string, object | Failure>;
  readonly change: ChangeWords;
  /** A webhook for a user: its URL and its id. */
  readonly nameOf: (id: string) => string;
}

/** Where every one was tried, and some failed. */
export function partFailed(standing: ChangeProgress): Failure {
  return new Failure('part_failed', {
    message: capitalize(describeFailed(standing).join('; ')),
    hint: formatNextCommands(standing.given, standing.change.verb, [], toRepeat(standing)) || undefined,
  });
}

/** A failure that kept others from being tried, with how far it came. */
export function endedEarly(failure: Failure, standing: ChangeProgress): Failure {
  const untried = standing.ids.filter((id) => !standing.outcomes.has(id));
  const facts = [
    ...describeDone(standing),
    ...describeFailed(standing),
    ...describeNotTried(standing, untried),
  ];
  const { given, change } = standing;
  const repeat = commandHint(
    'Then repeat the rest: ',
    formatChangeOf(given, change.verb, toRepeat(standing)),
  );
  const { why, wholeHint } = failure;
  return failure.with({
    why: [...(why ? [why] : []), ...facts].join('; '),
    hint: wholeHint ? joinHints([wholeHint, repeat]) : repeat,
  });
}

/** For whoever interrupts it. */
export function interruptHint(standing: ChangeProgress): string {
  const open = standing.ids.filter((id) => !standing.outcomes.has(id));
  const waiting = open.filter((id) => !standing.begun.has(id));
  const facts = [
    ...describeDone(standing),
    ...describeFailed(standing),
    ...describeNotTried(standing, waiting),
  ];
  const see = [...failedIds(standing, true), ...open.filter((id) => standing.begun.has(id))];
  return [
    facts.join('; '),
    hintText(formatNextCommands(standing.given, standing.change.verb, see, toRepeat(standing))),
  ]
    .filter(Boolean)
    .join('\n');
}

function describeDone({ ids, outcomes, change, nameOf }: ChangeProgress): string[] {
  const these = ids.filter((id) => outcomes.has(id) && !(outcomes.get(id) instanceof Failure));
  return these.length > 0
    ? [`${joinWithAnd(these.map(nameOf))} ${these.length === 1 ? 'is' : 'are'} ${change.to}`]
    : [];
}

function describeFailed(standing: ChangeProgress): string[] {
  const { ids, change, nameOf } = standing;
  const [not, unknown] = [failedIds(standing, false), failedIds(standing, true)];
  const one = unknown.length === 1;
  return [
    ...(not.length > 0
      ? [
          `${not.length} of ${ids.length} webhooks ${were(not)} not ${change.done}: ${joinWithAnd(not.map(nameOf))}`,
        ]
      : []),
    ...(unknown.length > 0
      ? [`it is not known whether ${joinWithAnd(unknown.map(nameOf))} ${one ? 'was' : 'were'} ${change.done}`]
      : []),
  ];
}

function failedIds({ ids, outcomes }: ChangeProgress, unknown: boolean): readonly string[] {
  return ids.filter((id) => {
    const outcome = outcomes.get(id);
    return outcome instanceof Failure && mayBeDone(outcome) === unknown;
  });
}

function mayBeDone({ meaning }: Failure): boolean {
  return meaning.changed === 'unknown';
}

function describeNotTried({ nameOf }: ChangeProgress, ids: readonly string[]): string[] {
  return ids.length > 0 ? [`${joinWithAnd(ids.map(nameOf))} ${were(ids)} not tried`] : [];
}

/** All but those that are as they should be; what is not there will not be there the next time. */
function toRepeat({ ids, outcomes }: ChangeProgress): readonly string[] {
  return ids.filter((id) => {
    const outcome = outcomes.get(id);
    return outcome === undefined || (outcome instanceof Failure && outcome.code !== 'not_found');
  });
}

function were(ids: readonly string[]): string {
  return ids.length === 1 ? 'was' : 'were';
}

/** The commands that show some webhooks, and repeat the change of some. */
export function formatNextCommands(
  given: Context,
  verb: string,
  see: readonly string[],
  repeat: readonly string[],
): Hint {
  return joinHints([
    ...(see.length > 0
      ? [
          commandHint(
            `To see ${see.length === 1 ? 'its' : 'their'} status: `,
            formatCommandWith(given, 'webhook get', see),
          ),
        ]
      : []),
    ...(repeat.length > 0
      ? [commandHint('It is safe to repeat: ', formatChangeOf(given, verb, repeat))]
      : []),
  ]);
}

/** The command that was typed, for these webhooks. */
export function formatChangeOf(given: Context, verb: string, ids: readonly string[]): string {
  return formatRepeatedCommand(given, `webhook ${verb}`, ids, Object.keys(selectionFlags));
}

export function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
