// The events of a delivery, as programs get them. test/witness/events.ts lists their fields; compiling test/package/receiver.ts checks
// the types.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EventName, eventNames, events } from '#contract/event.ts';
import { exampleIds, samplePayload, toPayload } from '#contract/payload.ts';
import { readTypedEvent } from '#contract/typed-event.ts';
import * as witness from '../witness/events.ts';

const head = { webhookId: 'IEW', authorId: 'KUA', date: '2026-02-02T09:00:00Z', subjectId: 'IES' };
const sample = (event: EventName) => toPayload(event, head, samplePayload(event, exampleIds, 'A title'));

test('reads a sample of each event as that event, unchanged', () => {
  for (const name of eventNames) assert.deepEqual(readTypedEvent(sample(name)), sample(name), name);
});

test('an event without one of its fields is unknown, and the missing field is named', () => {
  let count = 0;
  for (const { name, payload, idField } of witness.events) {
    const known = eventNames.find((event) => event === name);
    assert.ok(known);
    const fields = new Set([...payload, idField ?? events[known].idField, 'webhookId', 'lastUpdatedDate']);
    for (const field of fields) {
      const { [field]: taken, ...rest } = sample(known);
      assert.notEqual(taken, undefined, `${name} ${field}`);
      const read = readTypedEvent(rest);
      if (mayBeNull(name, field)) {
        assert.deepEqual(read, { ...sample(known), [field]: null }, `${name} ${field}`);
        continue;
      }
      assert.ok(read.eventType === 'unknown', `${name} ${field}`);
      assert.equal(read.name, name);
      assert.match(read.problem, new RegExp(`^${field}: null is not `));
      assert.deepEqual(read.payload, rest);
      count += 1;
    }
  }
  assert.ok(count > 180, String(count));
});

/** A custom field without a value, and an item that had no type. */
const mayBeNull = (event: string, field: string) =>
  (/CustomFieldChanged$/.test(event) && /^(?:oldValue|value)$/.test(field)) || field === 'oldWorkItemTypeId';

test('keeps additions of a newer service: other choices, id formats and members', () => {
  const newer = { status: 'Blocked', oldCustomStatusId: 'a new format', customStatusId: '', more: [1] };
  const read = readTypedEvent({ ...sample('TaskStatusChanged'), ...newer, fields: { title: 'A' } });
  assert.deepEqual(read, { ...sample('TaskStatusChanged'), ...newer, fields: { title: 'A' } });
  const title = { oldValue: 'half \ud800', title: '' };
  assert.deepEqual(readTypedEvent({ ...sample('TaskTitleChanged'), ...title }), {
    ...sample('TaskTitleChanged'),
    ...title,
  });
  const dates = { type: 'Someday', startDate: 5, dueDate: '2026-03-01' };
  const read2 = readTypedEvent({ ...sample('TaskDatesChanged'), dates });
  // An optional member of another type is as good as none.
  assert.ok(read2.eventType === 'TaskDatesChanged');
  assert.deepEqual(read2.dates, { type: 'Someday', dueDate: '2026-03-01' });
});

test('a member of another type makes the event unknown; invalid `fields` are left out', () => {
  for (const wrong of [{ status: 5 }, { oldStatus: ['Active'] }, { taskId: { id: 'A' } }, { webhookId: 7 }]) {
    const read = readTypedEvent({ ...sample('TaskStatusChanged'), ...wrong });
    assert.equal(read.eventType, 'unknown', JSON.stringify(wrong));
  }
  const { addedParents: _, ...rest } = sample('TaskParentsAdded');
  assert.equal(readTypedEvent({ ...rest, addedParents: ['A', 5] }).eventType, 'unknown');
  for (const fields of [null, 5, ['title'], 'title'])
    assert.deepEqual(readTypedEvent({ ...sample('TaskCreated'), fields }), sample('TaskCreated'));
});

test('passes an event unknown to this version on in full', () => {
  const payload = { eventType: 'TaskMoved', taskId: 'A', toString: 'B', ['__proto__']: 'C' };
  const read = readTypedEvent(payload);
  assert.deepEqual(read, {
    eventType: 'unknown',
    name: 'TaskMoved',
    problem: '"TaskMoved" is not an event that this version knows',
    payload,
  });
  for (const eventType of ['unknown', 'toString', '__proto__', 'constructor', '', 'taskcreated'])
    assert.equal(readTypedEvent({ eventType }).eventType, 'unknown', eventType);
  for (const eventType of [undefined, null, 5, ['TaskCreated']]) {
    const nameless = readTypedEvent({ eventType });
    assert.ok(nameless.eventType === 'unknown');
    assert.equal(nameless.name, undefined);
  }
});
