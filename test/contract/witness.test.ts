// Compares src/contract with the facts in test/witness/, written by hand. If they differ, one is wrong, and the contract decides which.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import * as html from '#contract/allowed-html.ts';
import { authorize, convert, scopeList, token } from '#contract/authorization.ts';
import { customFieldEntry, customFieldText } from '#contract/custom-field-schemas.ts';
import { anyDate, day, schedulingDate, timestampSchema } from '#contract/date.ts';
import { classifyDeliveryResponse, senderAddresses } from '#contract/delivery.ts';
import { commonPayloadFields, type EventName, events, payloadFields } from '#contract/event.ts';
import { identifier, identifierTypes } from '#contract/identifier.ts';
import { limit } from '#contract/limit.ts';
import type { Operation } from '#contract/operation.ts';
import { operations } from '#contract/operations.ts';
import { otherOperations } from '#contract/other-operation.ts';
import type { Parameters } from '#contract/parameter.ts';
import { accountRecord, contactRecord } from '#contract/read-only-records.ts';
import type { Schema } from '#contract/schema.ts';
import { grantsAccess, scopes } from '#contract/scope.ts';
import { serviceErrors } from '#contract/service-error.ts';
import { isChallenge, sign, verify } from '#contract/signature.ts';
import * as task from '#contract/task.ts';
import * as webhook from '#contract/webhook.ts';
import { webhookCreateInAccountParameters, webhookCreateParameters } from '#contract/webhook-create.ts';
import * as errorWitness from '../witness/errors.ts';
import * as eventWitness from '../witness/events.ts';
import * as htmlWitness from '../witness/html.ts';
import * as witness from '../witness/operations.ts';
import * as recordWitness from '../witness/records.ts';
import * as signatureWitness from '../witness/signature.ts';
import { taskParameters } from '../witness/task-update.ts';

const accepts = (value: Schema<unknown>, input: unknown): boolean => {
  try {
    value.validate(input);
    return true;
  } catch {
    return false;
  }
};

test('the parameters of the task update, in order, with their wire forms', () => {
  const rows: readonly [string, { readonly schema: Schema<unknown> }][] = Object.entries(
    task.taskUpdateParameters,
  );
  assert.deepEqual(
    rows.map(([name, { schema }]) => ({ name, json: schema.wireFormat === 'json' })),
    taskParameters.map(({ name, json }) => ({ name, json })),
  );
  assert.deepEqual(task.fieldOnRequest.choices?.toSorted(), witness.taskFieldNames.toSorted());
});

test('the HTML of descriptions and of comments', () => {
  assert.deepEqual(Object.keys(html.descriptionTags), htmlWitness.descriptionTags);
  const having = <K extends keyof html.AllowedTag>(key: K) =>
    Object.fromEntries(
      Object.entries(html.descriptionTags)
        .filter(([, row]) => row[key] !== undefined)
        .map(([name, row]) => [name, row[key]]),
    );
  assert.deepEqual(having('attribute'), htmlWitness.withAttribute);
  assert.deepEqual(having('parents'), htmlWitness.within);
  assert.deepEqual(
    html.linkProtocols,
    htmlWitness.protocols.map((name) => `${name}:`),
  );
  assert.equal(html.externalLinkRel, htmlWitness.leavingRel);
  assert.deepEqual(html.commentTags, htmlWitness.commentTags);
  assert.equal(html.mentionClass, htmlWitness.mentionClass);
  assert.deepEqual(html.quoteAttributes, htmlWitness.quotes);
  assert.deepEqual(html.quotedEntityTypes, htmlWitness.described);
});

test('every operation', () => {
  const ours = Object.values(operations).filter((row) => row.evidence !== 'assumed');
  const plain = (path: string) =>
    path.replace(/\{webhookIds\}.*$/, '{ids}').replace(/\{webhookId\},.*$/, '{ids}');
  for (const row of witness.operations) {
    const found = ours.find(
      (operation) => operation.method === row.method && plain(operation.path) === plain(row.path),
    );
    assert.ok(found, `${row.method} ${row.path}`);
    if (row.kind !== null) assert.equal(found.kind, row.kind, row.path);
    if (row.scopes !== null) assert.deepEqual(found.scopes, row.scopes, row.path);
    if (row.parameters !== null)
      assert.deepEqual(Object.keys(found.parameters ?? {}), row.parameters, row.path);
  }
  for (const { method, path } of ours) {
    const stated = witness.operations.some((row) => row.method === method && plain(row.path) === plain(path));
    assert.ok(stated || witness.accountlessPaths.includes(path), `${method} ${path} is in the contract`);
  }
});

