// Decisions about random requests, in each mode. A rejection breaks the contract or names its assumption; an accepted request names the
// assumptions that it needs. test/witness/decisions.ts has the expectations. Few requests are quick and many are deep.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { assumptions, type EmulatorMode, recordedRows } from '#contract/assumption.ts';
import { createRandom } from '#test/support/random.ts';
import { type Received, send } from '#test/support/service/send.ts';
import { type Started, started } from '#test/support/service/start-emulator.ts';
import { apiRequest, type FuzzRequest, type Memory, oauthRequest } from '../fuzz/request.ts';
import {
  operationRows,
  type Sent,
  taskParameterViolations,
  webhookParameterViolations,
} from '../witness/decisions.ts';
import { events } from '../witness/events.ts';

const seed = 20_261_123;
const recorded: ReadonlySet<string> = recordedRows;
const known: readonly string[] = assumptions.map(({ id }) => id);
const hookViolations = webhookParameterViolations(events.map(({ name }) => name));

interface Answer {
  readonly status: number;
  readonly rows: readonly string[];
  readonly error: string;
  readonly description: string;
  readonly text: string;
  readonly location: string | null;
}

async function ask(
  { authUrl }: Started,
  { method, path, headers, body }: FuzzRequest,
): Promise<Answer | undefined> {
  let response: Received;
  try {
    const url = `${new URL(path, authUrl)}`;
    response = await send(url, { method, headers, ...(body === undefined ? {} : { body }) });
  } catch {
    // Not every header can be sent.
    return undefined;
  }
  const { text } = response;
  const { error = '', errorDescription: description = '' } = text.startsWith('{') ? JSON.parse(text) : {};
  const header = response.headers.get('emulator-assumption');
  const rows = header === null ? [] : header.split(', ');
  return {
    status: response.status,
    rows,
    error,
    description,
    text,
    location: response.headers.get('location'),
  };
}

const decoded = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));

interface Parts {
  readonly method: string;
  /** Below the API's base address. */
  readonly path: string;
  readonly query: string;
  readonly inQuery: readonly Sent[];
  readonly inBody: readonly Sent[];
  readonly form: string;
}

const pairsOf = (encoded: string): Sent[] =>
  encoded
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return { name: decoded(name), value: decoded(value.join('=')), isText: true };
    });

/** The fields of a multipart body, without files. */
const fieldsOf = (body: string): Sent[] =>
  [...body.matchAll(/form-data; name="([^"]*)"\r\n\r\n([\s\S]*?)\r\n--/g)].map(
    ([, name = '', value = '']) => ({
      name,
      value,
      isText: true,
    }),
  );

/** Undefined for a request that cannot be read at all. */
function partsOf({ method, path: target, headers, body }: FuzzRequest): Parts | undefined {
  const { pathname } = new URL(target, 'http://x');
  const query = target.split('?').slice(1).join('?');
  try {
    const inQuery = pairsOf(query);
    const type = headers['Content-Type'] ?? '';
    const isForm = type.startsWith('application/x-www');
    const content = String(body ?? '');
    const inParts = type.startsWith('multipart/') ? fieldsOf(content) : [];
    const inBody = isForm
      ? pairsOf(content)
      : type.startsWith('application/json') && content !== ''
        ? Object.entries(JSON.parse(content)).map(([name, value]) => ({ name, value, isText: false }))
        : inParts;
    return {
      method: String(
        inQuery.find(({ name }) => name === 'method')?.value ?? (method === 'HEAD' ? 'GET' : method),
      ),
      path: pathname.slice('/api/v4'.length),
      query,
      inQuery,
      inBody,
      form: isForm ? content : '',
    };
  } catch {
    return undefined;
  }
}

const isTaskUpdate = ({ method, path }: Parts) =>
  method === 'PUT' && /^\/tasks\/[^/]+$/.test(path) && !/,|%2c/i.test(path);
const isNewWebhook = ({ method, path }: Parts) => method === 'POST' && path.endsWith('/webhooks');
const common = ['method', 'state', 'access_token'];
const paging = ['pageSize', 'nextPageToken'];

