// The sample payload of every event has the fields that test/witness/ lists by hand, each with a valid value.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventNames } from '#contract/event.ts';
import { identifier } from '#contract/identifier.ts';
import { exampleIds, samplePayload, toPayload, validatePayload } from '#contract/payload.ts';
import * as witness from '../witness/events.ts';

const common = ['webhookId', 'eventAuthorId', 'eventType', 'lastUpdatedDate'];

test('every event has a sample with exactly the fields of the contract', () => {
  const head = {
    webhookId: exampleIds.webhook,
    authorId: exampleIds.author,
    date: '2026-02-02T09:00:00Z',
    subjectId: exampleIds.task,
  };
  for (const row of witness.events) {
    const event = eventNames.find((name) => name === row.name);
    assert.ok(event, row.name);
    const own = samplePayload(event, exampleIds, 'A title');
    validatePayload(event, own);
    for (const [name, value] of Object.entries(own)) assert.ok(value, `${event}: ${name} has no value`);
    const payload = toPayload(event, head, own);
    assert.equal(payload['eventType'], event);
    const idField = Object.keys(payload).find((name) => payload[name] === exampleIds.task);
    assert.ok(idField, event);
    if (row.idField !== null) assert.equal(idField, row.idField, event);
    assert.deepEqual(
      Object.keys(payload).toSorted(),
      [...new Set([...common, idField, ...row.payload])].toSorted(),
      event,
    );
  }
});

test('the example ids are well-formed', () => {
  const { webhook, author, task, folder, attachment, user, parent, customField, ...others } = exampleIds;
  identifier('WebhookId').validate(webhook);
  for (const id of [author, user]) identifier('UserId').validate(id);
  for (const id of [task]) identifier('TaskId').validate(id);
  for (const id of [folder, parent]) identifier('FolderId').validate(id);
  for (const id of [customField, ...Object.values(others)]) identifier('CustomFieldId').validate(id);
  assert.notEqual(attachment, '');
});
