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
  /** The title of the subject, from the event or from the fields that its webhook asks for. */
  readonly title: string | undefined;
}

export interface DeliveredEvents {
  /** The first {@link maxReadEvents} events. */
  readonly events: readonly DeliveredEvent[];
  readonly count: number;
}

/** A delivery with more events takes all routes and has no subject: docs/decisions/forwarding.md. */
export const maxReadEvents = 10_000;

const maxParsedBytes = 64 * 1024;

/** Reads an array or a single object; other bodies have no events. */
export function readEvents(body: Uint8Array): DeliveredEvents {
  const text = new TextDecoder().decode(body);
  if (body.length > maxParsedBytes) return scanEvents(text);
  const records = parseRecords(text);
  return { events: records.slice(0, maxReadEvents).map(toEvent), count: records.length };
}

/** The events of longer bodies are cached: reading 30 MB takes up to half a second, and the events need little memory. */
const cachedFromBytes = 1024 * 1024;

/** Reads the events of a long body only once. */
export function eventsOf(delivery: { readonly body: Uint8Array; events?: DeliveredEvents }): DeliveredEvents {
  if (delivery.events) return delivery.events;
  const { body } = delivery;
  const delivered = readEvents(body);
  if (body.length > cachedFromBytes) delivery.events = delivered;
  return delivered;
}

/** Parses whole events. The caller limits the length. */
export function parseRecords(text: string): readonly JsonObject[] {
  const parsed = parseJsonIfValid(text);
  return (Array.isArray(parsed) ? parsed : [parsed]).filter(isJsonObject);
}

const idFields = [...new Set(Object.values(events).map(({ idField }) => idField))];
const readMembers: ReadonlySet<string> = new Set(['eventType', 'title', 'fields', ...idFields]);
const titleOnly: ReadonlySet<string> = new Set(['title']);

function toEvent(event: JsonObject): DeliveredEvent {
  const { title, fields } = event;
  const fieldTitle = isJsonObject(fields) ? fields['title'] : undefined;
  return {
    eventType: textOf(event['eventType']) ?? '',
    subjectId: idFields.map((field) => textOf(event[field])).find((id) => id !== undefined),
    title: [title, fieldTitle].find((text) => typeof text === 'string'),
  };
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Gives the same result as parsing. In skipped values, it checks only that brackets and quotes match. */
function scanEvents(text: string): DeliveredEvents {
  const scanned: DeliveredEvent[] = [];
  let count = 0;
  const readRecord = (start: number, level: number) => {
    if (text[start] !== '{') return skipValue(text, start, level);
    count += 1;
    if (count > maxReadEvents) return skipValue(text, start, level);
    const members: Record<string, unknown> = {};
    const end = readObject(text, start, level, readMembers, members);
    scanned.push(toEvent(members));
    return end;
  };
  try {
    const first = skipSpace(text, 0);
    const end =
      text[first] === '['
        ? eachElement(text, first, ']', (start) => readRecord(start, 1))
        : readRecord(first, 0);
    if (skipSpace(text, end) === text.length) return { events: scanned, count };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { events: [], count: 0 };
}

/** Calls `read` at each element or member; `read` returns its end. Returns the end of the list or object. */
function eachElement(text: string, start: number, closing: ']' | '}', read: (start: number) => number) {
  let index = skipSpace(text, start + 1);
  if (text[index] === closing) return index + 1;
  for (;;) {
    index = skipSpace(text, read(index));
    if (text[index] === closing) return index + 1;
    if (text[index] !== ',') throw new SyntaxError();
    index = skipSpace(text, index + 1);
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
  return eachElement(text, start, '}', (nameStart) => {
    if (text[nameStart] !== '"') throw new SyntaxError();
    const colon = skipSpace(text, endOfString(text, nameStart) + 1);
    if (text[colon] !== ':') throw new SyntaxError();
    const value = skipSpace(text, colon + 1);
    const name = nameAt(text, nameStart);
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
function nameAt(text: string, start: number): string | undefined {
  const end = endOfString(text, start);
  if (end - start - 1 > longestName) return undefined;
  const quoted = text.slice(start, end + 1);
  const name: unknown = quoted.includes('\\') ? parseJson(quoted) : quoted.slice(1, -1);
  return typeof name === 'string' ? name : undefined;
}

/** The end of the value at `start`. `level`: its depth of nesting. */
function skipValue(text: string, start: number, level: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === codes.quote) index = endOfString(text, index);
    else if (code === codes.list || code === codes.object) {
      depth += 1;
      if (level + depth > maxJsonDepth) throw new SyntaxError();
    } else if (code === codes.listEnd || code === codes.objectEnd) {
      if (depth === 0) return endOfScalar(start, index);
      depth -= 1;
    } else if (depth > 0) continue;
    else if (code === codes.comma || isSpace(code)) return endOfScalar(start, index);
    else continue;
    if (depth === 0) return index + 1;
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
  let index = from;
  while (isSpace(text.charCodeAt(index))) index += 1;
  return index;
}
