// What the page says about deliveries, and which rows its filter shows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bytesText,
  durationText,
  eventNames,
  eventText,
  matchesRowFilter,
  stateText,
  subjectText,
  summaryText,
  trafficText,
} from '#receiver/commands/page/browser/row-words.ts';
import type { DeliveryRow } from '#receiver/commands/page/page-messages.ts';
import { noon } from '#test/clock.ts';

const row: DeliveryRow = {
  sequence: 1042,
  receivedAt: noon,
  bytes: 120,
  events: ['TaskStatusChanged', 'TaskCreated'],
  subjects: ['IEAAAAAQKQAB5BNG', 'IEAAAAAQKQAB5BNH'],
  title: 'Order paper',
  signature: 'valid',
  duplicates: 0,
  state: 'retrying',
  outcome: 'timeout',
  milliseconds: 30_000,
};
const anything = { text: '', event: '', state: '' };

test('the filter: every word somewhere in what the row shows; the event; the state', () => {
  for (const text of [
    '',
    ' ',
    '#1042',
    '1042',
    'taskcreated',
    'order',
    'PAPER order',
    'ieaaaaaqkqab5bng',
    'timeout',
    'retrying',
    'valid',
  ])
    assert.ok(matchesRowFilter(row, { ...anything, text }), text);
  for (const text of ['#042', 'order scissors', 'signature'])
    assert.ok(!matchesRowFilter(row, { ...anything, text }), text);
  assert.ok(matchesRowFilter(row, { ...anything, event: 'TaskCreated' }));
  assert.ok(!matchesRowFilter(row, { ...anything, event: 'CommentAdded' }));
  assert.ok(matchesRowFilter(row, { ...anything, state: 'retrying' }));
  assert.ok(!matchesRowFilter(row, { text: '1042', event: 'TaskCreated', state: 'dead' }));
});

test('words', () => {
  assert.equal(eventText(row), 'TaskStatusChanged +1');
  assert.equal(eventText({ ...row, events: ['TaskCreated'] }), 'TaskCreated');
  assert.equal(eventText({ ...row, events: [] }), 'no event');
  assert.equal(eventNames({ ...row, events: ['TaskCreated'] }), 'TaskCreated');
  assert.equal(
    eventNames({ ...row, events: ['TaskCreated'], moreEvents: 900 }),
    'TaskCreated, then 900 more events',
  );
  assert.equal(subjectText(row), 'Order paper +1');
  assert.equal(subjectText({ ...row, title: '' }), 'IEAAAAAQKQAB5BNG +1');
  assert.equal(subjectText({ ...row, title: '', subjects: [] }), '');
  assert.equal(stateText(row), 'retrying, timeout');
  assert.equal(stateText({ ...row, state: 'waiting', outcome: '' }), 'waiting');
  assert.equal(stateText({ ...row, state: 'no-target', outcome: 'no-target' }), 'no target');
  assert.equal(stateText({ ...row, state: 'dead', outcome: 'exit 1' }), 'dead letter, exit 1');
  assert.deepEqual([0, 1, 1023, 1536, 3 * 1024 * 1024].map(bytesText), [
    '0 bytes',
    '1 byte',
    '1,023 bytes',
    '1.5 KiB',
    '3.0 MiB',
  ]);
  assert.deepEqual([0.4, 999, 1000, 30_000, 1234, 3_600_000].map(durationText), [
    '0 ms',
    '999 ms',
    '1 s',
    '30 s',
    '1.2 s',
    '3,600 s',
  ]);
});

test('the chart in a sentence', () => {
  const timeOf = (minute: number) => `12:0${minute}`;
  assert.equal(trafficText([], timeOf, '12:03'), 'Since 12:03: 0 deliveries, 0 failures.');
  assert.equal(
    trafficText([{ minute: 1, received: 1, failed: 1 }], timeOf, ''),
    'Last hour: 1 delivery, 1 failure. Busiest minute: 12:01, with 1.',
  );
  const minutes = [3, 2000, 2000, 5].map((received, minute) => ({ minute, received, failed: minute }));
  assert.equal(
    trafficText(minutes, timeOf, ''),
    'Last hour: 4,008 deliveries, 6 failures. Busiest minute: 12:01, with 2,000.',
  );
});

test('what happened since the last summary, for a screen reader', () => {
  const none = {
    received: 5,
    duplicates: 0,
    forwarded: 2,
    failedAttempts: 1,
    dead: 0,
    rejected: 0,
    rejectedFor: '',
    lostTrust: 0,
    unfinished: 0,
  };
  assert.equal(summaryText(none, none), '');
  assert.equal(
    summaryText(none, { ...none, received: 2005, forwarded: 1002, failedAttempts: 2, rejected: 3 }),
    '2,000 received, 1,000 forwarded, 1 failed, 3 rejected',
  );
});
