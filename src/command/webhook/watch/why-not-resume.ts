// Why a suspended webhook must stay as it is: somebody suspended it on purpose, or nobody can tell. The service gives no reason for
// a suspension, so only what this machine has recorded counts, and what is not known counts against resuming.
// docs/decisions/resume-when-healthy.md

import type { HistoryEntry } from '../../history/read-history.ts';
import type { LocalWebhook } from '../../webhook-records/local-webhook.ts';

/** The commands after which a suspension is one of the service. */
const resumingCommands = ['webhook resume', 'webhook watch'];

/** `history`: the changes of this webhook, the newest last. Undefined if the service alone may have suspended it. */
export function whyKeptSuspended(
  local: LocalWebhook | undefined,
  history: readonly HistoryEntry[],
): string | undefined {
  const { note, observed, created, keptSuspended } = local ?? {};
  if (note) return `it has a note by ${note.by}: ${note.text}`;
  if (keptSuspended !== undefined)
    return 'wm webhook suspend was run for it while it was suspended, so it is to stay so';
  const last = lastStatusChange(history);
  if (last && !resumingCommands.includes(last.begun.command))
    return `the last change of it from this machine was wm ${last.begun.command}, so it may be suspended on purpose`;
  if (observed?.byWm === true && observed.status === 'Suspended') return 'wm suspended it from this machine';
  // A suspension that is older than what wm knows may be anyone's.
  if (observed?.before === undefined && created === undefined)
    return 'wm has never seen it active, so somebody may have suspended it on purpose';
  return undefined;
}

/** One that was not made says nothing; a resumption must have been made. */
function lastStatusChange(history: readonly HistoryEntry[]): HistoryEntry | undefined {
  return history.findLast(({ begun, ended }) => {
    if (begun.operation !== 'updateWebhook' || ended?.outcome === 'failed') return false;
    return ended?.outcome === 'done' || !resumingCommands.includes(begun.command);
  });
}

const dayMs = 24 * 3_600_000;

/** How often `wm webhook watch` may have resumed it within the last 24 hours, also in other processes. */
export function countResumes(history: readonly HistoryEntry[], now: number): number {
  return history.filter(
    ({ begun, ended }) =>
      begun.command === 'webhook watch' &&
      begun.operation === 'updateWebhook' &&
      ended?.outcome !== 'failed' &&
      now - Date.parse(begun.at) < dayMs,
  ).length;
}
