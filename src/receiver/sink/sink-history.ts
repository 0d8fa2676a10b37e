// The outcome of a delivery that was finished before its journal was imported, as a remark on its message: the last attempt at each target.
// Delivery and outcome are stored in one message, so that neither is there without the other.

import { parseJsonIfValid } from '../../contract/json.ts';
import {
  boolean,
  choice,
  list,
  number,
  object,
  readLeniently,
  type TypeOf,
  text,
  unlessInvalid,
} from '../../contract/schema.ts';
import type { NatsMessage } from '../../world/world.ts';
import type { Attempt } from '../delivery-journal.ts';

const outcome = list(
  object('attempt', {
    time: number('milliseconds'),
    target: text('target'),
    attempt: number('attempts'),
    milliseconds: number('milliseconds'),
    outcome: text('outcome'),
    verdict: choice('verdict', ['forwarded', 'retry', 'dead']),
    finishes: boolean,
  }),
);

export function writeOutcome(attempts: readonly Attempt[]): string {
  const last = new Map(attempts.map((attempt) => [attempt.target, attempt]));
  const shown: TypeOf<typeof outcome> = [...last.values()].map(
    ({ kind: _kind, sequence: _sequence, ...rest }) => rest,
  );
  return JSON.stringify(shown).replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Empty if the message has no such remark. */
export function readOutcome({
  sequence,
  remark,
}: Pick<NatsMessage, 'sequence' | 'remark'>): readonly Attempt[] {
  if (remark === undefined) return [];
  const found = unlessInvalid(() => readLeniently(outcome, parseJsonIfValid(remark))) ?? [];
  return found.map((attempt) => ({ kind: 'attempt', sequence, ...attempt }));
}
