// Compares src/contract with the facts in test/witness/, written by hand: emulator and client read the same tables, so that neither would
// notice an error. If they differ, one is wrong, and the contract decides which.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import * as html from '#contract/allowed-html.ts';
import { apiPath, authorize, convert, scopeList, token, tokenResponse } from '#contract/authorization.ts';
import { customFieldEntry, customFieldText } from '#contract/custom-field-schemas.ts';
import { anyDate, day, schedulingDate, timestampSchema } from '#contract/date.ts';
import {
  classifyDeliveryResponse,
  deliveryHeaders,
  handshakeField,
  senderAddresses,
} from '#contract/delivery.ts';
import { commonPayloadFields, type EventName, events, payloadFields } from '#contract/event.ts';
import { validateHookUrl } from '#contract/hook-url.ts';
import { identifier, identifierTypes } from '#contract/identifier.ts';
import { limit } from '#contract/limit.ts';
import type { Operation } from '#contract/operation.ts';
import { operations } from '#contract/operations.ts';
import { otherOperations } from '#contract/other-operation.ts';
import type { Parameters } from '#contract/parameter.ts';
import { validatePayload } from '#contract/payload.ts';
import { accountRecord, contactRecord } from '#contract/read-only-records.ts';
import { type Schema, ValidationError } from '#contract/schema.ts';
import { defaultScope, grantsAccess, scopes } from '#contract/scope.ts';
import { accessDenied, serviceErrors } from '#contract/service-error.ts';
import { isChallenge, sign, verify } from '#contract/signature.ts';
import * as task from '#contract/task.ts';
import { validateDates } from '#contract/task-rules.ts';
import * as webhook from '#contract/webhook.ts';
import { webhookCreateInAccountParameters, webhookCreateParameters } from '#contract/webhook-create.ts';
import * as errorWitness from '../witness/errors.ts';
import * as eventWitness from '../witness/events.ts';
import * as htmlWitness from '../witness/html.ts';
import * as witness from '../witness/operations.ts';
import * as recordWitness from '../witness/records.ts';
import * as signatureWitness from '../witness/signature.ts';
import { taskParameters } from '../witness/task-update.ts';

function allows(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch (error) {
    assert.ok(error instanceof ValidationError, String(error));
    return false;
  }
}

const accepts = (schema: Schema<unknown>, value: unknown) => allows(() => schema.validate(value));

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
  last(limits.duration.min, limits.duration.min - 1, task.durationMinutes);
  last(limits.duration.below - 1, limits.duration.below, task.durationMinutes);
  last('1970-01-01', '1969-12-31T23:59:59', schedulingDate);
  last('2099-12-31T23:59:59', limits.startAndDue.before, schedulingDate);
  last('2024-02-29', '2025-02-29', schedulingDate);
  last(x(limits.title.max), x(limits.title.max + 1), task.title);
  last('x', '', task.title);
  last('🌍'.repeat(1000), '🌍'.repeat(1001), task.title);
  last(x(limits.description.max), x(limits.description.max + 1), task.description);
  const { webhooksPerGet, batchOperations, commentCharacters, deliveryAttempts, hookUrlPorts } = limit;
  assert.deepEqual(
    [webhooksPerGet, batchOperations, commentCharacters, deliveryAttempts, hookUrlPorts],
    [100, 100, 10_000, 3, [80, 443]],
  );
});

test('times', () => {
  for (const text of recordWitness.timeTexts.timestamp) assert.ok(accepts(timestampSchema, text));
  for (const text of recordWitness.timeTexts.schedulingDate) assert.ok(accepts(schedulingDate, text));
  for (const text of recordWitness.timeTexts.day) assert.ok(accepts(day, text));
  assert.ok(!accepts(day, '2026-01-05T09:00:00'));
  assert.ok(!accepts(timestampSchema, '2026-01-05T09:00:00'));
});

const shapes: Readonly<Record<string, { readonly shape: Readonly<Record<string, Schema<unknown>>> }>> = {
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
  TokenResponse: tokenResponse,
};

/** Members that the contract does not show. */
const assumedMembers: Readonly<Record<string, readonly string[]>> = {
  Webhook: ['events', 'recursive'],
  Contact: ['title', 'companyName', 'phone', 'primaryEmail', 'memberIds', 'myTeam'],
};

