// What the responses of a probe show of each assumption: it held, the service differs, or nothing was seen of it, and why not.

import { type AssumptionId, assumptions } from '../../../contract/assumption.ts';
import { describe, type Judgement, judgements, notSeen, type Verdict } from './assumption-judgements.ts';
import type { Observation, Step } from './probe-requests.ts';
import { whyNotShown } from './unseen-assumptions.ts';

export interface Finding extends Verdict {
  readonly id: AssumptionId;
  readonly about: string;
  readonly assumed: string;
}

/** Why a response shows nothing; undefined if it shows something. */
function whyUnseen({ status, body, why }: Observation): string | undefined {
  if (why !== undefined) return why;
  if (status === 0) return 'the record does not contain it';
  if (status >= 500) return `the service responded with ${status}`;
  if (body === undefined) return `the response is not JSON of the service (${status})`;
  return undefined;
}

function judge({ from, judge, judges }: Judgement, seen: (step: Step) => Observation): Verdict {
  const observations = from.map(seen);
  for (const one of observations) {
    const why =
      judges === 'every status' && one.status !== 0 && one.status < 500 ? undefined : whyUnseen(one);
    if (why !== undefined) return notSeen(why);
    if (one.status === 403 && judges === undefined)
      return notSeen(`the user or the token may not read it (${describe(one)})`);
  }
  return judge(...observations);
}

export function judgeAll(seen: (step: Step) => Observation): readonly Finding[] {
  const rows: Partial<Record<AssumptionId, Judgement>> = judgements;
  const reasons: Partial<Record<AssumptionId, string>> = whyNotShown;
  return assumptions.map(({ id, about, assumed }) => {
    const row = rows[id];
    const verdict = row ? judge(row, seen) : notSeen(reasons[id] ?? '');
    return { id, about, assumed, ...verdict };
  });
}
