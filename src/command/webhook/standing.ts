// How far a change of several webhooks came, told so that whoever reads it can go on from there.

import { Failure } from '../../failure.ts';
import { and } from '../missing.ts';
import { capital, type StatusChange, seeAndRepeat } from './change-status.ts';
import type { Seen } from './pick.ts';

/** By id; a webhook that has none was not tried. */
export type Outcomes = ReadonlyMap<string, Seen | Failure>;

/** Where every one was tried; nothing where none failed. */
export function partFailed(
  ids: readonly string[],
  outcomes: Outcomes,
  change: StatusChange,
): Failure | undefined {
  const parts = failed(ids, outcomes, change);
  if (parts.length === 0) return undefined;
  return new Failure('part_failed', {
    what: capital(parts.join('; ')),
    hint: seeAndRepeat(change.verb, [], toRepeat(ids, outcomes)) || undefined,
  });
}

/** A failure that kept others from being tried, with how far it came. */
export function endedBy(
  { code, message: what, why, hint, word, httpStatus, cause }: Failure,
  ids: readonly string[],
  outcomes: Outcomes,
  change: StatusChange,
): Failure {
  const facts = [...done(ids, outcomes, change), ...failed(ids, outcomes, change), ...untried(ids, outcomes)];
  const repeat = `Then repeat the rest: wm webhook ${change.verb} ${toRepeat(ids, outcomes).join(' ')}`;
  return new Failure(code, {
    what,
    why: [...(why ? [why] : []), ...facts].join('; '),
    hint: hint ? `${hint}\n${repeat}` : repeat,
    word,
    httpStatus,
    cause,
  });
}

/** For whoever interrupts it: the first that has no outcome is under way then. */
export function howToGoOn(ids: readonly string[], outcomes: Outcomes, change: StatusChange): string {
  const [current, ...waiting] = ids.filter((id) => !outcomes.has(id));
  const facts = [
    ...done(ids, outcomes, change),
    ...failed(ids, outcomes, change),
    ...untried(waiting, outcomes),
  ];
  const see = [...failures(ids, outcomes, true), ...(current === undefined ? [] : [current])];
  return [facts.join('; '), seeAndRepeat(change.verb, see, toRepeat(ids, outcomes))]
    .filter(Boolean)
    .join('\n');
}

function done(ids: readonly string[], outcomes: Outcomes, { to }: StatusChange): string[] {
  const these = ids.filter((id) => outcomes.has(id) && !(outcomes.get(id) instanceof Failure));
  return these.length > 0 ? [`${and(these)} ${these.length === 1 ? 'is' : 'are'} ${to}`] : [];
}

function failed(ids: readonly string[], outcomes: Outcomes, change: StatusChange): string[] {
  const [not, unknown] = [failures(ids, outcomes, false), failures(ids, outcomes, true)];
  return [
    ...(not.length > 0
      ? [`${not.length} of ${ids.length} webhooks ${were(not)} not ${change.done}: ${and(not)}`]
      : []),
    ...(unknown.length > 0
      ? [
          `of ${and(unknown)} it is not known whether ${unknown.length === 1 ? 'it was' : 'they were'} ${change.done}`,
        ]
      : []),
  ];
}

function failures(ids: readonly string[], outcomes: Outcomes, unknown: boolean): readonly string[] {
  return ids.filter((id) => {
    const outcome = outcomes.get(id);
    return outcome instanceof Failure && mayBeDone(outcome) === unknown;
  });
}

/** After a fault of ours nobody knows either. */
function mayBeDone({ code }: Failure): boolean {
  return code === 'outcome_unknown' || code === 'internal';
}

function untried(ids: readonly string[], outcomes: Outcomes): string[] {
  const these = ids.filter((id) => !outcomes.has(id));
  return these.length > 0 ? [`${and(these)} ${were(these)} not tried`] : [];
}

/** All but those that are as they should be; what is not there will not be there the next time. */
function toRepeat(ids: readonly string[], outcomes: Outcomes): readonly string[] {
  return ids.filter((id) => {
    const outcome = outcomes.get(id);
    return outcome === undefined || (outcome instanceof Failure && outcome.code !== 'not_found');
  });
}

function were(ids: readonly string[]): string {
  return ids.length === 1 ? 'was' : 'were';
}
