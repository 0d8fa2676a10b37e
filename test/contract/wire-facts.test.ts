// Facts that the emulator and the client read from the same table, where neither would notice an error: compared with those written by
// hand in test/witness/.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiPath, scopeList, tokenResponse } from '#contract/authorization.ts';
import { customFieldText } from '#contract/custom-field-schemas.ts';
import { deliveryHeaders, handshakeField } from '#contract/delivery.ts';
import { validateHookUrl } from '#contract/hook-url.ts';
import { identifierTypes } from '#contract/identifier.ts';
import { limit } from '#contract/limit.ts';
import { operations } from '#contract/operations.ts';
import type { Parameters } from '#contract/parameter.ts';
import { validatePayload } from '#contract/payload.ts';
import { accountRecord, contactRecord } from '#contract/read-only-records.ts';
import { type Schema, ValidationError } from '#contract/schema.ts';
import { defaultScope, grantsAccess, scopes } from '#contract/scope.ts';
import { accessDenied, serviceErrors } from '#contract/service-error.ts';
import * as task from '#contract/task.ts';
import { validateDates } from '#contract/task-rules.ts';
import * as webhook from '#contract/webhook.ts';
import { webhookCreateParameters } from '#contract/webhook-create.ts';
import * as errors from '../witness/errors.ts';
import * as events from '../witness/events.ts';
import * as operation from '../witness/operations.ts';
import { datesByType, enums, records } from '../witness/records.ts';
import * as signature from '../witness/signature.ts';
import { taskParameters } from '../witness/task-update.ts';

function accepts(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch (error) {
    assert.ok(error instanceof ValidationError, String(error));
    return false;
  }
}

test('the headers and the body field of a handshake and a delivery', () => {
  assert.deepEqual(deliveryHeaders, signature.headers);
  assert.equal(handshakeField, signature.handshakeField);
});

test('the path of the API, the error of a denied consent, the separator of scopes', () => {
  assert.equal(apiPath, operation.versionPath);
  assert.equal(accessDenied, errors.denial.error);
  assert.equal(scopeList.toWire(['Default', 'wsReadOnly']), `Default${operation.scopeSeparator}wsReadOnly`);
});

test('the scopes that each scope includes', () => {
  assert.equal(defaultScope, 'Default');
  for (const [name, held] of operation.scopesHeld) {
    const scope = scopes.find((item) => item === name);
    assert.ok(scope);
    const covered = scopes.filter((item) => item !== scope && grantsAccess([scope], [item]));
    assert.deepEqual(covered.toSorted(), held.toSorted(), name);
  }
  assert.equal(operation.scopesHeld.length, scopes.length);
});

test('lifetimes and delays', () => {
  const seconds = Object.fromEntries(operation.lifetimes.map((row) => [row.name, row.seconds]));
  assert.equal(limit.authorizationCodeSeconds, seconds['authorization code']);
  assert.equal(limit.accessTokenSeconds, seconds['access token']);
  const [delayed, ...others] = events.delayedEvents;
  assert.equal(limit.descriptionEventDelaySeconds, (delayed?.minutes ?? 0) * 60);
  assert.equal(others.length, 0);
  assert.equal(limit.minutesPerDay, operation.minutesPerDay);
  assert.equal(limit.challengeCharacters, operation.challengeMax);
});

test('the schemes of a hookUrl', () => {
  for (const scheme of ['http', 'https', 'ftp', 'ws', 'wss', 'mailto'])
    assert.equal(
      accepts(() => validateHookUrl(`${scheme}://example.com/`)),
      operation.hookUrlProtocols.includes(scheme),
      scheme,
    );
});

test('characters that a custom field value must not contain', () => {
  const { anywhere, atStart } = operation.customFieldForbidden;
  const isAllowed = (text: string) => accepts(() => customFieldText.validate(text));
  assert.ok(!isAllowed(anywhere) && !isAllowed(`a${anywhere}`) && !isAllowed(`a${anywhere}b`));
  assert.ok(!isAllowed(atStart) && !isAllowed(`${atStart}a`) && isAllowed(`a${atStart}`));
});

