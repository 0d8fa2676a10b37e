// Counts what happens while the page is served, in all and for each minute of its chart, and draws the top of the page: the problems, what
// waits for which target, the counters and the chart of the last hour. The chart uses the wall clock, as its labels do: if the clock is
// set back, new bars appear further left.

import { formatTimeOfDay } from '#dates/local-time.ts';
import { type Html, html } from '#web/html-template.ts';
import { describeFailure } from '../archive/deliveries/logged-delivery.ts';
import { countPossibleDeliveries, describeReasons } from '../archive/deliveries/rejection-reasons.ts';
import type { RejectionReason } from '../core/intake/delivery-journal.ts';
import { shortTime } from './delivery-html.ts';
import type { PageActivity, SourceState, StuckTarget } from './page-source.ts';

/** Elements with ids, whose content the script puts into those of the page. */
export function drawOverview(counters: PageCounters, state: SourceState, now: number): Html {
  const { failures } = counters;
  const stuck = state.stuck.map((row) => describeStuck(row, failures.get(row.target) ?? row.failure, now));
  return html`<div id="problems">${paragraphs(describeProblems(counters, state, now))}</div>
<div id="stuck">${paragraphs(stuck)}</div>
<dl id="counters">${drawCounters(counters, state)}</dl>
<figure id="traffic">${drawTraffic(counters, now)}</figure>
<p id="summary">${counters.summary(now)}</p>`;
}

const paragraphs = (texts: readonly string[]) => texts.map((text) => html`<p>${text}</p>`);

function describeProblems({ outages }: PageCounters, { fault, stale }: SourceState, now: number) {
  return [
    fault !== undefined &&
      `Deliveries cannot be stored: ${fault}. The service gets 503 and sends each of them again later.`,
    stale !== null &&
      `The sink does not respond: ${stale.why}. This page is from ${shortTime(stale.since, now)}, and continues by itself.`,
    ...[...outages].map(([target, why]) => `${target} cannot be reached; its deliveries wait: ${why}`),
  ].filter((text) => text !== false);
}

/** `http://127.0.0.1:3000/hook: 12 deliveries wait, 3 of them after a failure; the oldest came at 14:31:07. Last failure: 500.` */
function describeStuck(
  { target, waiting, retrying, isBehind, oldest }: StuckTarget,
  failure = '',
  now: number,
): string {
  const many = isBehind ? `more than ${numberOf(waiting)} deliveries` : countDeliveries(waiting);
  const isOne = waiting === 1 && !isBehind;
  const failed = retrying === 0 ? '' : `, ${isOne ? '' : `${numberOf(retrying)} of them `}after a failure`;
  const last = failure === '' ? '' : ` Last failure: ${failure}.`;
  return `${target}: ${many} ${isOne ? 'waits' : 'wait'}${failed}; ${isOne ? 'it' : 'the oldest'} came at ${shortTime(oldest, now)}.${last}`;
}

function drawCounters({ counts, rejectedFor }: PageCounters, { unfinished }: SourceState): readonly Html[] {
  const reasons = describeReasons(rejectedFor);
  const rows: readonly (readonly [name: string, count: number, isBad?: boolean, more?: Html | false])[] = [
    ['Received', counts.received],
    ['Forwarded', counts.forwarded],
    ['Unfinished', unfinished],
    ['Failed attempts', counts.failed, counts.failed > 0],
    ['Dead letters', counts.dead, counts.dead > 0],
    // A request that cannot have been a delivery, such as a visit with a browser, is harmless.
    [
      'Rejected',
      counts.rejected,
      countPossibleDeliveries(rejectedFor) > 0,
      reasons !== '' && html`<small> ${reasons}</small>`,
    ],
  ];
  return rows.map(
    ([name, count, isBad = false, more]) =>
      html`<div><dt class="muted">${name}</dt><dd${isBad && html` class="bad"`}>${numberOf(count)}${more}</dd></div>`,
  );
}

const numberOf = (count: number) => count.toLocaleString('en');
const countDeliveries = (count: number) => `${numberOf(count)} ${count === 1 ? 'delivery' : 'deliveries'}`;

const barWidth = 8;
const [axisAlone, axisAboveFailures, height] = [95, 68, 96];

/** Draws deliveries upwards and failures downwards, at one scale. */
function drawTraffic(counters: PageCounters, now: number): readonly Html[] {
  const minutes = counters.minutes(now);
  const most = Math.max(1, ...minutes.map(({ received }) => received));
  const mostFailed = Math.max(0, ...minutes.map(({ failed }) => failed));
  const axis = mostFailed === 0 ? axisAlone : axisAboveFailures;
  const first = Math.floor(now / minuteMs) - shownMinutes + 1;
  const bar = (minute: number, name: string, y: number, height: number) =>
    html`<rect class="${name}" x="${(minute - first) * barWidth}" y="${y}" width="${barWidth - 2}" height="${height}"/>`;
  const scale = Math.min(axis / most, (height - axis) / mostFailed);
  // At least two pixels: a single failure stays visible.
  const lengthOf = (count: number) => (count === 0 ? 0 : Math.max(2, count * scale));
  const bars = minutes.flatMap(({ minute, received, failed }) => {
    const [up, down] = [lengthOf(received), lengthOf(failed)];
    return [bar(minute, 'good', axis - up, up), bar(minute, 'bad', axis + 1, down)];
  });
  return [
    html`<svg id="chart" role="img" fill="currentColor" viewBox="0 0 ${shownMinutes * barWidth} ${height}" preserveAspectRatio="none" aria-labelledby="chart-text">
<rect class="muted" y="${axis}" width="${shownMinutes * barWidth}" height="1"/>${bars}</svg>`,
    html`<figcaption class="muted" id="chart-text">${describeTraffic(minutes, now, counters.startedAt)}</figcaption>`,
  ];
}

/** Nothing is known from before the start. */
function describeTraffic(minutes: ReturnType<PageCounters['minutes']>, now: number, startedAt: number) {
  const minuteOf = (time: number) => formatTimeOfDay(time).slice(0, 5);
  const received = minutes.reduce((sum, minute) => sum + minute.received, 0);
  const failed = minutes.reduce((sum, minute) => sum + minute.failed, 0);
  const [busiest] = minutes.toSorted((a, b) => b.received - a.received);
  const since = now - startedAt < shownMinutes * minuteMs ? `Since ${minuteOf(startedAt)}` : 'Last hour';
  const sums = `${since}: ${countDeliveries(received)}, ${numberOf(failed)} ${failed === 1 ? 'failure' : 'failures'}.`;
  if (busiest === undefined || received === 0) return sums;
  return `${sums} Busiest minute: ${minuteOf(busiest.minute * minuteMs)}, with ${numberOf(busiest.received)}.`;
}

const shownMinutes = 60;
const minuteMs = 60_000;
/** Screen readers get a summary this often, instead of a message for each delivery. */
const summaryMs = 10_000;

type PageCounters = ReturnType<typeof createPageCounters>;

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
