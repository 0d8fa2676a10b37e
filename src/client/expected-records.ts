// Compares the records of a response with its request. A proxy may send the response to another request, from a cache or by mistake: it
// looks like the service's, and says nothing about this request.

import { ExactNumber, isJsonObject, type JsonObject } from '#contract/json.ts';
import type { Method } from '#contract/operation.ts';
import { movedStart } from '#contract/task-rules.ts';
import { Failure } from '#failure.ts';
import { htmlToText } from '#html-reader/html-text.ts';
import type { HttpResponse } from '#world/world.ts';
import type { PathArguments } from './request.ts';
import { type ApiResponse, badResponse } from './response.ts';

/** The failure of a response without these records: exactly one after a change. The contract does not show what a deletion returns. */
export function findUnexpected(
  method: Method,
  ids: readonly string[],
  data: unknown,
  response: HttpResponse,
): Failure | undefined {
  if (method === 'DELETE' || (method === 'GET' && ids.length === 0)) return undefined;
  const received = Array.isArray(data)
    ? data.map((record) => (isJsonObject(record) ? record['id'] : undefined))
    : [];
  const missing = ids.filter((id) => !received.includes(id));
  if (ids.length > 1) return missing.length > 0 ? missingRecords(missing) : undefined;
  const [id] = received;
  if (missing.length === 0 && received.length === 1 && typeof id === 'string') return undefined;
  const expected = ids[0] === undefined ? 'one record' : `the record ${ids[0]}`;
  const other = typeof id === 'string' ? 'another' : 'one without an id';
  return badResponse(
    response,
    `expected ${expected}, got ${received.length === 1 ? other : `${received.length} records`}`,
  );
}

export function missingRecords(ids: readonly string[]): Failure {
  const message = `The response of the service does not contain ${ids.join(', ')}`;
  return new Failure('not_found', { message });
}

/** The record of a response that {@link findUnexpected} let through: it has exactly one. */
export function onlyRecord<R>({ records: [record] }: Pick<ApiResponse<R>, 'records'>): R {
  if (record === undefined) throw new Error('The session returned no record');
  return record;
}

/** The ids in the last step of a path. */
export function idsIn(pattern: string, path: PathArguments): readonly string[] {
  if (!pattern.endsWith('}')) return [];
  const ids = path[pattern.slice(pattern.lastIndexOf('{') + 1, -1)] ?? [];
  return typeof ids === 'string' ? [ids] : ids;
}

const sameText = (value: unknown) => String(value).normalize().trim().replace(/\s+/g, ' ');
/** The service adds the time to a date. */
const dayOf = (date: unknown) => String(date).slice(0, 10);

/** Comparable forms of what a record shows as it was sent. The service may return HTML in another form. */
const forms: Readonly<Record<string, (value: unknown) => string | Promise<string>>> = {
  title: sameText,
  status: sameText,
  importance: sameText,
  hookUrl: urlKey,
  file: (file) => sameText(isJsonObject(file) ? file['name'] : file),
  text: async (html) => (await htmlToText(String(html))).replace(/[^\p{L}\p{N}]/gu, ''),
  hours: (number) => String(Number(number instanceof ExactNumber ? number.text : number)),
  trackedDate: dayOf,
  taskId: String,
  folderId: String,
};

/** The same for all forms of one URL: `https://example.com` is `https://example.com/`. */
export function urlKey(value: unknown): string {
  const url = String(value);
  return URL.canParse(url) ? new URL(url).href : url;
}

/** For a change sent as a form, which some services ignore. Throws if the record does not show a value. One id of a list is enough. */
export async function requireShown(sent: JsonObject, record: JsonObject, response: HttpResponse) {
  const names = await notShown(sent, record);
  if (names.length === 0) return;
  throw badResponse(
    response,
    `it does not show ${names.join(', ')} as sent. The service may ignore forms: --query-limit BYTES sends longer queries`,
  );
}

/** A warning if the new record does not show what was sent. */
export async function differenceOf(sent: JsonObject, record: JsonObject) {
  const names = (await notShown(sent, record)).join(', ');
  const difference = `The new record ${String(record['id'])} does not show ${names} as sent. Check whether it is the right one.`;
  return names === '' ? {} : { difference };
}

async function notShown(sent: JsonObject, record: JsonObject) {
  const names: string[] = [];
  for (const [name, value] of Object.entries(sent))
    if (!(await isShown(name, value, record))) names.push(name);
  return names;
}

/** True also for a value that cannot be compared. */
async function isShown(name: string, value: unknown, record: JsonObject): Promise<boolean> {
  const [, verb, kind] = /^(add|remove)([A-Z]\w*)s$/.exec(name) ?? [];
  if (kind !== undefined && Array.isArray(value)) {
    // addSuperTasks changes superTaskIds.
    const ids = record[`${kind.charAt(0).toLowerCase()}${kind.slice(1)}Ids`];
    if (!Array.isArray(ids) || value.length === 0) return true;
    if (verb === 'remove') return !value.every((id) => ids.includes(id));
    // The record does not show invited users, whose ids do not begin with KU.
    const mayBeHidden = kind === 'Shared' || kind === 'Responsible';
    return value.some((id) => ids.includes(id) || (mayBeHidden && !String(id).startsWith('KU')));
  }
  const shown = record[name === 'file' ? 'name' : name];
  if (name === 'dates' && isJsonObject(value) && isJsonObject(shown)) {
    const monday = movedStart(value)?.monday ?? '';
    return ['type', 'start', 'due'].every((part) => {
      const [sent, now] = [dayOf(value[part]), dayOf(shown[part])];
      return value[part] === undefined || sent === now || (sent < monday && now === monday);
    });
  }
  // Only the service knows what it removes of HTML.
  if (name === 'text' && String(value).includes('<')) return true;
  const form = forms[name];
  if (form === undefined || value === undefined || shown === undefined) return true;
  return (await form(shown)) === (await form(value));
}
