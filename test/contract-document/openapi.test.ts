// The OpenAPI document, as `wm contract openapi` prints it, against the facts that were written a second time by hand.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assumptions } from '#contract/assumption.ts';
import { operations } from '#contract/operations.ts';
import { otherOperations } from '#contract/other-operation.ts';
import { run } from '#test/support/program/program.ts';
import * as errors from '../witness/errors.ts';
import * as witness from '../witness/operations.ts';
import { records } from '../witness/records.ts';
import { taskParameters } from '../witness/task-update.ts';
import { assertPattern, assertRecord, assertType, type Described, resolved } from './described.ts';

const printed = await run(['contract', 'openapi']);
const document: Described = JSON.parse(printed.output);
const { limits } = witness;
const at = (path: string, method: string): Described => document.paths[path]?.[method.toLowerCase()];

/** The parameters of the query by their names, without what every operation refers to. */
function queryOf(operation: Described): ReadonlyMap<string, Described> {
  const own: Described[] = operation.parameters.filter(
    (one: Described) => one.in === 'query' && one['x-assumed'] === undefined,
  );
  return new Map(own.map((one) => [one.name, one]));
}
/** What JSON in a text contains is described beside the text. */
const schemaOf = ({ schema }: Described): Described =>
  resolved(document, schema['x-contentSchema'] ?? schema);

test('is OpenAPI 3.0.1 of version 4.0, and the same each time', async () => {
  assert.deepEqual([printed.status, printed.errors], [0, '']);
  assert.deepEqual([document.openapi, document.info.version], ['3.0.1', '4.0']);
  assert.equal((await run(['contract', 'openapi'])).output, printed.output);
  assert.ok(document.servers.every(({ url }: Described) => url.endsWith(witness.versionPath)));
});

test('every operation of the witness, with its scopes, kind and parameters', () => {
  for (const row of witness.operations) {
    const path = row.path.replace(/,.*$/, '');
    const operation = at(path, row.method);
    assert.ok(operation, `${row.method} ${path}`);
    const scopes = operation.security.flatMap((one: Described) => one.oauth2 ?? []);
    if (row.scopes !== null) assert.deepEqual(scopes, row.scopes, path);
    const response = operation.responses['2XX'].content['application/json'].schema;
    assert.deepEqual(Object.keys(response.properties).slice(0, 2), witness.answerFields);
    assert.deepEqual(response.required, witness.answerFields);
    if (row.kind !== null) assert.deepEqual(response.properties.kind.enum, [row.kind], path);
    if (row.parameters === null) continue;
    const form = operation.requestBody?.content['application/x-www-form-urlencoded'].schema.properties;
    assert.deepEqual(form ? Object.keys(form) : [...queryOf(operation).keys()], row.parameters, path);
  }
});

test('contains every operation of the emulator once, and no others', () => {
  const items: Described[] = Object.values(document.paths);
  const ids = items.flatMap((item) => Object.values(item).flatMap((one: Described) => one.operationId ?? []));
  const oauth = ['authorize', 'requestToken', 'convertToken'];
  assert.deepEqual(
    ids.toSorted(),
    [...Object.keys({ ...operations, ...otherOperations }), ...oauth]
      // At the path of updateTask and updateFolder.
      .filter((name) => name !== 'updateTasks' && name !== 'updateFolders')
      .toSorted(),
  );
});

