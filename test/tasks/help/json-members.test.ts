// The rows of a help page about JSON: one for each member, with the path to it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choice, list, number, object, optional, text } from '#contract/schema.ts';
import { taskEffort } from '#contract/task.ts';
import { memberRows } from '#tasks/help/json.ts';

test('lists members of objects, and of lists of objects, with their paths', () => {
  const { shape } = object('outer', {
    plain: text('text'),
    inner: object('inner', { least: optional(number('minutes')) }),
    entries: optional(list(object('entry', { kind: choice('kind', ['One', 'Two']) }))),
  });
  assert.deepEqual(
    memberRows(shape).map(([member]) => member),
    ['plain', 'inner', 'inner.least', 'entries', 'entries[].kind'],
  );
  const rows = new Map(memberRows(shape));
  assert.equal(rows.get('plain'), 'required; text');
  assert.match(rows.get('inner.least') ?? '', /^minutes/);
  assert.equal(rows.get('entries'), 'a list of objects');
  assert.equal(rows.get('entries[].kind'), 'required; One, Two');
});

test('describes members that have their own flag at that flag', () => {
  const rows = new Map(memberRows(taskEffort.shape));
  assert.equal(rows.get('responsibleAllocation'), 'as in --set-responsible-allocation');
  assert.ok(![...rows.keys()].some((member) => member.startsWith('responsibleAllocation[]')));
});
