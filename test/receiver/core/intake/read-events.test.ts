// What is read of a body: for what is long, which is scanned, the same as JSON.parse would find.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { summarize } from '#receiver/archive/deliveries/delivery-summary.ts';
import { createPrintTarget } from '#receiver/core/forwarding/print-target.ts';
import { maxReadEvents, readEvents } from '#receiver/core/intake/read-events.ts';
import { createMetrics } from '#receiver/core/metrics/metrics.ts';
import { anyCharacter } from '#test/support/any-character.ts';
import { createTestClock } from '#test/support/clock.ts';
import { sampleAttempt, sampleDelivery } from './samples.ts';

/** Beyond this a body is scanned. */
const longest = 64 * 1024;
/** Spaces are allowed anywhere between two parts of JSON. */
const lengthen = (text: string) => text + ' '.repeat(Math.max(0, longest + 1 - text.length));
const read = (text: string) => readEvents(Buffer.from(text));

const none = { events: [], count: 0 };

test('type, subject, webhook and title, from a list or a single event, short or long', () => {
  const event = '{"eventType":"TaskCreated","taskId":"T1","webhookId":"W1","fields":{"title":"a \\u00fc"}}';
  const expected = { eventType: 'TaskCreated', subjectId: 'T1', title: 'a ü' };
  for (const change of [(text: string) => text, lengthen]) {
    assert.deepEqual(read(change(event)), { events: [expected], count: 1 });
    assert.deepEqual(read(change(`[${event},5,[],{}]`)), {
      events: [expected, { eventType: '', subjectId: undefined, title: undefined }],
      count: 2,
    });
    for (const wrong of [
      '[{}',
      '[{},]',
      '{"a"}',
      '{"a":}',
      '[{}]x',
      'x',
      '"',
      '[[',
      '{',
      '{"taskId":"T1"',
      '',
    ])
      assert.deepEqual(read(change(wrong)), none, wrong);
    assert.deepEqual(read(change(`[${'['.repeat(64)}${']'.repeat(64)}]`)), none, 'too deep');
    assert.deepEqual(read(change(`[{"a":${'['.repeat(62)}${']'.repeat(62)}}]`)).count, 1);
    assert.deepEqual(read(change(`${'{"fields":'.repeat(65)}1${'}'.repeat(65)}`)), none, 'too deep');
  }
});

test('a long body gives the same as a short one with that JSON', () => {
  const names = [
    'eventType',
    'taskId',
    'folderId',
    'webhookId',
    'title',
    'fields',
    'task\\u0049d',
    '__proto__',
    'a',
  ];
  const texts = fc.oneof(
    fc.string({ unit: anyCharacter }).map((text) => JSON.stringify(text)),
    fc.constantFrom('"]"', '"\\\\"', '"\\""', '"{,"', '"T1"', '""'),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      texts,
      fc.constantFrom('null', 'true', '-1.5e3', '0'),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('value').map(String), { maxLength: 3 }).map((all) => `[ ${all.join(' ,\n')}]`),
    object: fc
      .array(fc.tuple(fc.constantFrom(...names), tie('value').map(String)), { maxLength: 5 })
      .map((members) => `{${members.map(([name, text]) => `"${name}"\t: ${text}`).join(',')} }`),
  }));
  fc.assert(
    fc.property(fc.array(value, { maxLength: 4 }), fc.boolean(), (values, isList) => {
      const text = isList ? `[${values.join(',')}]` : String(values[0] ?? 'null');
      assert.deepEqual(read(lengthen(text)), read(text), text);
    }),
  );
});

test('beyond the limit, events are only counted', () => {
  const text = `[${Array.from({ length: maxReadEvents + 7 }, (_, at) => `{"taskId":"T${at}"}`).join(',')}]`;
  const { events, count } = read(text);
  assert.deepEqual([events.length, count, events.at(-1)?.subjectId], [10_000, 10_007, 'T9999']);
});

test('scans a long body once for all readers of its events', async () => {
  let scans = 0;
  const body = Buffer.from('[{"eventType":"TaskCreated","taskId":"T1"}]'.padEnd(1024 * 1024 + 1));
  const delivery = {
    ...sampleDelivery(),
    get body() {
      scans += 1;
      return body;
    },
  };
  const metrics = createMetrics();
  metrics.onActivity({ kind: 'stored', delivery, milliseconds: 1 });
  const target = createPrintTarget(
    { clock: createTestClock() },
    {
      print: async () => {},
      output: {},
      onReaderGone: () => {},
      events: ['TaskCreated'],
    },
  );
  await target.send(delivery, 1, new AbortController().signal);
  metrics.onActivity({ ...sampleAttempt(1), delivery });
  const { ids } = summarize(delivery, { find: () => undefined, remember: () => {} });
  assert.deepEqual([ids, scans], [['T1'], 1]);
});
