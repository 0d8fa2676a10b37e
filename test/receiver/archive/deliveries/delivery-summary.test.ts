// What a line says about a delivery, whatever its body is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeDelivery } from '#receiver/archive/deliveries/delivery-line.ts';
import { createTitleCache, summarize } from '#receiver/archive/deliveries/delivery-summary.ts';
import { deliveryOf } from '#test/receiver/core/intake/samples.ts';
import { noon } from '#test/support/clock.ts';

test('events and their subjects, without repeats; the title in an event is remembered', () => {
  const titles = createTitleCache();
  const first = summarize(
    deliveryOf([
      { eventType: 'TaskTitleChanged', taskId: 'IEAAAAAQKQAB5BNG', title: 'Write the launch page' },
      { eventType: 'TaskTitleChanged', taskId: 'IEAAAAAQKQAB5BNG', title: 'Write it' },
      { eventType: 'TaskCreated', taskId: 'IEAAAAAQKQAB5BUG', fields: { title: 'Another' } },
    ]),
    titles,
  );
  assert.deepEqual(first, {
    sequence: 1,
    receivedAt: noon,
    signature: 'valid',
    events: ['TaskTitleChanged', 'TaskCreated'],
    ids: ['IEAAAAAQKQAB5BNG', 'IEAAAAAQKQAB5BUG'],
    title: 'Write it',
  });
  const next = summarize(deliveryOf([{ eventType: 'TaskDeleted', taskId: 'IEAAAAAQKQAB5BUG' }]), titles);
  assert.equal(next.title, 'Another');
});

test('a body that is not JSON, or names nothing, has no events', () => {
  const titles = createTitleCache();
  for (const body of ['', 'no JSON', '[]', '[5,null,"x"]', '{"eventType":5,"taskId":{}}']) {
    const { events, ids, title } = summarize(deliveryOf(body), titles);
    assert.deepEqual({ events, ids, title }, { events: [], ids: [], title: undefined }, body.slice(0, 40));
  }
});

test('shows the first 100 events of a large or crowded body, and how many follow', () => {
  const titles = createTitleCache();
  const large = `[{"eventType":"TaskCreated","taskId":"T1","title":"Plan","comment":"${'x'.repeat(300_000)}"}]`;
  const { events, ids, title } = summarize(deliveryOf(large), titles);
  assert.deepEqual({ events, ids, title }, { events: ['TaskCreated'], ids: ['T1'], title: 'Plan' });
  const many = `[${'{"eventType":"TaskCreated"},'.repeat(100)}${'{"eventType":"TaskDeleted"},'.repeat(70_000)}{}]`;
  const summary = summarize(deliveryOf(many), titles);
  assert.deepEqual([summary.events, summary.moreEvents], [['TaskCreated'], 70_001]);
  assert.match(describeDelivery(summary), /TaskCreated, then 70,001 more events/);
});

test('a hostile body floods neither the line nor the memory', () => {
  const titles = createTitleCache();
  const many = Array.from({ length: 1_000 }, (_, at) => ({
    eventType: `E${at}`,
    taskId: `T${at}`,
    title: 'x'.repeat(220),
  }));
  for (const at of [0, 200, 400]) summarize(deliveryOf(many.slice(at, at + 200)), titles);
  const { events, ids, title } = summarize(deliveryOf(many.slice(0, 200)), titles);
  assert.deepEqual([events.length, ids.length, title?.length], [20, 20, 200]);
  for (let at = 0; at < 10_000; at++) titles.remember(`N${at}`, 'new');
  assert.equal(titles.find('T500'), undefined);
  assert.equal(titles.find('N0'), 'new');
});