test('the dates that a task of each type may have', () => {
  const values = { start: '2026-01-05', due: '2026-01-09', duration: 480 };
  for (const { type, fields } of datesByType) {
    const known = task.datesType.validate(type);
    const isAllowed = (names: readonly (keyof typeof values)[]) =>
      accepts(() =>
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
  for (const { name, value, texts } of operation.webhookParameterTexts) {
    const schema = rows[name]?.schema;
    assert.ok(schema, name);
    assert.equal(schema.toWire(schema.validate(value)), texts[0], name);
    for (const text of texts) assert.deepEqual(schema.fromWire(text), value, text);
  }
  assert.deepEqual(
    operation.webhookParameterTexts.map(({ name }) => name),
    Object.keys(rows),
  );
});

test('the requests that send a form', () => {
  const ours = Object.values(operations)
    .filter(({ parametersIn }) => parametersIn === 'form')
    .map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(ours, operation.formRequests);
});

test('lists, objects and JSON texts in the payloads of events', () => {
  const isAllowed = (event: string, payload: object) => {
    const row = webhookCreateParameters.events.schema.validate([event])[0];
    assert.ok(row);
    return accepts(() => validatePayload(row, { ...payload }));
  };
  for (const field of events.listFields) {
    const event = events.events.find(({ payload }) => payload.includes(field));
    assert.ok(event, field);
    assert.ok(isAllowed(event.name, { [field]: [] }), field);
    assert.ok(!isAllowed(event.name, { [field]: 'KUAABENQ' }), field);
  }
  for (const { event, field, members } of events.objectFields) {
    assert.ok(!isAllowed(event, { [field]: 'text' }), event);
    const whole = Object.fromEntries(members.map((name) => [name, memberSamples[name] ?? 'x']));
    assert.ok(isAllowed(event, { [field]: whole }), event);
    assert.ok(!isAllowed(event, { [field]: { ...whole, other: 'x' } }), event);
  }
  for (const { event, fields } of events.jsonTextFields)
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
  for (const { filterKey } of events.filterValues) {
    const [event, good, bad] = samples[filterKey] ?? [];
    assert.ok(
      accepts(() => schema.validate([{ event, [filterKey]: good }])),
      filterKey,
    );
    assert.ok(!accepts(() => schema.validate([{ event, [filterKey]: bad }])), filterKey);
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
  ...enums.map(({ name }) => name),
  ...records.map(({ record }) => record),
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
    good.some((value) => accepts(() => schema.validate(value))),
    named,
  );
  assert.ok(!accepts(() => schema.validate(bad)), named);
}

test('the type of every parameter of the task update', () => {
  const rows: Parameters = task.taskUpdateParameters;
  for (const { name, type } of taskParameters) assertType(rows[name]?.schema, type, name);
});

test('the type of every record field that the contract specifies', () => {
  const shapes: Readonly<Record<string, { readonly shape: Readonly<Record<string, Schema<unknown>>> }>> = {
    Task: task.taskRecord,
    TaskDates: task.taskDates,
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
  for (const { record, fields } of records) {
    const shape = shapes[record]?.shape;
    if (shape === undefined) {
      // Their fields are named in the test of the records; both members of an entry are texts.
      assert.match(record, /^(Metadata|CustomField)$/);
      continue;
    }
    for (const [name, type] of fields) if (type !== '') assertType(shape[name], type, `${record}.${name}`);
  }
  const token = records.find(({ record }) => record === 'TokenResponse');
  assert.deepEqual(
    Object.keys(tokenResponse.shape),
    token?.fields.map(([name]) => name),
  );
});

test('both rate limit errors have the status code by which clients recognise them', () => {
  assert.equal(serviceErrors.too_many_requests.status, 429);
  assert.equal(serviceErrors.rate_limit_exceeded.status, 429);
});