/** Whether the contract's letter rejects the request with this answer. */
function isStated(request: FuzzRequest, { status, error, description }: Answer): boolean {
  if (status === 401) return error === 'not_authorized';
  if (status === 403)
    return error === 'access_forbidden' && /^Access to \w+ \S+ is denied$/.test(description);
  if (error === 'resource_not_found') return / was not found$/.test(description);
  const parts = partsOf(request);
  if (error === 'method_not_found')
    return (
      !['GET', 'POST', 'PUT', 'DELETE'].includes(parts?.method ?? '') ||
      !/^(\/[\w.~:=,%-]+)+\/?$/.test(parts?.path ?? '')
    );
  // Malformed: what cannot be decoded, parsed or told from other kinds of body.
  if (error === 'invalid_request')
    return (
      parts === undefined ||
      /^The (body is not (JSON|a JSON object|UTF-8)|multipart body is invalid|Content-Type is)/.test(
        description,
      ) ||
      / is not valid percent-encod/.test(description)
    );
  // The ids in the path are read before the body.
  const name = /^Parameter '([\s\S]*?)' (?:value is invalid|is unknown)/.exec(description)?.[1] ?? '';
  const segment = decodeURIComponent(new URL(request.path, 'http://x').pathname.split('/')[4] ?? '');
  const inPath = name.endsWith('s') ? segment.split(',') : [segment];
  if (/^(task|folder|dependency)Ids?$/.test(name))
    return inPath.some((id) => !/^[A-Za-z0-9\-_:.=]{1,256}$/.test(id));
  if (/^(contactIds|userIds?|groupId|invitationId)$/.test(name))
    return inPath.some((id) => !/^[A-Z0-9]{8}$/.test(id));
  if (/^customFieldIds?$/.test(name)) return inPath.some((id) => !/^[A-Z0-9]{16}$/.test(id));
  if (parts === undefined) return false;
  const sent = [...parts.inQuery, ...parts.inBody];
  if (error === 'parameter_required')
    return isNewWebhook(parts)
      ? sent.every(({ name }) => name !== 'hookUrl')
      : parts.path.startsWith('/webhooks/');
  if (name === 'method')
    return request.method === 'GET' && !['GET', 'POST', 'PUT', 'DELETE'].includes(parts.method);
  const rules = isTaskUpdate(parts)
    ? taskParameterViolations
    : isNewWebhook(parts)
      ? hookViolations
      : undefined;
  if (description.endsWith('is unknown')) {
    if (isTaskUpdate(parts)) return !Object.hasOwn(taskParameterViolations, name);
    const isAccount = parts.path === '/webhooks' && name === 'recursive';
    if (isNewWebhook(parts)) return isAccount || !Object.hasOwn(hookViolations, name);
    return /^\/webhooks(\/|$)/.test(parts.path) && (parts.method !== 'PUT' || name !== 'status');
  }
  const isStatusOfWebhook = /^\/webhooks\/[^/]+$/.test(parts.path) && name === 'status';
  if (isStatusOfWebhook)
    return sent.some(
      (parameter) => parameter.name === name && !/^(Active|Suspended)$/.test(String(parameter.value)),
    );
  if (/is in both events and parameterisedEvents/.test(description)) return isNewWebhook(parts);
  const violates = rules !== undefined && Object.hasOwn(rules, name) ? rules[name] : undefined;
  return sent.some(
    (parameter) => parameter.name.replace(/\[\]$/, '') === name && violates?.(parameter) === true,
  );
}

const listNames =
  /^(add|remove)(Parents|Shareds|Responsibles|ResponsiblePlaceholders|Followers|SuperTasks)$|^(fields|events|customItemTypes|attachments)$/;
const isJsonList = (text: unknown) => {
  try {
    return Array.isArray(JSON.parse(String(text)));
  } catch {
    return false;
  }
};
const recordNames =
  /^(dates|metadata|customFields|effortAllocation|setResponsibleAllocation|parameterisedEvents|operations)$/;

