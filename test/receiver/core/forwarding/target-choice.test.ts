// Which targets get a delivery with these events.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTargetChoice, type Target } from '#receiver/core/forwarding/target.ts';

const targetOf = (name: string): Target => ({ name, send: () => assert.fail('nothing is sent') });
const eventsOf = (...types: readonly string[]) => ({
  events: types.map((eventType) => ({ eventType })),
  count: types.length,
});

test('events with a route go to it, other events to the rest, and all events to the others', () => {
  const [a, b, rest, print] = ['a', 'b', 'rest', 'print'].map(targetOf);
  assert.ok(a && b && rest && print);
  const choose = createTargetChoice({
    routes: [
      { events: ['One', 'Two'], target: a },
      { events: ['Two'], target: b },
    ],
    rest: [rest],
    every: [print],
  });
  const names = (...types: readonly string[]) => choose(eventsOf(...types)).map(({ name }) => name);
  assert.deepEqual(names('One'), ['a', 'print']);
  assert.deepEqual(names('Two'), ['a', 'b', 'print']);
  assert.deepEqual(names('One', 'Two', 'One'), ['a', 'b', 'print']);
  assert.deepEqual(names('Three', 'One'), ['rest', 'a', 'print']);
  assert.deepEqual(names('constructor'), ['rest', 'print']);
  assert.deepEqual(names(), ['rest', 'print']);
  // Too many to read them all.
  assert.deepEqual(
    choose({ ...eventsOf('One'), count: 10_001 }).map(({ name }) => name),
    ['a', 'b', 'rest', 'print'],
  );
});

test('with only routes, other events have no target', () => {
  const choose = createTargetChoice({
    routes: [{ events: ['One'], target: targetOf('a') }],
    rest: [],
    every: [],
  });
  assert.deepEqual(choose(eventsOf('Two')), []);
});