test('the parameters of creating a webhook', () => {
  const inFolder: Parameters = webhookCreateParameters;
  const inAccount: object = webhookCreateInAccountParameters;
  for (const row of witness.webhookParameters) {
    assert.equal(inFolder[row.name]?.required === true, row.required, row.name);
    assert.equal(Object.hasOwn(inAccount, row.name), row.appliesTo.includes('account'), row.name);
  }
  assert.equal(Object.keys(inFolder).length, witness.webhookParameters.length);
});

test('the authorization endpoints', () => {
  const rows: Record<string, { path: string; parameters: Parameters }> = {
    authorize,
    exchange: { path: token.path, parameters: token.grants.authorization_code },
    refresh: { path: token.path, parameters: token.grants.refresh_token },
    convert,
  };
  for (const row of witness.authorization) {
    const ours = rows[row.name];
    assert.equal(ours?.path, row.path);
    assert.deepEqual(
      Object.keys(ours?.parameters ?? {}),
      row.parameters.map(({ name }) => name),
      row.name,
    );
    for (const { name, required } of row.parameters) {
      if (required !== null)
        assert.equal(ours?.parameters[name]?.required === true, required === 'yes', name);
    }
  }
});

test('scopes', () => {
  assert.deepEqual(scopes, witness.scopes);
  assert.deepEqual(scopeList.fromWire('Default,amReadOnlyUser'), ['Default', 'amReadOnlyUser']);
  assert.throws(() => scopeList.fromWire('default'), /"default" is not one of Default/);
  for (const held of witness.defaultScopeHolds) {
    const scope = scopes.find((item) => item === held);
    assert.ok(scope && grantsAccess(['Default'], [scope]), held);
  }
  assert.equal(grantsAccess(['Default'], ['amReadOnlyInvitation']), false);
  assert.equal(grantsAccess(['wsReadOnly'], ['Default', 'wsReadWrite']), false);
});

test('the kinds of response', () => {
  const rows: readonly Pick<Operation, 'kind' | 'alsoKind'>[] = [
    ...Object.values(operations),
    ...Object.values(otherOperations),
  ];
  for (const { kind, alsoKind = kind } of rows)
    assert.ok(witness.kinds.includes(kind) && witness.kinds.includes(alsoKind), kind);
});

test('identifiers', () => {
  const known: readonly string[] = identifierTypes;
  for (const { types, good, bad } of witness.identifiers) {
    for (const type of types) {
      const ours = identifierTypes.find((item) => item === type);
      assert.ok(ours, `${type} among ${known.join()}`);
      for (const text of good) assert.ok(accepts(identifier(ours), text), `${type} ${text}`);
      for (const text of bad) assert.ok(!accepts(identifier(ours), text), `${type} ${JSON.stringify(text)}`);
    }
  }
});

test('the days of the calendar, with limits for start and due and none for a day of effort', () => {
  const { days, none, farDays, farNone } = witness.calendar;
  for (const date of days) {
    for (const kind of [schedulingDate, anyDate, day]) assert.ok(accepts(kind, date), date);
    assert.ok(accepts(schedulingDate, `${date}T23:59:59`) && accepts(anyDate, `${date}T00:00:00`), date);
    assert.ok(!accepts(day, `${date}T00:00:00`), date);
    for (const time of ['24:00:00', '10:60:00', '10:00:60', '10:00', '1:00:00']) {
      assert.ok(!accepts(schedulingDate, `${date}T${time}`) && !accepts(anyDate, `${date}T${time}`), time);
    }
  }
  for (const date of [...none, ...farNone]) {
    for (const kind of [schedulingDate, anyDate, day]) assert.ok(!accepts(kind, date), date);
  }
  for (const date of farDays) {
    assert.ok(accepts(anyDate, date) && accepts(day, date), date);
    assert.ok(!accepts(schedulingDate, date), date);
  }
});

