// What came in, for whoever tests a client: each request with its response's status and, if it was rejected, the reason. In
// memory, up to a limit; whoever looks at it sees no secrets. Control requests are not in it.

import { formatTimestamp } from '../../contract/date.ts';
import { parseJsonIfValid } from '../../contract/json.ts';
import { redactHeader, redactJson, redactPairs } from './redact-exchange.ts';
import { contentType, type ReceivedRequest } from './request.ts';
import type { OutgoingResponse } from './response.ts';

export interface LoggedRequest {
  /** Counts all requests from 1, also after a reset. */
  readonly number: number;
  /** On the emulator's clock: a timestamp. */
  readonly date: string;
  /** The name that a fault for it has; `stub`, or `none` for what the emulator does not have. */
  readonly operation: string;
  readonly dataCentre: string;
  readonly method: string;
  /** As it was sent. */
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent if it was not read, such as that of an attachment. */
  readonly body?: string;
  /** Absent if nothing was sent. */
  readonly status?: number;
  /** Of a response with an error. */
  readonly error?: string;
  readonly reason?: string;
  /** What responded in place of the emulator. */
  readonly injected?: 'fault' | 'stub';
}

export interface RequestLog {
  add(request: Exchange): void;
  /** Those with a greater number, oldest first. */
  after(number: number): readonly LoggedRequest[];
  /** The number of the latest; 0 if there was none. */
  readonly last: number;
  /** The number of the latest that is no longer there because of the limit; 0 if none was removed. */
  readonly lastRemoved: number;
  clear(): void;
}

export interface Exchange {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly operation: string;
  readonly received: ReceivedRequest;
  /** As far as it was read as text. */
  readonly body: string | undefined;
  /** Undefined if nothing is sent. */
  readonly response: OutgoingResponse | undefined;
  readonly injected?: 'fault' | 'stub' | undefined;
}

/** At least the latest of this number are there. */
const maxRequests = 1_000;
const maxCharacters = 4_000;
const maxHeaders = 50;
const maxHeaderCharacters = 500;

export function createRequestLog(): RequestLog {
  let entries: Noted[] = [];
  let last = 0;
  let lastRemoved = 0;
  return {
    get last() {
      return last;
    },
    get lastRemoved() {
      return lastRemoved;
    },
    add(exchange) {
      last += 1;
      entries.push(note(last, exchange));
      // Not with each request: removing the first of a long list moves all others.
      if (entries.length < maxRequests * 2) return;
      entries = entries.slice(-maxRequests);
      lastRemoved = last - maxRequests;
    },
    after: (number) => entries.filter((one) => one.number > number).map(toEntry),
    clear() {
      entries = [];
      lastRemoved = 0;
    },
  };
}

/** An entry as it is kept: short, but not yet without secrets. Few are ever looked at, and each request is noted. */
interface Noted extends Omit<LoggedRequest, 'date' | 'headers'>, Pick<Exchange, 'time'> {
  readonly headers: ReceivedRequest['headers'];
  readonly isForm: boolean;
}

function note(number: number, { time, operation, received, body, response, injected }: Exchange): Noted {
  const { method, path, query, dataCentre, headers } = received;
  return {
    number,
    time,
    operation,
    dataCentre,
    method: cut(method),
    path: cut(path),
    query: cut(query),
    headers: areShort(headers) ? headers : readHeaders(headers),
    isForm: contentType(received) === 'application/x-www-form-urlencoded',
    ...(body === undefined || body === '' ? {} : { body: cut(body) }),
    ...(response === undefined ? {} : { status: response.status, ...readError(response) }),
    ...(injected === undefined ? {} : { injected }),
  };
}

function toEntry({ time, isForm, headers, ...noted }: Noted): LoggedRequest {
  const { body } = noted;
  return {
    ...noted,
    date: formatTimestamp(time),
    query: redactPairs(noted.query),
    headers: readHeaders(headers),
    ...(body === undefined ? {} : { body: isForm ? redactPairs(body) : redactJson(body) }),
  };
}

function areShort(headers: ReceivedRequest['headers']): boolean {
  let count = 0;
  for (const name in headers)
    if (++count > maxHeaders || String(headers[name]).length > maxHeaderCharacters) return false;
  return true;
}

/** A part of a long text keeps the whole of it in memory, unless it is copied. */
function cut(text: string, most = maxCharacters): string {
  return text.length <= most ? text : `${Buffer.from(text.slice(0, most)).toString()}...`;
}

function readHeaders(headers: ReceivedRequest['headers']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers)
      .slice(0, maxHeaders)
      .map(([name, value]) => [name, cut(redactHeader(name, String(value)), maxHeaderCharacters)]),
  );
}

/** The code and the description, as the API or OAuth names them; of a page, what is wrong. */
function readError({ status, body, problem }: OutgoingResponse): Pick<LoggedRequest, 'error' | 'reason'> {
  if (status < 400) return {};
  if (problem !== undefined) return { reason: problem };
  const decoded = parseJsonIfValid(body);
  const members = new Map<string, unknown>(Object.entries(Object(decoded)));
  const error = members.get('error');
  const reason = members.get('errorDescription') ?? members.get('error_description');
  return {
    ...(typeof error === 'string' ? { error } : {}),
    ...(typeof reason === 'string' ? { reason: cut(reason) } : {}),
  };
}