test('records', () => {
  for (const row of recordWitness.records) {
    const shape = shapes[row.record]?.shape;
    assert.ok(shape, row.record);
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

test('the headers and the body field of a handshake and a delivery', () => {
  assert.deepEqual(deliveryHeaders, signatureWitness.headers);
  assert.equal(handshakeField, signatureWitness.handshakeField);
});

test('the path of the API, the error of a denied consent, the separator of scopes', () => {
  assert.equal(apiPath, witness.versionPath);
  assert.equal(accessDenied, errorWitness.denial.error);
  assert.equal(scopeList.toWire(['Default', 'wsReadOnly']), `Default${witness.scopeSeparator}wsReadOnly`);
});

test('the scopes that each scope includes', () => {
  assert.equal(defaultScope, 'Default');
  for (const [name, held] of witness.scopesHeld) {
    const scope = scopes.find((item) => item === name);
    assert.ok(scope);
    const covered = scopes.filter((item) => item !== scope && grantsAccess([scope], [item]));
    assert.deepEqual(covered.toSorted(), held.toSorted(), name);
  }
  assert.equal(witness.scopesHeld.length, scopes.length);
});

test('lifetimes and delays', () => {
  const seconds = Object.fromEntries(witness.lifetimes.map((row) => [row.name, row.seconds]));
  assert.equal(limit.authorizationCodeSeconds, seconds['authorization code']);
  assert.equal(limit.accessTokenSeconds, seconds['access token']);
  const [delayed, ...others] = eventWitness.delayedEvents;
  assert.equal(limit.descriptionEventDelaySeconds, (delayed?.minutes ?? 0) * 60);
  assert.equal(others.length, 0);
  assert.equal(limit.minutesPerDay, witness.minutesPerDay);
  assert.equal(limit.challengeCharacters, witness.challengeMax);
});

test('the schemes of a hookUrl', () => {
  for (const scheme of ['http', 'https', 'ftp', 'ws', 'wss', 'mailto'])
    assert.equal(
      allows(() => validateHookUrl(`${scheme}://example.com/`)),
      witness.hookUrlProtocols.includes(scheme),
      scheme,
    );
});

test('characters that a custom field value must not contain', () => {
  const { anywhere, atStart } = witness.customFieldForbidden;
  const isAllowed = (text: string) => allows(() => customFieldText.validate(text));
  assert.ok(!isAllowed(anywhere) && !isAllowed(`a${anywhere}`) && !isAllowed(`a${anywhere}b`));
  assert.ok(!isAllowed(atStart) && !isAllowed(`${atStart}a`) && isAllowed(`a${atStart}`));
});

test('the dates that a task of each type may have', () => {
  const values = { start: '2026-01-05', due: '2026-01-09', duration: 480 };
  for (const { type, fields } of recordWitness.datesByType) {
    const known = task.datesType.validate(type);
    const isAllowed = (names: readonly (keyof typeof values)[]) =>
      allows(() =>
        validateDates({ type: known, ...Object.fromEntries(names.map((name) => [name, values[name]])) }),
      );
    assert.equal(isAllowed(['start', 'due']), fields.includes('start') && fields.includes('due'), type);
    assert.equal(isAllowed(['start', 'duration']), fields.includes('start'), type);
    assert.equal(isAllowed(['due']), fields.includes('due'), type);
    assert.equal(isAllowed(['duration']), fields.includes('duration'), type);
  }
});

test('the parameters of creating a webhook, written and read', () => {
  const rows: Parameters = webhookCreateParameters;
  for (const { name, value, texts } of witness.webhookParameterTexts) {
    const schema = rows[name]?.schema;
    assert.ok(schema, name);
    assert.equal(schema.toWire(schema.validate(value)), texts[0], name);
    for (const text of texts) assert.deepEqual(schema.fromWire(text), value, text);
  }
  assert.deepEqual(
    witness.webhookParameterTexts.map(({ name }) => name),
    Object.keys(rows),
  );
});

test('the requests that send a form', () => {
  const ours = Object.values(operations)
    .filter(({ parametersIn }) => parametersIn === 'form')
    .map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(ours, witness.formRequests);
});

test('lists, objects and JSON texts in the payloads of events', () => {
  const isAllowed = (event: string, payload: object) => {
    const row = webhookCreateParameters.events.schema.validate([event])[0];
    assert.ok(row);
    return allows(() => validatePayload(row, { ...payload }));
  };
  for (const field of eventWitness.listFields) {
    const event = eventWitness.events.find(({ payload }) => payload.includes(field));
    assert.ok(event, field);
    assert.ok(isAllowed(event.name, { [field]: [] }), field);
    assert.ok(!isAllowed(event.name, { [field]: 'KUAABENQ' }), field);
  }
  for (const { event, field, members } of eventWitness.objectFields) {
    assert.ok(!isAllowed(event, { [field]: 'text' }), event);
    const whole = Object.fromEntries(members.map((name) => [name, memberSamples[name] ?? 'x']));
    assert.ok(isAllowed(event, { [field]: whole }), event);
    assert.ok(!isAllowed(event, { [field]: { ...whole, other: 'x' } }), event);
  }
  for (const { event, fields } of eventWitness.jsonTextFields)
    for (const field of fields) {
      assert.ok(isAllowed(event, { [field]: '"text"' }), field);
      assert.ok(!isAllowed(event, { [field]: 'text' }), field);
    }
});

const memberSamples: Readonly<Record<string, unknown>> = {
  type: 'Planned',
  duration: 480,
  workOnWeekends: true,
};

test('the values that an event filter accepts', () => {
  const { schema } = webhookCreateParameters.parameterisedEvents;
  const samples: Readonly<Record<string, readonly [event: string, good: unknown, bad: unknown]>> = {
    recurrent: ['TaskCreated', true, 'true'],
    customFields: ['TaskCustomFieldChanged', ['IEAAAAAQJUAAAAAA'], ['short']],
  };
  for (const { filterKey } of eventWitness.filterValues) {
    const [event, good, bad] = samples[filterKey] ?? [];
    assert.ok(
      allows(() => schema.validate([{ event, [filterKey]: good }])),
      filterKey,
    );
    assert.ok(!allows(() => schema.validate([{ event, [filterKey]: bad }])), filterKey);
  }
});

/** Types of the contract that are no names of ours: a value that is not one, and values of which one must be. */
const primitives: Readonly<Record<string, readonly [bad: unknown, ...good: unknown[]]>> = {
  // Some texts are dates or ids.
  string: [5, 'x', '2026-01-05', 'KUAABENQ', 'IEAAAAAQJUAAAAAA'],
  'string[]': ['x', []],
  boolean: ['true', true],
  number: ['5', 5],
  seconds: ['5', 5],
  timestamp: ['2026-01-05', '2026-01-05T09:00:00Z'],
  'yyyy-MM-dd': ['2026-01-05T09:00:00', '2026-01-05'],
};

const namedTypes = [
  ...identifierTypes,
  ...recordWitness.enums.map(({ name }) => name),
  ...recordWitness.records.map(({ record }) => record),
] as readonly string[];

function assertType(schema: Schema<unknown> | undefined, type: string, name: string): void {
  assert.ok(schema, name);
  if (namedTypes.includes(type.replace('[]', ''))) {
    assert.equal(schema.type, type, name);
    return;
  }
  const [bad, ...good] = primitives[type] ?? [];
  const named = `${name}: ${type} ${schema.type}`;
  assert.notEqual(bad, undefined, named);
  assert.ok(
    good.some((value) => allows(() => schema.validate(value))),
    named,
  );
  assert.ok(!allows(() => schema.validate(bad)), named);
}

test('the type of every parameter of the task update', () => {
  const rows: Parameters = task.taskUpdateParameters;
  for (const { name, type } of taskParameters) assertType(rows[name]?.schema, type, name);
});

test('the type of every record field that the contract specifies', () => {
  for (const { record, fields } of recordWitness.records) {
    // Their fields are named in the test of the records; both members of an entry are texts.
    if (record === 'Metadata' || record === 'CustomField') continue;
    for (const [name, type] of fields)
      if (type !== '') assertType(shapes[record]?.shape[name], type, `${record}.${name}`);
  }
});

test('both rate limit errors have the status code by which clients recognise them', () => {
  assert.equal(serviceErrors.too_many_requests.status, 429);
  assert.equal(serviceErrors.rate_limit_exceeded.status, 429);
});