test('limits', () => {
  const { limits } = witness;
  const last = <T>(ok: T, tooMuch: T, value: Schema<unknown>) => {
    assert.ok(accepts(value, ok));
    assert.ok(!accepts(value, tooMuch));
  };
  const x = (count: number) => 'x'.repeat(count);
  const { metadata, customFields } = task.taskUpdateParameters;
  const many = <T>(count: number, item: T) => Array.from({ length: count }, () => item);
  const field = { id: 'IEAAAAAQJUAAAAAA', value: 'x' };
  last(
    many(limits.metadataEntries.max, { key: 'k', value: 'v' }),
    many(101, { key: 'k', value: 'v' }),
    metadata.schema,
  );
  last(x(limits.metadataKey.below - 1), x(limits.metadataKey.below), task.metadataKey);
  last('a_B-9', 'a.b', task.metadataKey);
  last(x(limits.metadataValue.below - 1), x(limits.metadataValue.below), task.metadataValue);
  last(many(limits.customFieldEntries.max, field), many(101, field), customFields.schema);
  last(x(limits.customFieldValue.max), x(limits.customFieldValue.max + 1), customFieldText);
  last('a\u0011', '\u0011a', customFieldText);
  last('a', 'a\u0000', customFieldText);
  last(limits.duration.min, limits.duration.min - 1, task.durationMinutes);
  last(limits.duration.below - 1, limits.duration.below, task.durationMinutes);
  last('1970-01-01', '1969-12-31T23:59:59', schedulingDate);
  last('2099-12-31T23:59:59', limits.startAndDue.before, schedulingDate);
  last('2024-02-29', '2025-02-29', schedulingDate);
  last(x(limits.title.max), x(limits.title.max + 1), task.title);
  last('x', '', task.title);
  last('🌍'.repeat(1000), '🌍'.repeat(1001), task.title);
  last(x(limits.description.max), x(limits.description.max + 1), task.description);
  assert.deepEqual(
    {
      webhooks: limit.webhooksPerGet,
      batch: limit.batchOperations,
      comment: limit.commentCharacters,
      code: limit.authorizationCodeSeconds,
      token: limit.accessTokenSeconds,
      attempts: limit.deliveryAttempts,
      ports: limit.hookUrlPorts,
      delay: limit.descriptionEventDelaySeconds,
      day: limit.minutesPerDay,
      challenge: limit.challengeCharacters,
    },
    {
      webhooks: 100,
      batch: 100,
      comment: 10_000,
      code: 600,
      token: 3600,
      attempts: 3,
      ports: [80, 443],
      delay: 300,
      day: 480,
      challenge: 100,
    },
  );
});

test('times', () => {
  for (const text of recordWitness.timeTexts.timestamp) assert.ok(accepts(timestampSchema, text));
  for (const text of recordWitness.timeTexts.schedulingDate) assert.ok(accepts(schedulingDate, text));
  for (const text of recordWitness.timeTexts.day) assert.ok(accepts(day, text));
  assert.ok(!accepts(day, '2026-01-05T09:00:00'));
  assert.ok(!accepts(timestampSchema, '2026-01-05T09:00:00'));
});

/** Members that the contract does not show. */
const assumedMembers: Readonly<Record<string, readonly string[]>> = {
  Webhook: ['events', 'recursive'],
  Contact: ['title', 'companyName', 'phone', 'primaryEmail', 'memberIds', 'myTeam'],
};

test('records', () => {
  const shapes: Record<string, { shape: Record<string, Schema<unknown>> } | undefined> = {
    Task: task.taskRecord,
    TaskDates: task.taskDates,
    Metadata: task.metadataEntry,
    CustomField: customFieldEntry,
    TaskFinance: task.taskFinance,
    TaskEffort: task.taskEffort,
    ResponsibleAllocation: task.responsibleAllocation,
    DailyAllocation: task.dailyAllocation,
    CascadingFieldSettings: task.cascadingFieldSettings,
    Webhook: webhook.webhookRecord,
    Account: accountRecord,
    Contact: contactRecord,
  };
  for (const row of recordWitness.records) {
    const shape = shapes[row.record]?.shape;
    if (!shape) {
      assert.match(row.record, /token/i, `no record ${row.record}`);
      continue;
    }
    // Seen beside the contract's own: see assumption.ts.
    const assumed = assumedMembers[row.record] ?? [];
    assert.deepEqual(
      Object.keys(shape)
        .filter((name) => !assumed.includes(name))
        .toSorted(),
      row.fields.map(([name]) => name).toSorted(),
      row.record,
    );
    for (const name of row.required) assert.ok(!shape[name]?.optional, `${row.record}.${name}`);
  }
  assert.deepEqual(
    task.fieldOnRequest.choices?.toSorted(),
    recordWitness.records.find((row) => row.record === 'Task')?.onRequest.toSorted(),
  );
});

