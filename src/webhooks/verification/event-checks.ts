// Summarizes the samples of each event: which were accepted, and what the rejected ones have in common.

import type { EventName } from '#contract/event.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { type CheckResult, failed, notChecked, type Problem, passed } from './check-result.ts';
import { hasTaskId } from './sample-delivery.ts';

export interface EventOutcome {
  readonly event: EventName;
  readonly problem: Problem | undefined;
  /** True if deliveries may be signed and the sample was not: the problem then proves nothing. */
  readonly isUnsure?: boolean;
  readonly ms: number;
}

/** One line for the accepted samples, and one for each kind of problem. */
export function eventResults(outcomes: readonly EventOutcome[]): readonly CheckResult[] {
  const groups = new Map<string | undefined, EventOutcome[]>();
  for (const outcome of outcomes) {
    const why = outcome.problem?.why;
    groups.set(why, [...(groups.get(why) ?? []), outcome]);
  }
  return [...groups.values()].map((group) => {
    const check = nameEvents(group.map(({ event }) => event));
    const ms = Math.max(...group.map((outcome) => outcome.ms));
    const [first] = group;
    if (!first?.problem)
      return { ...passed(check, group.length === 1 ? 'accepted' : `${group.length} kinds accepted`), ms };
    return { ...toResult(check, first.problem, first.isUnsure === true), ms };
  });
}

function toResult(check: string, problem: Problem, isUnsure: boolean): CheckResult {
  return isUnsure ? { check, outcome: 'not-checked', ...problem } : failed(check, problem);
}

const mostNamed = 3;

function nameEvents(events: readonly EventName[]): string {
  if (events.length <= mostNamed) return `event ${joinWithAnd(events)}`;
  return `event ${events.slice(0, mostNamed - 1).join(', ')} and ${events.length - mostNamed + 1} more`;
}

export function taskIdResult(outcomes: readonly EventOutcome[]): CheckResult {
  const check = 'events without taskId';
  const withId = outcomes.filter(({ event }) => hasTaskId(event));
  const without = outcomes.filter(({ event }) => !hasTaskId(event));
  const broken = without.filter(({ problem }) => problem !== undefined);
  const [first] = broken;
  if (without.length === 0) return notChecked(check, 'the webhook delivers none');
  if (first === undefined) return passed(check);
  if (withId.some(({ problem }) => problem === undefined))
    return failed(check, {
      why: `the receiver handles events with a taskId, and not those without, such as ${first.event}`,
      fix: 'Ignore events that the receiver does not handle, and respond to them with 200.',
    });
  return notChecked(check, 'no event is accepted');
}
