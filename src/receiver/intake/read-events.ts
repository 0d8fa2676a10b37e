// Reads the events of a stored delivery for routes, order and display. Never throws: a body that is not JSON is still a delivery. Scans
// a long body instead of parsing it, because 30 MB may hold ten million values, which would use all memory.

import { events } from '#contract/event.ts';
import {
  endOfString,
  isJsonObject,
  type JsonObject,
  maxJsonDepth,
  parseJson,
  parseJsonIfValid,
} from '#contract/json.ts';

export interface DeliveredEvent {
  /** Empty if the event has no type. */
  readonly eventType: string;
  /** The task, folder or work item that the event is about. */
  readonly subjectId: string | undefined;
  readonly webhookId: string | undefined;
  /** The title of the subject, from the event or from the fields that its webhook asks for. */
  readonly title: string | undefined;
}

export interface DeliveredEvents {
  /** The first {@link mostReadEvents} events. */
  readonly events: readonly DeliveredEvent[];
  readonly count: number;
}

/** A delivery with more events takes all routes and has no subject: docs/decisions/forwarding.md. */
export const mostReadEvents = 10_000;

/** Bodies up to this length are parsed, longer ones scanned. */
const parsedBytes = 64 * 1024;

/** Reads an array or a single object; other bodies have no events. */
export function readEvents(body: Uint8Array): DeliveredEvents {
  const text = new TextDecoder().decode(body);
  if (body.length > parsedBytes) return scanEvents(text);
  const found = parseRecords(text);
  return { events: found.slice(0, mostReadEvents).map(toEvent), count: found.length };
}

/** The events of longer bodies are kept: reading 30 MB takes up to half a second, and the events need little memory. */
const keptFromBytes = 1024 * 1024;

/** Reads the events of a long body only once. */
export function eventsOf(delivery: { readonly body: Uint8Array; events?: DeliveredEvents }): DeliveredEvents {
  if (delivery.events) return delivery.events;
  const { body } = delivery;
  const found = readEvents(body);
  if (body.length > keptFromBytes) delivery.events = found;
  return found;
}

/** Parses whole events. The caller limits the length. */
export function parseRecords(text: string): readonly JsonObject[] {
  const parsed = parseJsonIfValid(text);
  return (Array.isArray(parsed) ? parsed : [parsed]).filter(isJsonObject);
}

const idFields = [...new Set(Object.values(events).map(({ idField }) => idField))];
/** The members that {@link toEvent} reads. */
const readMembers: ReadonlySet<string> = new Set(['eventType', 'webhookId', 'title', 'fields', ...idFields]);
const titleOnly: ReadonlySet<string> = new Set(['title']);

function toEvent(event: JsonObject): DeliveredEvent {
  const { title, fields } = event;
  const more = isJsonObject(fields) ? fields['title'] : undefined;
  return {
    eventType: textOf(event['eventType']) ?? '',
    subjectId: idFields.map((field) => textOf(event[field])).find((id) => id !== undefined),
    webhookId: textOf(event['webhookId']),
    title: [title, more].find((text) => typeof text === 'string'),
  };
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Gives the same result as parsing. In skipped values, it checks only that brackets and quotes match. */
function scanEvents(text: string): DeliveredEvents {
  const found: DeliveredEvent[] = [];
  let count = 0;
  const readOne = (at: number, level: number) => {
    if (text[at] !== '{') return skipValue(text, at, level);
    count += 1;
    if (count > mostReadEvents) return skipValue(text, at, level);
    const members: Record<string, unknown> = {};
    const end = readObject(text, at, level, readMembers, members);
    found.push(toEvent(members));
    return end;
  };
  try {
    const start = skipSpace(text, 0);
    const end =
      text[start] === '[' ? eachElement(text, start, ']', (at) => readOne(at, 1)) : readOne(start, 0);
    if (skipSpace(text, end) === text.length) return { events: found, count };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { events: [], count: 0 };
}

/** Calls `read` at each element or member; `read` returns its end. Returns the end of the list or object. */
function eachElement(text: string, start: number, closing: ']' | '}', read: (at: number) => number): number {
  let at = skipSpace(text, start + 1);
  if (text[at] === closing) return at + 1;
  for (;;) {
    at = skipSpace(text, read(at));
    if (text[at] === closing) return at + 1;
    if (text[at] !== ',') throw new SyntaxError();
    at = skipSpace(text, at + 1);
  }
}

/** Reads the needed members that are texts. If a name repeats, the last one counts, as in `JSON.parse`. */
function readObject(
  text: string,
  start: number,
  level: number,
  names: ReadonlySet<string>,
  into: Record<string, unknown>,
): number {
  return eachElement(text, start, '}', (at) => {
    if (text[at] !== '"') throw new SyntaxError();
    const colon = skipSpace(text, endOfString(text, at) + 1);
    if (text[colon] !== ':') throw new SyntaxError();
    const value = skipSpace(text, colon + 1);
    const name = nameAt(text, at);
    if (name === undefined || !names.has(name)) return skipValue(text, value, level + 1);
    if (name === 'fields' && text[value] === '{') {
      const fields: Record<string, unknown> = {};
      into[name] = fields;
      return readObject(text, value, level + 1, titleOnly, fields);
    }
    const end = skipValue(text, value, level + 1);
    into[name] = text[value] === '"' ? parseJson(text.slice(value, end)) : undefined;
    return end;
  });
}

/** The longest needed name, if each of its characters is escaped. */
const longestName = 6 * Math.max(...[...readMembers].map(({ length }) => length));

/** The name at this position; `undefined` if it is too long to be needed. */
function nameAt(text: string, at: number): string | undefined {
  const end = endOfString(text, at);
  if (end - at - 1 > longestName) return undefined;
  const quoted = text.slice(at, end + 1);
  const name: unknown = quoted.includes('\\') ? parseJson(quoted) : quoted.slice(1, -1);
  return typeof name === 'string' ? name : undefined;
}

/** The end of the value at `start`. `level`: its depth of nesting. */
function skipValue(text: string, start: number, level: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === codes.quote) at = endOfString(text, at);
    else if (code === codes.list || code === codes.object) {
      depth += 1;
      if (level + depth > maxJsonDepth) throw new SyntaxError();
    } else if (code === codes.listEnd || code === codes.objectEnd) {
      if (depth === 0) return endOfScalar(start, at);
      depth -= 1;
    } else if (depth > 0) continue;
    else if (code === codes.comma || isSpace(code)) return endOfScalar(start, at);
    else continue;
    if (depth === 0) return at + 1;
  }
  if (depth > 0) throw new SyntaxError();
  return endOfScalar(start, text.length);
}

/** The end of a number, `true`, `false` or `null`. It must not be empty. */
function endOfScalar(start: number, end: number): number {
  if (start === end) throw new SyntaxError();
  return end;
}

const codes = {
  quote: '"'.charCodeAt(0),
  comma: ','.charCodeAt(0),
  list: '['.charCodeAt(0),
  listEnd: ']'.charCodeAt(0),
  object: '{'.charCodeAt(0),
  objectEnd: '}'.charCodeAt(0),
} as const;

const isSpace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}
