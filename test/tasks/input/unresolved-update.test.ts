// An update that still has names cannot be sent: it does not compile, and what sends an update rejects the names.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepareRequest } from '#client/request.ts';
import type { Session } from '#client/session.ts';
import { operations } from '#contract/operations.ts';
import type { TaskUpdate } from '#contract/task.ts';
import { Failure } from '#failure.ts';
import { isResolved, type UnresolvedUpdate } from '#tasks/input/unresolved-update.ts';

const named: readonly (readonly [what: string, update: UnresolvedUpdate])[] = [
  ['a user', { addResponsibles: ['KUAABENQ', 'Ben Okafor'] }],
  ['a custom status', { customStatus: 'In review' }],
  ['a custom field', { customFields: [{ title: 'Risk', value: 'High' }] }],
];

/** `tsc` checks this; it never runs. Each line below has to be an error. */
export function doesNotCompile(session: Session, update: UnresolvedUpdate): void {
  // @ts-expect-error An unresolved update is not sent.
  void session.send(operations.updateTask, { taskId: 'IEAAAAAQKQAB5BNG' }, update);
  // @ts-expect-error Nor is a request made of it.
  prepareRequest(operations.updateTask, { taskId: 'IEAAAAAQKQAB5BNG' }, update);
  // @ts-expect-error Nor does it pass for a resolved one.
  const resolved: TaskUpdate = update;
  assert.ok(resolved);
}

for (const [what, update] of named) {
  test(`an update with ${what} by name is unresolved, and cannot become a request`, () => {
    assert.equal(isResolved(update), false);
    const untyped: Record<string, unknown> = update;
    assert.throws(
      () => prepareRequest(operations.updateTask, { taskId: 'IEAAAAAQKQAB5BNG' }, untyped as TaskUpdate),
      (error: unknown) => error instanceof Failure && error.code === 'usage',
    );
  });
}

test('an update with only ids is resolved, and can become a request', () => {
  const update: UnresolvedUpdate = {
    addResponsibles: ['KUAABENQ'],
    customStatus: 'IEAAAAAQJMAB5BNG',
    customFields: [{ id: 'IEAAAAAQJUAB5NUM', value: '12' }],
  };
  assert.ok(isResolved(update));
  assert.doesNotThrow(() => prepareRequest(operations.updateTask, { taskId: 'IEAAAAAQKQAB5BNG' }, update));
});
