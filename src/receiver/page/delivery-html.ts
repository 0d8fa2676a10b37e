// Draws a delivery: its row in the list, and its details. Strangers write all of it: the templates escape it.

import { isUtf8 } from 'node:buffer';
import { formatSize } from '#cli/count-of.ts';
import { reindentJson } from '#contract/json.ts';
import { formatLocalTime } from '#dates/local-time.ts';
import { type Html, html } from '#web/html-template.ts';
import { describeMore, formatDuration, listSome } from '../archive/deliveries/delivery-line.ts';
import { findTitle, type Titles } from '../archive/deliveries/delivery-summary.ts';
import {
  type DeliveryState,
  type LoggedDelivery,
  lastAttempt,
  stateOf,
} from '../archive/deliveries/logged-delivery.ts';
import type { Replay } from '../archive/deliveries/replays-file.ts';
import type { Attempt, StoredDelivery } from '../core/intake/delivery-journal.ts';

/** How much of a body is shown: a browser would choke on 32 MiB of JSON. */
const mostShownBytes = 256 * 1024;
const longestText = 200;
const mostTexts = 10;

/** The class, icon and words of each state, and of each verdict of an attempt. */
const marks = {
  waiting: ['wait', '○', 'waiting'],
  retrying: ['wait', '↻', 'retrying'],
  forwarded: ['good', '✓', 'forwarded'],
  'no-target': ['', '•', 'no target'],
  dead: ['bad', '✕', 'dead letter'],
  replayed: ['good', '↺', 'replayed'],
  unknown: ['', '•', 'finished, result no longer known'],
  retry: ['wait', '↻', 'failed, tried again'],
  failed: ['bad', '✕', 'failed'],
} as const satisfies Record<DeliveryState | (Attempt | Replay)['verdict'], readonly string[]>;

export const nameOf = (state: keyof typeof marks) => marks[state][2];

function mark(state: keyof typeof marks, text: string): Html {
  const [kind, icon] = marks[state];
  return html`<span class="${kind}" data-icon="${icon}">${text}</span>`;
}

/** `14:31:07`, or `11-22 14:31` if that was another day, in the time zone of `wm webhook log`. */
export function shortTime(time: number, now: number): string {
  const text = formatLocalTime(time);
  return text.slice(0, 10) === formatLocalTime(now).slice(0, 10) ? text.slice(11, 19) : text.slice(5, 16);
}

const shorten = (text: string) => (text.length > longestText ? `${text.slice(0, longestText)}…` : text);

/** The texts of a delivery that both its row and its details show. */
function describeDelivery(delivery: LoggedDelivery, titleOf: Titles['find']) {
  const events = delivery.events.slice(0, mostTexts).map(shorten);
  const ids = delivery.ids.slice(0, mostTexts).map(shorten);
  const title = findTitle(delivery.ids, { find: titleOf });
  const state = stateOf(delivery);
  const { outcome, milliseconds } = lastAttempt(delivery) ?? {};
  const hasOutcome = outcome !== undefined && state !== 'no-target';
  return {
    ...{ events, state },
    subjects: [...(title === undefined ? [] : [shorten(title)]), ...ids].join(', '),
    event: events.length === 0 ? 'no event' : listSome(events, 1),
    task: title === undefined ? listSome(ids, 1) : shorten(title),
    /** Everything that the filter finds. */
    words: [
      `#${delivery.sequence}`,
      ...events,
      ...ids,
      title,
      delivery.signature,
      state,
      nameOf(state),
      outcome,
    ]
      .join('\n')
      .normalize('NFC')
      .toLowerCase(),
    result: mark(state, nameOf(state) + (hasOutcome ? `, ${shorten(outcome)}` : '')),
    took: milliseconds === undefined ? '' : ` ${formatDuration(milliseconds)}`,
  };
}

