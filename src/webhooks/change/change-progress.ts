// Reports how far a change of several webhooks got, so that the user can continue from there.

import type { Context } from '#cli/context.ts';
import { formatCommandWith, formatRepeatedCommand } from '#cli/format-command.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { commandHint, Failure, type Hint, hintText, joinHints } from '#failure.ts';
import { selectionFlags } from '../matching/choose.ts';

export interface ChangeWords {
  /** The state after the change: `Suspended`, `deleted`. */
  readonly to: string;
  readonly verb: string;
  /** The past participle: `suspended`. */
  readonly done: string;
}

export interface ChangeProgress {
  readonly context: Context;
  readonly ids: readonly string[];
  /** The webhooks whose change was started; without an outcome it is still running. */
  readonly started: ReadonlySet<string>;
  /** By id; a webhook without an outcome was not attempted. */
  readonly outcomes: ReadonlyMap<string, object | Failure>;
  readonly change: ChangeWords;
  /** How messages name a webhook: by URL and id. */
  readonly nameOf: (id: string) => string;
}

export function partFailed(progress: ChangeProgress): Failure {
  return new Failure('part_failed', {
    message: capitalize(describeFailed(progress).join('; ')),
    hint: formatNextCommands(progress.context, progress.change.verb, [], toRepeat(progress)) || undefined,
  });
}

/** Adds the progress to a failure that kept the remaining webhooks from being changed. */
export function endedEarly(failure: Failure, progress: ChangeProgress): Failure {
  const untried = progress.ids.filter((id) => !progress.outcomes.has(id));
  const facts = [
    ...describeDone(progress),
    ...describeFailed(progress),
    ...describeNotTried(progress, untried),
  ];
  const { context, change } = progress;
  const repeat = commandHint(
    'Then repeat the rest: ',
    formatChangeOf(context, change.verb, toRepeat(progress)),
  );
  const { why, wholeHint } = failure;
  return failure.with({
    why: [...(why ? [why] : []), ...facts].join('; '),
    hint: wholeHint ? joinHints([wholeHint, repeat]) : repeat,
  });
}

export function interruptHint(progress: ChangeProgress): string {
  const open = progress.ids.filter((id) => !progress.outcomes.has(id));
  const waiting = open.filter((id) => !progress.started.has(id));
  const facts = [
    ...describeDone(progress),
    ...describeFailed(progress),
    ...describeNotTried(progress, waiting),
  ];
  const see = [...failedIds(progress, true), ...open.filter((id) => progress.started.has(id))];
  return [
    facts.join('; '),
    hintText(formatNextCommands(progress.context, progress.change.verb, see, toRepeat(progress))),
  ]
    .filter(Boolean)
    .join('\n');
}

function describeDone({ ids, outcomes, change, nameOf }: ChangeProgress): string[] {
  const done = ids.filter((id) => outcomes.has(id) && !(outcomes.get(id) instanceof Failure));
  return done.length > 0
    ? [`${joinWithAnd(done.map(nameOf))} ${done.length === 1 ? 'is' : 'are'} ${change.to}`]
    : [];
}

function describeFailed(progress: ChangeProgress): string[] {
  const { ids, change, nameOf } = progress;
  const [failed, unknown] = [failedIds(progress, false), failedIds(progress, true)];
  return [
    ...(failed.length > 0
      ? [
          `${failed.length} of ${ids.length} webhooks ${were(failed)} not ${change.done}: ${joinWithAnd(failed.map(nameOf))}`,
        ]
      : []),
    ...(unknown.length > 0
      ? [`it is unknown whether ${joinWithAnd(unknown.map(nameOf))} ${were(unknown)} ${change.done}`]
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

/** The webhooks to retry: not the ones already changed, nor the ones that do not exist. */
function toRepeat({ ids, outcomes }: ChangeProgress): readonly string[] {
  return ids.filter((id) => {
    const outcome = outcomes.get(id);
    return outcome === undefined || (outcome instanceof Failure && outcome.code !== 'not_found');
  });
}

function were(ids: readonly string[]): string {
  return ids.length === 1 ? 'was' : 'were';
}

/** The commands that show webhooks and that retry their change. */
export function formatNextCommands(
  context: Context,
  verb: string,
  see: readonly string[],
  repeat: readonly string[],
): Hint {
  const seeHint = `To see ${see.length === 1 ? 'its' : 'their'} status: `;
  return joinHints([
    ...(see.length > 0 ? [commandHint(seeHint, formatCommandWith(context, 'webhook get', see))] : []),
    ...(repeat.length > 0
      ? [commandHint('You can run it again safely: ', formatChangeOf(context, verb, repeat))]
      : []),
  ]);
}

/** The user's command, with these webhooks as its arguments. */
export function formatChangeOf(context: Context, verb: string, ids: readonly string[]): string {
  return formatRepeatedCommand(context, `webhook ${verb}`, ids, Object.keys(selectionFlags));
}

export function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
