// Finds the most likely cause of a suspension: who suspended the webhook, if this machine knows; otherwise the receiver's fault.

import { statusOf } from '../records/hook.ts';
import { type CheckResult, describeFinding } from '../verification/check-result.ts';
import type { Diagnosis } from './diagnosis.ts';

export interface LikelyCause {
  readonly cause: string;
  readonly next?: string;
}

/** How to write a time: relative on a terminal, in full in a file that is read later. */
export type FormatTime = (at: string) => string;

export function findLikelyCause(diagnosis: Diagnosis, formatTime: FormatTime, resume: string): LikelyCause {
  const { webhook, checks } = diagnosis;
  const failed = checks.find(({ outcome }) => outcome === 'fail');
  const status = statusOf(webhook);
  if (status !== 'Suspended') {
    const statusText =
      status === undefined ? 'its status is not known' : `it is not suspended: its status is ${status}`;
    if (!failed) return { cause: `${statusText}, and no check fails` };
    return {
      cause: `${statusText}, but a check from this machine fails. ${describeFinding(failed)}`,
      ...nextOf(failed),
    };
  }
  const byHand = suspendedByHand(diagnosis, formatTime);
  if (byHand !== undefined) {
    const receiverText = failed ? `. Its receiver would fail, too. ${describeFinding(failed)}` : '';
    return {
      cause: `${byHand}${receiverText}`,
      ...(failed ? nextOf(failed) : { next: `To resume it: ${resume}` }),
    };
  }
  if (failed) return { cause: describeFinding(failed), ...nextOf(failed) };
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

/** A conclusion needs these checks: they show whether any event is accepted. */
function isEssential(check: string): boolean {
  return check === 'events' || check === 'handshake and events' || check.startsWith('event ');
}

function nextOf({ fix }: CheckResult): { readonly next?: string } {
  return fix === undefined ? {} : { next: fix };
}

function suspendedByHand(
  { webhook: { local }, history }: Diagnosis,
  formatTime: FormatTime,
): string | undefined {
  const note = local?.note;
  const observed = local?.observed;
  // A user can add a note to a webhook that the service suspended: the note says why, not who suspended it.
  const elsewhere = observed?.status === 'Suspended' && !observed.byWm;
  if (note && !elsewhere) return `${note.by} suspended it with wm (${formatTime(note.at)}): ${note.text}`;
  const last = history.findLast(({ ended }) => ended?.outcome !== 'failed');
  if (last?.begun.command === 'webhook suspend')
    return `wm suspended it from this machine (${formatTime(last.begun.at)})`;
  if (observed?.status === 'Suspended' && observed.byWm)
    return `wm suspended it from this machine (${formatTime(observed.since)})`;
  return undefined;
}