/** The rows that an accepted request must name, as far as the request alone decides. */
function expectedRows(request: FuzzRequest, mode: EmulatorMode): Set<string> {
  const parts = partsOf(request);
  assert.ok(parts, 'accepted, and cannot be read');
  const { method, inQuery, inBody, query, form } = parts;
  const path = parts.path.replace(/\/$/, '');
  const rows = new Set<string>();
  const operation = operationRows.find(([rowMethod, pattern]) => rowMethod === method && pattern.test(path));
  if (operation !== undefined) rows.add(operation[2]);
  if (request.method === 'HEAD') rows.add('other-methods');
  if (parts.path.endsWith('/')) rows.add('trailing-slash');
  if (parts.path.includes('//')) rows.add('double-slash');
  if (query.includes('+')) rows.add('plus-sign');
  const own = inQuery.filter(({ name }) => !common.includes(name));
  if (inQuery.some(({ name }) => name === 'state')) rows.add('state-echo');
  if (inQuery.some(({ name }) => name === 'access_token') && 'Authorization' in request.headers)
    rows.add('token-twice');
  const isMultipart = request.headers['Content-Type']?.startsWith('multipart/') === true;
  if (isMultipart && inBody.length > 0 && !path.endsWith('/attachments')) rows.add('multipart-parameters');
  if (isNewWebhook(parts) && own.length > 0) rows.add('webhook-query');
  const texts = [...own, ...inBody].filter(({ isText }) => isText);
  const names = texts.map(({ name }) => name.replace(/\[\]$/, ''));
  const isShown = isTaskUpdate(parts) || isNewWebhook(parts);
  for (const { name, value } of isShown ? texts : []) {
    const plain = name.replace(/\[\]$/, '');
    const several = names.filter((other) => other === plain).length > 1;
    // The contract's own form of these, and of no other list.
    const inBrackets = plain === 'events' && /^\s*\[.*\]\s*$/s.test(String(value));
    if (listNames.test(plain) && (plain !== name || several || !(isJsonList(value) || inBrackets)))
      rows.add('plain-lists');
  }
  for (const { name, value, isText } of inBody)
    if (
      isShown &&
      !isText &&
      typeof value === 'string' &&
      (listNames.test(name) || /^(metadata|customFields|setResp|paramet)/.test(name))
    )
      rows.add('json-in-json');
  for (const pair of isShown ? [...query.split('&'), ...form.split('&')] : []) {
    const [name = '', ...value] = pair.split('=');
    const plain = decoded(name).replace(/\[\]$/, '');
    if (
      plain !== 'events' &&
      (listNames.test(plain) || recordNames.test(plain)) &&
      /[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]/.test(value.join('='))
    )
      rows.add('unencoded-json');
  }
  const isList =
    method === 'GET' &&
    path !== '/account' &&
    /^\/[a-z_]+$|\/(workflows|comments|timelogs|attachments|tasks|folders|dependencies|timelog_lock_periods)$/.test(
      path,
    );
  if (/^\/((folders|spaces)\/[^/]+\/)?tasks$/.test(path) && method === 'GET')
    if (own.some(({ name }) => ![...paging, 'fields'].includes(name))) rows.add('task-filters');
  if (isList && mode !== 'strict' && own.some(({ name }) => paging.includes(name))) rows.add('list-pages');
  return rows;
}

/** Rows that depend on what is stored, or on parameters that are the emulator's own. */
const dependsOnState = [
  ...'former-user effort-replaced filter-ids same-hook-url webhook-record restore priority-list'.split(' '),
  ...'audit-log-scopes character-count comment-plain-text completed-date contact-type'.split(' '),
  ...'field-of-other-space field-without-value due-date-sort task-order bin-tasks folder-subtasks'.split(' '),
  ...'root-by-id handshake-body idle-webhook item-lists long-values payload-field-members'.split(' '),
  ...'recurrence-field space-webhook-folder task-title-filter weekend-dates three-dates'.split(' '),
  ...'duration-with-start duration-with-due type-without-dates parameterised-events-alone'.split(' '),
  ...'unknown-parameter quoted-filter other-html letter-case loose-booleans list-pages'.split(' '),
  ...'plain-lists json-in-json unencoded-json lenient-json'.split(' '),
];

