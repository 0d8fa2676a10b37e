// The most likely cause of a suspension: who suspended it, if this machine knows; otherwise what is wrong with its receiver.

import { formatRelativeTime } from '../../../terminal/relative-time.ts';
import type { HistoryEntry } from '../../history/read-history.ts';
import { statusOf } from '../select/read-webhook.ts';
import type { CheckResult } from '../verify/check-result.ts';
import type { Diagnosis } from './diagnosis.ts';

export interface LikelyCause {
  readonly cause: string;
  readonly next?: string;
}

/** `resume`: the command that resumes it. */
export function findLikelyCause(diagnosis: Diagnosis, now: number, resume: string): LikelyCause {
  const { webhook, checks } = diagnosis;
  const failed = checks.find(({ outcome }) => outcome === 'fail');
  const status = statusOf(webhook);
  if (status !== 'Suspended') {
    const is =
      status === undefined ? 'its status is not known' : `it is not suspended: its status is ${status}`;
    if (!failed) return { cause: `${is}, and no check fails` };
    return { cause: `${is}, but deliveries fail. ${describeCheck(failed)}`, ...nextOf(failed) };
  }
  const byHand = suspendedByHand(diagnosis, now);
  if (byHand !== undefined) {
    const also = failed ? `. Its receiver would fail, too. ${describeCheck(failed)}` : '';
    return { cause: `${byHand}${also}`, ...(failed ? nextOf(failed) : { next: `To resume it: ${resume}` }) };
  }
  if (failed) return { cause: describeCheck(failed), ...nextOf(failed) };
  const unchecked = checks.find(({ outcome, check }) => outcome === 'not-checked' && isEssential(check));
  if (checks.length === 0 || unchecked)
    return {
      cause: `not found: ${unchecked ? `${unchecked.check} could not be checked (${unchecked.why})` : 'the record has no URL'}`,
      ...(unchecked ? nextOf(unchecked) : {}),
    };
  return {
    cause:
      'the receiver works now. It failed earlier, or someone suspended the webhook elsewhere; after failed deliveries the service sends an e-mail to its author',
    next: `To resume it: ${resume}`,
  };
}

/** What a conclusion needs: whether some event is accepted. */
function isEssential(check: string): boolean {
  return check === 'events' || check === 'handshake and events' || check.startsWith('event ');
}

function describeCheck({ check, why = '' }: CheckResult): string {
  return `${check}: ${why}`;
}

function nextOf({ fix }: CheckResult): { readonly next?: string } {
  return fix === undefined ? {} : { next: fix };
}

function suspendedByHand({ local, history }: Diagnosis, now: number): string | undefined {
  const note = local?.note;
  if (note)
    return `${note.by} suspended it with wm ${formatRelativeTime(Date.parse(note.at), now)}: ${note.text}`;
  const last = history.findLast(({ ended }) => ended?.outcome !== 'failed');
  if (last && isSuspend(last))
    return `wm suspended it from this machine ${formatRelativeTime(Date.parse(last.begun.at), now)}`;
  const observed = local?.observed;
  if (observed?.status === 'Suspended' && observed.byWm)
    return `wm suspended it from this machine ${formatRelativeTime(Date.parse(observed.since), now)}`;
  return undefined;
}

function isSuspend({ begun }: HistoryEntry): boolean {
  return begun.command === 'webhook suspend';
}