test('generators find status 200, integers, assumptions, and the rules that a schema cannot express', () => {
  for (const item of Object.values<Described>(document.paths))
    for (const { responses } of Object.values<Described>(item))
      if (responses?.['2XX'] !== undefined) assert.deepEqual(responses['200'], responses['2XX']);
  const { Task, Attachment, Webhook, TokenResponse, WebhookId } = document.components.schemas;
  for (const one of [
    Task.properties.attachmentCount,
    Attachment.properties.size,
    Attachment.properties.version,
    TokenResponse.properties.expires_in,
    at('/tasks', 'GET').parameters.find(({ name }: Described) => name === 'limit').schema,
    at('/tasks', 'GET').parameters.find(({ name }: Described) => name === 'pageSize').schema,
    at('/tasks', 'GET').responses['200'].content['application/json'].schema.properties.responseSize,
  ])
    assert.equal(one.type, 'integer');
  // Of a new webhook, in both kinds of body.
  const { content } = at('/folders/{folderId}/webhooks', 'POST').requestBody;
  for (const type of ['application/json', 'application/x-www-form-urlencoded'])
    assert.equal(content[type].schema.properties.recursive.default, false, type);
  for (const name of ['events', 'recursive'])
    assert.deepEqual(Webhook.properties[name]['x-assumed'], ['webhook-record'], name);
  assert.equal(Webhook.properties.status['x-assumed'], undefined);
  // Every member that --bare leaves out of a record.
  const { Folder, Timelog, Dependency, AsyncJob } = document.components.schemas;
  for (const [{ properties }, name, row] of [
    [Folder, 'accountId', 'record-shapes'],
    [Folder, 'permalink', 'permalinks'],
    [Timelog, 'hours', 'task-items'],
    [Dependency, 'predecessorId', 'task-dependencies'],
    [AsyncJob, 'results', 'batch'],
  ])
    assert.deepEqual(properties[name]['x-assumed'], [row], name);
  assert.equal(Timelog.properties.trackedDate['x-assumed'], undefined);
  assert.deepEqual(at('/audit_log', 'GET')['x-assumed'], ['audit-log', 'audit-log-scopes']);
  assert.deepEqual(at('/webhooks', 'POST')['x-assumed'], ['operation-scopes']);
  assert.equal(at('/tasks/{taskId}', 'PUT')['x-assumed'], undefined);
  assert.deepEqual(WebhookId, { type: 'string', minLength: 1 });
  const { hookUrl, events, parameterisedEvents } = at('/webhooks', 'POST').requestBody.content[
    'application/json'
  ].schema.properties;
  assert.match(hookUrl.description, /http or https.*global address.*80 or 443/s);
  assert.match(events.description, /never in both/);
  assert.match(parameterisedEvents.description, /title, .*recurrence.*project/s);
  const dates = queryOf(at('/tasks/{taskId}', 'PUT')).get('dates');
  assert.match(dates.description, /start.*due date or a duration.*milestone.*sent again/s);
});

test('several ids in a path are a comma-separated list of up to 100', () => {
  const [ids] = at('/webhooks/{webhookId}', 'GET').parameters;
  assert.deepEqual(
    [ids.in, ids.name, ids.style, ids.schema.type, ids.schema.minItems, ids.schema.maxItems],
    ['path', 'webhookId', 'simple', 'array', 1, limits.webhookIdsPerGet.max],
  );
  const [id] = at('/webhooks/{webhookId}', 'PUT').parameters;
  assert.equal(resolved(document, id.schema).type, 'string');
});

test('the parameters of the task update: types, and those sent as JSON', () => {
  const query = queryOf(at('/tasks/{taskId}', 'PUT'));
  for (const { name, type, json } of taskParameters) {
    const parameter = query.get(name);
    // With `content`, generators send the members one by one, or have no type.
    assert.equal(parameter.content, undefined, name);
    assert.equal(parameter.schema['x-contentSchema'] !== undefined, json, name);
    if (json)
      assert.deepEqual([parameter.schema.type, /JSON: /.test(parameter.description)], ['string', true]);
    assertType(document, schemaOf(parameter), type, name);
  }
});

test('the limits and patterns of the task update', () => {
  const query = queryOf(at('/tasks/{taskId}', 'PUT'));
  const schema = (name: string) => schemaOf(query.get(name));
  const { title, description, metadataKey, metadataValue, customFieldValue, duration, startAndDue } = limits;
  assert.deepEqual([schema('title').minLength, schema('title').maxLength], [title.min, title.max]);
  assert.equal(schema('description').maxLength, description.max);
  assert.equal(schema('metadata').maxItems, limits.metadataEntries.max);
  assert.equal(schema('customFields').maxItems, limits.customFieldEntries.max);
  const { key, value } = resolved(document, schema('metadata').items).properties;
  assert.deepEqual([key.pattern, key.maxLength], [metadataKey.pattern, metadataKey.below - 1]);
  assert.deepEqual([value.maxLength, value.nullable], [metadataValue.below - 1, true]);
  const field = resolved(document, schema('customFields').items).properties.value;
  assert.deepEqual([field.maxLength, field.nullable], [customFieldValue.max, true]);
  const { anywhere, atStart } = witness.customFieldForbidden;
  assertPattern(
    field,
    { good: ['', 'a', `a${atStart}`, 'a\nb'], bad: [anywhere, `a${anywhere}`, `${atStart}a`, atStart] },
    'custom field',
  );
  const dates = schema('dates').properties;
  const { minimum, maximum, exclusiveMaximum } = dates.duration;
  assert.deepEqual([minimum, maximum, exclusiveMaximum], [duration.min, duration.below, true]);
  const [year] = startAndDue.before.split('-');
  for (const one of [dates.start, dates.due])
    assertPattern(
      one,
      {
        good: [startAndDue.from, '1970-01-01', '2099-12-31T23:59:59', ...witness.calendar.days],
        bad: [startAndDue.before, ...witness.calendar.farDays, `${year}-01-01`, '1969-12-31T23:59:59'],
      },
      'date',
    );
  assert.deepEqual(schema('fields').items.enum, witness.taskFieldNames);
});

