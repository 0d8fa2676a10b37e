// Formats a diagnosis as lines: the facts, in the order in which a user would check them, and the most likely cause.

import type { Context } from '#cli/context.ts';
import { historyColumns } from '#cli/history-columns.ts';
import type { HistoryEntry } from '#local-records/history/read-history.ts';
import { formatRelativeTime } from '#terminal/relative-time.ts';
import type { Column } from '#terminal/table.ts';
import { describeSince } from '../columns.ts';
import { isActive, nameIds, webhooksDeliver } from '../matching/other-webhooks.ts';
import {
  type CheckResult,
  describeCheck,
  describeFinding,
  withoutRepeats,
} from '../verification/check-result.ts';
import { preventsDelivery } from '../verification/handshake-checks.ts';
import type { Diagnosis } from './diagnosis.ts';

interface Fact {
  readonly about: string;
  readonly finding: string;
  readonly next?: string | undefined;
}

export const factColumns: readonly Column<Fact>[] = [
  { title: 'about', cell: ({ about }) => about },
  { title: 'found', cell: ({ finding }) => finding },
  { title: 'next', cell: ({ next }) => next ?? '' },
];

/** ISO 8601, as recorded. */
export const inFull: FormatTime = (at) => at;

/** In a pipe one line each; on a terminal one block, since the texts are too long for columns. */
export async function showFacts(context: Context, diagnosis: Diagnosis, resume: string): Promise<void> {
  const isForPerson = context.world.streams.output.isTerminal;
  const now = context.world.clock.now();
  const formatTime = isForPerson ? (at: string) => formatRelativeTime(Date.parse(at), now) : inFull;
  const cause = findLikelyCause(diagnosis, formatTime, resume);
  const facts = toFacts(diagnosis, cause, formatTime, isForPerson);
  const report = context.report.asMessages();
  if (!isForPerson) return report.list({ columns: factColumns, records: facts, raw: [] });
  // The cause comes last: the beginning may scroll away.
  const lines = [...facts.slice(1), ...facts.slice(0, 1)].flatMap(({ about, finding, next }) => [
    { title: about, cell: () => finding },
    ...(next === undefined ? [] : [{ title: 'what to do', cell: () => next }]),
  ]);
  await report.one({ columns: lines, records: [undefined], raw: [] });
}

function toFacts(
  diagnosis: Diagnosis,
  { cause, next }: LikelyCause,
  formatTime: FormatTime,
  isForPerson: boolean,
): readonly Fact[] {
  const { webhook, others, history, checks } = diagnosis;
  const active = others.filter(isActive);
  const ids = active.map(({ record }) => record.id);
  const sameUrl = `${webhooksDeliver(ids.length, 'more active')} there: ${nameIds(ids)}`;
  const { local } = webhook;
  const { status, hookUrl } = webhook.record;
  const since = describeSince(webhook, formatTime);
  const note = local?.note;
  const failed = checks.find(preventsDelivery);
  const checkByReason = new Map(failed?.why === undefined ? [] : [[failed.why, 'likely cause']]);
  return [
    { about: 'likely cause', finding: cause, next },
    { about: 'record', finding: `${status ?? 'no status'}, ${hookUrl ?? 'no URL'}` },
    ...(active.length === 0 ? [] : [{ about: 'same URL', finding: sameUrl }]),
    { about: 'since', finding: since || 'not known: wm has not seen the change' },
    ...(note ? [{ about: 'note', finding: `${note.text} (${note.by}, ${formatTime(note.at)})` }] : []),
    ...history.map((entry) => ({
      about: 'history',
      finding: [
        ...(isForPerson ? [formatTime(entry.begun.at)] : cellsOf(entry, ['time'])),
        ...cellsOf(entry, ['command', 'outcome', 'code', 'note']),
      ]
        .filter(Boolean)
        .join(isForPerson ? ', ' : ' '),
    })),
    ...(history.length === 0 ? [{ about: 'history', finding: 'wm changed nothing from this machine' }] : []),
    ...(isForPerson ? withoutRepeats(checks, checkByReason).map(toShownFact) : checks.map(toPlainFact)),
  ];
}

/** Event names are too long for the first column. */
function toShownFact(result: CheckResult): Fact {
  const [, names] = /^event (.+)$/.exec(result.check) ?? [];
  const finding = describeCheck(result);
  return names === undefined
    ? { about: result.check, finding }
    : { about: 'events', finding: `${names}: ${finding}` };
}

function toPlainFact({ check, outcome, why, fix }: CheckResult): Fact {
  return { about: check, finding: why === undefined ? outcome : `${outcome}: ${why}`, next: fix };
}

function cellsOf(entry: HistoryEntry, titles: readonly string[]): readonly string[] {
  return historyColumns.filter(({ title }) => titles.includes(title)).map(({ cell }) => cell(entry));
}

type LikelyCause = ReturnType<typeof findLikelyCause>;

/** How to write a time: relative on a terminal, in full in a file that is read later. */
type FormatTime = (at: string) => string;

export function findLikelyCause(diagnosis: Diagnosis, formatTime: FormatTime, resume: string) {
  const { webhook, checks } = diagnosis;
  const failed = checks.find(preventsDelivery);
  const status = webhook.record.status;
  if (status !== 'Suspended') {
    const statusText =
      status === undefined ? 'its status is not known' : `it is not suspended: its status is ${status}`;
    const bad = checks.find(({ outcome }) => outcome === 'fail');
    if (!bad) return { cause: `${statusText}, and no check fails` };
    const cause = `${statusText}, but a check from this machine fails. ${describeFinding(bad)}`;
    return { cause, next: bad.fix };
  }
  const byHand = suspendedByHand(diagnosis, formatTime);
  if (byHand !== undefined) {
    const receiverText = failed ? `. Its receiver would fail, too. ${describeFinding(failed)}` : '';
    return { cause: `${byHand}${receiverText}`, next: failed ? failed.fix : `To resume it: ${resume}` };
  }
  if (failed) return { cause: describeFinding(failed), next: failed.fix };
  const unchecked = checks.find(({ outcome, check }) => outcome === 'not-checked' && isEssential(check));
  if (checks.length === 0) return { cause: 'not found: the record has no URL', next: undefined };
  if (unchecked) {
    const cause = `not found: ${unchecked.check} could not be checked (${unchecked.why})`;
    return { cause, next: unchecked.fix };
  }
  const cause =
    'the receiver works now. It failed earlier, or someone suspended the webhook elsewhere; after failed deliveries the service sends an e-mail to its author';
  return { cause, next: `To resume it: ${resume}` };
}

/** A conclusion needs these checks: they show whether any event is accepted. */
function isEssential(check: string): boolean {
  return check === 'events' || check === 'handshake and events' || check.startsWith('event ');
}

function suspendedByHand({ webhook: { local }, history }: Diagnosis, formatTime: FormatTime) {
  const note = local?.note;
  const observed = local?.observed;
  // A user can add a note to a webhook that the service suspended: the note says why, not who suspended it.
  const elsewhere = observed?.status === 'Suspended' && !observed.byWm;
  if (note && !elsewhere) return `${note.by} suspended it with wm (${formatTime(note.at)}): ${note.text}`;
  const last = history.findLast(
    ({ begun, ended }) => begun.operation === 'updateWebhook' && ended?.outcome !== 'failed',
  );
  const own = observed?.status === 'Suspended' && observed.byWm ? observed.since : undefined;
  const at = last?.begun.command === 'webhook suspend' ? last.begun.at : own;
  return at && `wm suspended it from this machine (${formatTime(at)})`;
}
