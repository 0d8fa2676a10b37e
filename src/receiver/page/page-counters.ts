// Counts what happens while the page is served, in all and for each minute of its chart. The chart uses the wall clock, as its labels do:
// if the clock is set back, new bars appear further left.

import { describeFailure } from '../archive/deliveries/logged-delivery.ts';
import type { RejectionReason } from '../core/intake/delivery-journal.ts';
import type { PageActivity } from './page-source.ts';

export const shownMinutes = 60;
export const minuteMs = 60_000;
/** Screen readers get a summary this often, instead of a message for each delivery. */
const summaryMs = 10_000;

export type PageCounters = ReturnType<typeof createPageCounters>;

export function createPageCounters(startedAt: number) {
  const counts = { received: 0, forwarded: 0, failed: 0, dead: 0, rejected: 0 };
  const rejectedFor: Partial<Record<RejectionReason, number>> = {};
  /** Why a target cannot be reached, and its last failure, by its name. */
  const outages = new Map<string, string>();
  const failures = new Map<string, string>();
  const minutes = new Map<number, { received: number; failed: number }>();
  let summary = { time: startedAt, text: '', counts: { ...counts } };

  const isShown = (minute: number, now: number) => {
    const age = Math.floor(now / minuteMs) - minute;
    return age >= 0 && age < shownMinutes;
  };
  const addToMinute = (received: number, failed: number, now: number) => {
    if (received + failed === 0) return;
    const current = Math.floor(now / minuteMs);
    const sums = minutes.get(current) ?? { received: 0, failed: 0 };
    minutes.set(current, { received: sums.received + received, failed: sums.failed + failed });
    for (const minute of minutes.keys()) if (!isShown(minute, now)) minutes.delete(minute);
  };
  return {
    startedAt,
    counts,
    rejectedFor,
    outages,
    failures,
    add(activity: PageActivity, now: number) {
      let [received, failed] = [0, 0];
      if (activity.kind === 'stored') received = 1;
      else if (activity.kind === 'passed') received = activity.count;
      else if (activity.kind === 'rejected') {
        failed = 1 + (activity.leftOut ?? 0);
        counts.rejected += failed;
        rejectedFor[activity.reason] = (rejectedFor[activity.reason] ?? 0) + failed;
      } else if (activity.kind === 'attempt' && activity.verdict === 'forwarded') counts.forwarded++;
      else if (activity.kind === 'attempt') {
        failed = 1;
        counts.failed++;
        if (activity.verdict === 'dead') counts.dead++;
        failures.set(activity.target, describeFailure(activity));
      } else if (activity.kind === 'target' && activity.fault === undefined) outages.delete(activity.target);
      else if (activity.kind === 'target') outages.set(activity.target, activity.fault ?? '');
      counts.received += received;
      addToMinute(received, failed, now);
    },
    /** Without empty minutes. */
    minutes: (now: number) =>
      [...minutes].flatMap(([minute, sums]) => (isShown(minute, now) ? [{ minute, ...sums }] : [])),
    /** `1,000 forwarded, 3 rejected`: what happened in the last ten seconds or more in which something did. */
    summary(now: number) {
      if (Math.abs(now - summary.time) < summaryMs) return summary.text;
      const parts = (['received', 'forwarded', 'failed', 'rejected'] as const)
        .map((name) => [counts[name] - summary.counts[name], name] as const)
        .flatMap(([count, name]) => (count > 0 ? [`${count.toLocaleString('en')} ${name}`] : []));
      summary = { time: now, text: parts.join(', ') || summary.text, counts: { ...counts } };
      return summary.text;
    },
  };
}