test('the parameters of creating a webhook, as a form or as JSON', () => {
  const paths = {
    account: '/webhooks',
    folder: '/folders/{folderId}/webhooks',
    space: '/spaces/{spaceId}/webhooks',
  };
  for (const [place, path] of Object.entries(paths)) {
    const { content, required } = at(path, 'POST').requestBody;
    // Generators that use the first one do not write JSON into a form.
    assert.deepEqual(Object.keys(content), ['application/json', 'application/x-www-form-urlencoded']);
    assert.equal(required, true);
    const form = content['application/x-www-form-urlencoded'];
    const rows = witness.webhookParameters.filter(({ appliesTo }) => appliesTo.some((one) => one === place));
    assert.deepEqual(Object.keys(form.schema.properties).toSorted(), rows.map(({ name }) => name).toSorted());
    assert.deepEqual(
      form.schema.required,
      rows.filter((row) => row.required).map(({ name }) => name),
    );
    assert.deepEqual(form.schema, content['application/json'].schema);
    const lists = ['events', 'parameterisedEvents', 'customItemTypes'];
    assert.deepEqual(Object.keys(form.encoding), lists);
    for (const { contentType } of Object.values<Described>(form.encoding))
      assert.equal(contentType, 'application/json');
  }
});

test('the other limits', () => {
  const form = (path: string): Described =>
    at(path, 'POST').requestBody.content['application/x-www-form-urlencoded'].schema.properties;
  assert.equal(form('/batch').operations.maxItems, limits.batchOperations.max);
  assert.equal(form('/tasks/{taskId}/comments').text.maxLength, limits.comment.max);
  assert.equal(form('/tasks/{taskId}/timelogs').comment.maxLength, limits.comment.max);
  assert.equal(form('/tasks/{taskId}/timelogs').date.deprecated, true);
  for (const path of ['/folders/{folderId}/tasks', '/folders/{folderId}/folders'])
    assert.equal(form(path).title.maxLength, limits.title.max);
});

test('response records, which may have more members', () => {
  for (const { record } of records) {
    const schema = document.components.schemas[record];
    assertRecord(document, schema, record, record);
    assert.equal(schema.additionalProperties, undefined, record);
  }
});

test('the errors of every operation', () => {
  const statuses = [...new Set(errors.errors.map(({ status }) => String(status)))];
  for (const { method, path } of witness.operations) {
    const { responses } = at(path.replace(/,.*$/, ''), method);
    for (const status of statuses) {
      const { schema } = resolved(document, responses[status]).content['application/json'];
      assert.deepEqual(schema.required, errors.errorBody);
      assert.deepEqual(
        schema.properties.error.enum,
        errors.errors.filter((one) => String(one.status) === status).map(({ error }) => error),
      );
    }
    const other = resolved(document, responses['4XX']).content['application/json'].schema;
    assert.deepEqual(other.properties.error.enum.toSorted(), errors.errorTypes.toSorted());
  }
});

test('the endpoints of OAuth 2.0', () => {
  const { authorizationCode } = document.components.securitySchemes.oauth2.flows;
  assert.deepEqual(Object.keys(authorizationCode.scopes), witness.scopes);
  for (const { method, path, in: place, parameters } of witness.authorization) {
    const operation = at(path, method);
    assert.deepEqual(operation.security, [], path);
    const named = parameters.map(({ name }) => name);
    if (place === 'query') assert.deepEqual([...queryOf(operation).keys()], named);
    else {
      const { schema } = operation.requestBody.content['application/x-www-form-urlencoded'];
      const forms: Described[] = (schema.oneOf ?? [schema]).map((one: Described) => resolved(document, one));
      const form = forms.find((one) => Object.keys(one.properties).join() === named.join());
      assert.ok(form, `${path} ${named.join()}`);
      for (const { name, required, fixed } of parameters) {
        if (required !== null) assert.equal(form.required.includes(name), required === 'yes', name);
        if (fixed !== undefined) assert.deepEqual(form.properties[name].enum, [fixed]);
      }
    }
  }
});

test('marks assumptions with row ids, and includes every row', () => {
  const marks: string[] = [];
  JSON.stringify(document, (name, value) => {
    if (name === 'x-assumed') marks.push(...value);
    return value;
  });
  const ids: readonly string[] = assumptions.map(({ id }) => id);
  assert.deepEqual(Object.keys(document['x-assumptions']), ids);
  assert.deepEqual(
    marks.filter((one) => !ids.includes(one)),
    [],
  );
  const items: Described[] = Object.values(document.paths);
  for (const operation of items.flatMap((item) => Object.values<Described>(item)))
    if (operation.operationId !== undefined && operation['x-evidence'] !== 'stated')
      assert.ok(operation['x-assumed']?.length > 0, operation.operationId);
});