export function drawRow(delivery: LoggedDelivery, titleOf: Titles['find'], now: number): Html {
  const { sequence, receivedAt, signature, duplicates } = delivery;
  const { events, subjects, event, task, state, words, result, took } = describeDelivery(delivery, titleOf);
  return html`<tr id="delivery-${sequence}" role="row" tabindex="-1" aria-selected="false" data-sequence="${sequence}" data-state="${state}" data-events="${events.join('\n')}" data-words="${words}">
<td role="gridcell" class="muted">#${sequence}</td>
<td role="gridcell" class="muted">${shortTime(receivedAt, now)}</td>
<td role="gridcell" title="${events.join(', ')}">${event}</td>
<td role="gridcell" title="${subjects}">${task}</td>
<td role="gridcell" class="${signature === 'valid' ? 'muted' : 'wait'}">${signature}</td>
<td role="gridcell" class="muted">${duplicates > 0 && `×${duplicates}`}</td>
<td role="gridcell">${result}<span class="milliseconds">${took}</span></td>
</tr>`;
}

/** Elements with ids, whose content the script puts into those of the page. */
export function drawDetails(
  stored: StoredDelivery,
  delivery: LoggedDelivery,
  titleOf: Titles['find'],
  now: number,
): Html {
  const { sequence, receivedAt, bytes, moreEvents, signature, duplicates } = delivery;
  const { events, subjects, event, result } = describeDelivery(delivery, titleOf);
  const facts = {
    State: result,
    Received: formatLocalTime(receivedAt),
    Events: events.join(', ') + describeMore(moreEvents),
    Task: subjects || 'none named',
    Signature: signature === 'valid' ? 'valid' : 'not checked: unsigned webhooks are accepted',
    Duplicates: duplicates === 0 ? 'none' : `sent ${duplicates + 1} times`,
    Path: stored.path,
    Body: formatSize(bytes),
  };
  return html`<h2 id="details-title">#${sequence} ${event}</h2>
<dl id="facts">${Object.entries(facts).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
<div id="attempts">${drawAttempts(delivery, now)}</div>
<div id="content">${drawBody(stored.body)}</div>
<div id="headers"><table aria-label="Headers"><tbody>
${stored.headers.map(([name, value]) => html`<tr><td>${name}</td><td>${value}</td></tr>`)}
</tbody></table></div>`;
}

function drawAttempts({ attempts, replays }: LoggedDelivery, now: number): Html {
  const all = [...attempts, ...replays].toSorted((a, b) => a.time - b.time);
  if (all.length === 0) return html`<p class="muted">None yet.</p>`;
  return html`<table aria-label="Attempts"><thead><tr><th scope="col">Time</th><th scope="col">Target</th><th scope="col">Result</th></tr></thead><tbody>
${all.map(
  (made) => html`<tr><td>${shortTime(made.time, now)}</td>
<td>${made.target}${!('attempt' in made) && ' (replay)'}</td>
<td>${mark(made.verdict, made.outcome)} ${nameOf(made.verdict)}, ${formatDuration(made.milliseconds)}${
    made.detail !== undefined && html`<div class="detail">${made.detail}</div>`
  }</td></tr>`,
)}
</tbody></table>`;
}

/** What a replay led to. `problem`: why the delivery was not sent to every target. */
export function drawReplays(replays: readonly Replay[], problem: string | undefined): Html {
  const lines = replays.map(
    ({ verdict, outcome, milliseconds, target }) =>
      html`<div>${mark(verdict, `${nameOf(verdict)}, ${outcome}`)} in ${formatDuration(milliseconds)} by ${target}</div>`,
  );
  return html`<div id="replay-state">${lines}${problem && html`<div>${mark('failed', `Not replayed: ${problem}`)}</div>`}</div>`;
}

function drawBody(body: Uint8Array): Html {
  const isWhole = body.length <= mostShownBytes;
  // `stream` drops a character that the limit cuts in two.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body.subarray(0, mostShownBytes), {
    stream: !isWhole,
  });
  const pretty = isWhole ? reindentJson(text) : undefined;
  const notes = [
    isWhole ? '' : 'Only the beginning is shown.',
    isUtf8(body) ? '' : 'It is not UTF-8; the bytes that are not are shown as \ufffd.',
    isWhole && text !== '' && pretty === undefined ? 'It is not JSON.' : '',
    text === '' ? 'It is empty.' : '',
  ];
  // The first line break within a pre does not count.
  return html`<p class="wait" id="body-note">${notes.filter(Boolean).join(' ')}</p>
<pre id="body" tabindex="0" aria-label="Body">\n${pretty ?? text}</pre>`;
}