test('enums', () => {
  const ours: Record<string, Schema<unknown>> = {
    TaskStatus: task.taskStatus,
    TaskImportance: task.taskImportance,
    TreeScope: task.treeScope,
    TaskDatesType: task.datesType,
    EffortMode: task.effortMode,
    BillingType: task.billingType,
    WebhookStatus: webhook.webhookStatus,
  };
  for (const { name, members } of recordWitness.enums) assert.deepEqual(ours[name]?.choices, members, name);
});

test('errors', () => {
  const rows: Record<string, { status: number; assumption?: string }> = serviceErrors;
  for (const { error, status } of errorWitness.errors) {
    assert.equal(rows[error]?.status, status, error);
    assert.equal(rows[error]?.assumption, undefined, error);
  }
  for (const error of errorWitness.errorsWithoutStatus) assert.ok(rows[error]?.assumption, error);
  assert.deepEqual(Object.keys(rows).toSorted(), errorWitness.errorTypes.toSorted());
});

test('events', () => {
  assert.deepEqual(Object.keys(events).toSorted(), eventWitness.events.map(({ name }) => name).toSorted());
  for (const row of eventWitness.events) {
    // Its keys are held above.
    const ours = events[row.name as EventName];
    if (row.idField !== null) assert.equal(ours.idField, row.idField, row.name);
    const without = (fields: readonly string[]) =>
      fields.filter((field) => field !== ours.idField).toSorted();
    assert.deepEqual(without(ours.payload), without(row.payload), row.name);
    assert.equal(ours.filter ?? null, row.filterKey, row.name);
    assert.deepEqual(ours.old, row.old, row.name);
  }
  assert.deepEqual(commonPayloadFields, eventWitness.commonFields);
  for (const { name, subjects } of eventWitness.payloadFields) {
    const inTask: readonly string[] = payloadFields.task;
    const inFolder: readonly string[] = payloadFields.folder;
    assert.equal(inTask.includes(name), subjects.includes('task'), name);
    assert.equal(inFolder.includes(name), subjects.includes('folder'), name);
  }
});

test('deliveries', () => {
  for (let status = 100; status < 600; status++) {
    const expected = witness.deliverySuccess.includes(status)
      ? 'delivered'
      : status >= 400 && status <= 499 && !witness.deliveryRetryable4xx.includes(status)
        ? 'suspend'
        : 'retry';
    assert.equal(classifyDeliveryResponse(status), expected, String(status));
  }
  assert.deepEqual(
    Object.entries(senderAddresses).map(([dataCentre, ranges]) => ({ dataCentre, ranges: [...ranges] })),
    witness.deliveryRanges.map(({ dataCentre, ranges }) => ({ dataCentre, ranges: [...ranges] })),
  );
});

test('docs/running-a-receiver.md lists the address ranges of each data centre', async () => {
  const page = await readFile('docs/running-a-receiver.md', 'utf8');
  for (const { dataCentre, ranges } of witness.deliveryRanges)
    assert.ok(page.includes(`| ${dataCentre} | ${ranges.join(', ')} |`), dataCentre);
});

test('signatures computed by another tool', () => {
  for (const { secret, body, hex } of signatureWitness.signatures) {
    assert.equal(sign(secret, body), hex);
    assert.ok(verify(secret, Buffer.from(body), hex));
    assert.ok(verify(secret, body, hex.toUpperCase()));
    assert.ok(!verify(secret, `${body} `, hex));
    assert.ok(!verify(`${secret}x`, body, hex));
    assert.ok(!verify(secret, body, hex.slice(1)));
    assert.ok(!verify(secret, body, ''));
  }
  for (const { secret, challenge, hex } of signatureWitness.handshakes) {
    assert.ok(isChallenge(challenge));
    assert.equal(sign(secret, challenge), hex);
  }
  for (const challenge of signatureWitness.challengesToRefuse) assert.ok(!isChallenge(challenge), challenge);
});
