// The AsyncAPI document, as `wm contract asyncapi` prints it, against the facts that were written a second time by hand.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '#test/support/program/program.ts';
import * as events from '../witness/events.ts';
import { challengeMax, deliverySuccess, limits } from '../witness/operations.ts';
import * as signature from '../witness/signature.ts';
import { assertPattern, type Described, resolved } from './described.ts';

const printed = await run(['contract', 'asyncapi']);
const document: Described = JSON.parse(printed.output);
const { messages, schemas } = document.components;

test('is AsyncAPI 3.0.0, and the same each time', async () => {
  assert.deepEqual([printed.status, printed.errors, document.asyncapi], [0, '', '3.0.0']);
  assert.equal((await run(['contract', 'asyncapi'])).output, printed.output);
});

test('every event, with its payload and the fields that the webhook may request', () => {
  const payload = resolved(document, messages.delivery.payload);
  assert.equal(payload.type, 'array');
  assert.deepEqual(
    resolved(document, payload.items).oneOf.map(
      (one: Described) => resolved(document, one).properties.eventType.enum,
    ),
    events.events.map(({ name }) => [name]),
  );
  for (const { name, payload: own, idField } of events.events) {
    const { required, properties } = schemas[name];
    for (const field of [...events.commonFields, ...own]) {
      assert.ok(required.includes(field), `${name} requires ${field}`);
      assert.ok(properties[field], `${name}.${field}`);
    }
    if (idField !== null) assert.ok(required.includes(idField), `${name} has ${idField}`);
    // Nothing but the common fields, its own and the id of its subject.
    const known = [...events.commonFields, ...own];
    assert.ok(required.filter((field: string) => !known.includes(field)).length <= 1, name);
    assert.equal(resolved(document, properties[events.payloadFieldsMember]).type, 'object');
  }
});

test('the types of payload fields', () => {
  for (const field of events.listFields)
    for (const { name, payload } of events.events)
      if (payload.includes(field))
        assert.equal(schemas[name].properties[field].type, 'array', `${name}.${field}`);
  for (const { event, field, members } of events.objectFields) {
    const { properties } = resolved(document, schemas[event].properties[field]);
    assert.deepEqual(Object.keys(properties), members, `${event}.${field}`);
  }
  const asked = (name: string) =>
    Object.keys(resolved(document, schemas[name].properties[events.payloadFieldsMember]).properties);
  for (const [event, subject] of [['TaskCreated', 'task'] as const, ['FolderCreated', 'folder'] as const])
    assert.deepEqual(
      asked(event).toSorted(),
      events.payloadFields
        .filter(({ subjects }) => subjects.includes(subject))
        .map(({ name }) => name)
        .toSorted(),
    );
  assertPattern(
    schemas.TaskTitleChanged.properties.lastUpdatedDate,
    { good: ['2026-01-05T09:00:00Z'], bad: ['2026-01-05', '2026-01-05T09:00:00'] },
    'lastUpdatedDate',
  );
});

test('every schema that a generator would name is a component', () => {
  for (const { headers, payload } of Object.values<Described>(messages))
    for (const one of [headers, payload]) assert.ok(one?.type === undefined, JSON.stringify(one));
  for (const [name, { properties = {}, items }] of Object.entries<Described>(schemas))
    for (const one of [...Object.values<Described>(properties), ...(items ? [items] : [])])
      assert.ok(
        one.properties === undefined && one.oneOf === undefined && (one.enum === undefined || one.title),
        `${name}: ${JSON.stringify(one)}`,
      );
});

test('marks the assumptions about payloads', () => {
  const marks = (name: string, member: string) => schemas[name].properties[member]['x-assumed'];
  assert.deepEqual(marks('TaskCustomFieldChanged', 'value'), ['empty-custom-field']);
  assert.deepEqual(marks('WorkItemTypeChanged', 'oldWorkItemTypeId'), ['old-item-type']);
  assert.deepEqual(marks('TaskFields', 'dates'), ['payload-field-members']);
  assert.deepEqual(marks('TaskFields', 'recurrence'), ['recurrence-field']);
  for (const { name, idField } of events.events)
    if (idField !== null && !['taskId', 'folderId'].includes(idField))
      assert.deepEqual(marks(name, idField), ['events-without-subject'], name);
  assert.deepEqual(marks('ProjectStatusChanged', 'taskId'), ['events-without-subject']);
  assert.equal(marks('TaskCreated', 'taskId'), undefined);
});

test('headers, handshake and the status codes that count as success', () => {
  const { headers } = signature;
  const [delivery, handshake, handshakeResponse] = ['delivery', 'handshake', 'handshakeResponse'].map(
    (name) => resolved(document, messages[name].headers),
  );
  assert.deepEqual(delivery.required, [headers.idempotencyKey]);
  assert.ok(delivery.properties[headers.signature]);
  assert.deepEqual(delivery.properties[headers.secret]['x-assumed'], ['delivery-secret-header']);
  assert.deepEqual(handshake.required, [headers.secret, headers.signature]);
  assert.deepEqual(resolved(document, messages.handshake.payload).required, [signature.handshakeField]);
  assert.deepEqual(handshakeResponse.required, [headers.secret]);
  const hex = signature.signatures.map((one) => one.hex);
  assertPattern(delivery.properties[headers.signature], { good: hex, bad: ['', 'x'] }, 'signature');
  assertPattern(
    handshake.properties[headers.secret],
    { good: ['a'.repeat(challengeMax)], bad: signature.challengesToRefuse },
    'challenge',
  );
  assert.deepEqual(document['x-delivery'].successStatuses, deliverySuccess);
  assert.equal(document['x-delivery'].attempts, limits.deliveryAttempts);
});