function judge(request: FuzzRequest, answer: Answer, mode: EmulatorMode): string | undefined {
  const { status, rows, description } = answer;
  const unknown = rows.find((row) => !known.includes(row));
  if (unknown !== undefined) return `no row is called ${unknown}`;
  if (status === 204 || status === 431) return undefined;
  if (status >= 400) {
    // Without a body, nobody can see why.
    if (request.method === 'HEAD') return undefined;
    const stated = isStated(request, answer);
    if (rows.length === 0) return stated ? undefined : `rejected without a row: ${description}`;
    if (rows.length > 1) return `rejected with ${rows.join(', ')}`;
    // A text that is not even a list of the tolerated forms is both, and --strict names the form first.
    const isForm =
      mode === 'strict' && assumptions.some((row) => row.id === rows[0] && row.strict !== undefined);
    // Of the others, a description tells no more than which of the two the emulator meant.
    return stated && !isForm && answer.error === 'invalid_parameter'
      ? `rejected because of ${rows[0]}, although the contract states it: ${description}`
      : undefined;
  }
  // What was recorded is no assumption, unless it rejects: no recording has an error.
  const expected = new Set([...expectedRows(request, mode)].filter((row) => !recorded.has(row)));
  const missing = [...expected].filter((row) => !rows.includes(row));
  const more = rows.filter((row) => !expected.has(row) && !dependsOnState.includes(row));
  if (missing.length > 0) return `accepted without ${missing.join(', ')}`;
  return more.length > 0 ? `accepted with ${more.join(', ')}, which the witness does not expect` : undefined;
}

function remember(memory: Memory, { text }: Answer): void {
  const found = /"id":"([^"]+)"/.exec(text.slice(0, 4_000))?.[1];
  if (found === undefined) return;
  memory.ids.push(found);
  if (memory.ids.length > 100) memory.ids.shift();
}

/** Judges so many requests. Gives how many rows they needed. */
export async function judgeRequests(t: TestContext, mode: EmulatorMode, requests: number): Promise<number> {
  const emulator = await started(t, { mode, allowLocalHooks: true });
  const random = createRandom(seed);
  const memory: Memory = { ids: [], tokens: [], refreshTokens: [], tickets: [], codes: [] };
  const { token, clientId, clientSecret } = emulator;
  const place = { token, clientId, clientSecret, receiverPort: 9 };
  const wrong: string[] = [];
  const rows = new Map<string, number>();
  for (let at = 0; at < requests; at++) {
    const request = apiRequest(random, memory, place);
    const answer = await ask(emulator, request);
    if (answer === undefined) continue;
    remember(memory, answer);
    for (const row of answer.rows) rows.set(row, (rows.get(row) ?? 0) + 1);
    const problem = judge(request, answer, mode);
    const body = String(request.body ?? '').slice(0, 300);
    if (problem !== undefined)
      wrong.push(`${request.method} ${request.path.slice(0, 300)} ${body}: ${problem}`);
  }
  t.diagnostic(`${rows.size} rows: ${[...rows].map(([row, count]) => `${row} ${count}`).join(', ')}`);
  assert.deepEqual(wrong.slice(0, 10), [], `${wrong.length} decisions`);
  return rows.size;
}

export async function judgeTokenErrors(t: TestContext, requests: number): Promise<void> {
  const emulator = await started(t);
  const random = createRandom(seed);
  const memory: Memory = { ids: [], tokens: [], refreshTokens: [], tickets: [], codes: [] };
  const { token, clientId, clientSecret } = emulator;
  for (let at = 0; at < requests; at++) {
    const request = oauthRequest(random, memory, { token, clientId, clientSecret, receiverPort: 9 });
    const answer = await ask(emulator, request);
    if (answer === undefined || request.path.startsWith('/oauth2/authorize')) continue;
    if (answer.status >= 400) assert.equal(answer.rows[0], 'token-endpoint-errors', request.path);
  }
}
