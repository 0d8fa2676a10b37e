// Logs each request for people who test a client: with the response's status and, if rejected, the reason. The log is in memory,
// up to a limit, with secrets redacted; control requests are left out.

import { formatTimestamp } from '#contract/date.ts';
import { parseJsonIfValid } from '#contract/json.ts';
import { omitUndefined } from '#omit-undefined.ts';
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

export type RequestLog = ReturnType<typeof createRequestLog>;

export interface Exchange {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly operation: string;
  readonly received: ReceivedRequest;
  /** Undefined if nothing is sent. */
  readonly response: OutgoingResponse | undefined;
  readonly injected?: 'fault' | 'stub' | undefined;
}

/** The latest ones are there. */
const maxRequests = 1_000;
const maxCharacters = 4_000;
const maxHeaders = 50;
const maxHeaderCharacters = 500;

export function createRequestLog() {
  /** The place of a request is its number modulo the limit. A longer list, cut now and then, would keep garbage alive. */
  const ring: Noted[] = [];
  let last = 0;
  let lastCleared = 0;
  return {
    /** The number of the last request; 0 before the first. */
    get last() {
      return last;
    },
    /** The number of the last request that the limit pushed out; 0 if none was. */
    get lastRemoved() {
      return last - lastCleared > maxRequests ? last - maxRequests : 0;
    },
    add(exchange: Exchange) {
      const before = ring[last % maxRequests];
      last += 1;
      ring[last % maxRequests] = note(last, exchange, before);
    },
    /** Requests with a greater number, oldest first. */
    after(number: number) {
      const start = Math.max(number, lastCleared, last - maxRequests);
      const entries: LoggedRequest[] = [];
      for (let one = start + 1; one <= last; one++) {
        const noted = ring[one % maxRequests];
        if (noted !== undefined) entries.push(toEntry(noted));
      }
      return entries;
    },
    clear() {
      ring.length = 0;
      lastCleared = last;
    },
  };
}

/** An entry as it is kept: short, but not yet without secrets. Few are ever looked at, and each request is noted. */
interface Noted
  extends Omit<LoggedRequest, 'date' | 'headers' | 'body' | 'status' | keyof Problem | 'injected'> {
  readonly time: number;
  readonly headers: ReceivedRequest['headers'];
  readonly body: string | undefined;
  readonly isForm: boolean;
  readonly status: number | undefined;
  readonly problem: Problem;
  readonly injected: Exchange['injected'];
}

function note(
  number: number,
  { time, operation, received, response, injected }: Exchange,
  before: Noted | undefined,
): Noted {
  const { method, path, query, dataCentre, headers } = received;
  const body = received.bodyRead() || undefined;
  return {
    number,
    time,
    operation,
    dataCentre,
    method: cut(method),
    path: cut(path),
    query: cut(query),
    headers: keepHeaders(headers, before?.headers),
    body: body === undefined ? undefined : cut(body),
    isForm: body !== undefined && contentType(received) === 'application/x-www-form-urlencoded',
    status: response?.status,
    problem: response === undefined || response.status < 400 ? noProblem : readError(response),
    injected,
  };
}

function toEntry({ time, isForm, headers, body, status, problem, injected, ...noted }: Noted): LoggedRequest {
  return {
    ...noted,
    date: formatTimestamp(time),
    query: redactPairs(noted.query),
    headers: readHeaders(headers),
    ...omitUndefined({ body: body && (isForm ? redactPairs(body) : redactJson(body)), status }),
    ...problem,
    ...omitUndefined({ injected }),
  };
}

/** Most requests have the headers of the one before: then these are kept once. */
function keepHeaders(
  headers: ReceivedRequest['headers'],
  before: ReceivedRequest['headers'] | undefined,
): ReceivedRequest['headers'] {
  if (before !== undefined && areEqual(headers, before)) return before;
  return areShort(headers) ? headers : readHeaders(headers);
}

function areEqual(headers: ReceivedRequest['headers'], others: ReceivedRequest['headers']): boolean {
  let count = 0;
  for (const name in headers) {
    if (headers[name] !== others[name]) return false;
    count++;
  }
  for (const _ in others) count--;
  return count === 0;
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

type Problem = Pick<LoggedRequest, 'error' | 'reason'>;
const noProblem: Problem = {};

/** The code and the description, as the API or OAuth names them; of a page, what is wrong. */
function readError({ body, problem }: OutgoingResponse): Problem {
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

const hidden = '[redacted]';

const secretNames = /^(?:access_token|client_secret|code|code_verifier|refresh_token|secret|ticket|token)$/i;
const secretHeaders: readonly string[] = ['cookie', 'proxy-authorization', 'x-hook-secret'];

const isSecret = (name: string) => secretNames.test(name.trim());

/** What stands in a query or a form before it was decoded. */
function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    return encoded;
  }
}

/** Of a query or a form. */
function redactPairs(encoded: string): string {
  return encoded
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=');
      return at !== -1 && isSecret(decodeName(pair.slice(0, at))) ? `${pair.slice(0, at)}=${hidden}` : pair;
    })
    .join('&');
}

/** A name, and its value if that is a text: one that the end of the text cuts off counts too. */
const jsonMember = /("(?:[^"\\]|\\.)*")(\s*:\s*)"(?:[^"\\]|\\.)*(?:"|\\?$)/gs;

/** Of text that may be JSON, or the start of some. */
function redactJson(text: string): string {
  return text.replace(jsonMember, (whole: string, quoted: string, colon: string) => {
    const name = parseJsonIfValid(quoted);
    return typeof name === 'string' && isSecret(name) ? `${quoted}${colon}"${hidden}"` : whole;
  });
}

/** The scheme of an Authorization header tells how a client sends its token; the rest of it is the token. */
function redactHeader(name: string, value: string): string {
  if (name === 'authorization') return value.replace(/^(\s*[\w-]+\s+)?.*$/s, `$1${hidden}`);
  return secretHeaders.includes(name) ? hidden : value;
}
