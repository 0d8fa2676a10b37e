// Draws the top of the page: the problems, what waits for which target, the counters and the chart of the last hour.

import { formatTimeOfDay } from '#dates/local-time.ts';
import { type Html, html } from '#web/html-template.ts';
import { countPossibleDeliveries, describeReasons } from '../archive/deliveries/rejection-reasons.ts';
import { shortTime } from './delivery-html.ts';
import { minuteMs, type PageCounters, shownMinutes } from './page-counters.ts';
import type { SourceState, StuckTarget } from './page-source.ts';

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
