// Logs the latest requests in memory for users who test a client, with the response's status and the reason of an error. Secrets are
// redacted; control requests are not logged.

import { formatTimestamp } from '#contract/date.ts';
import { parseJsonIfValid } from '#contract/json.ts';
import { anyText, choice, list, number, object, optional, type TypeOf } from '#contract/schema.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { contentType, decodePart, type ReceivedRequest } from './request.ts';
import { assumptionHeader, ignoredParametersHeader, type OutgoingResponse } from './response.ts';

/** What `wm emulator requests` shows of a request. */
export const requestSchema = object('request', {
  /** Counts all requests from 1, also across resets. */
  number: number('number'),
  /** A timestamp on the emulator's clock. */
  date: anyText,
  /** The name that faults use; `stub`, or `none` for an operation that the emulator does not have. */
  operation: anyText,
  method: anyText,
  /** As it was sent. */
  path: anyText,
  query: anyText,
  /** Absent if there was no response. */
  status: optional(number('status')),
  /** The code of an error response. */
  error: optional(anyText),
  reason: optional(anyText),
  /** What replaced or delayed the emulator's response. */
  injected: optional(choice('injection', ['fault', 'stub'])),
  /** The parameters, and the members of parameters, that had no effect; `(body)` is that of a GET. */
  ignored: optional(list(anyText)),
  /** The ids of the assumptions that decided. */
  assumed: optional(list(anyText)),
});

export interface LoggedRequest extends TypeOf<typeof requestSchema> {
  readonly dataCentre: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent if the body was not read as text, such as that of an attachment. */
  readonly body?: string;
}

export interface LoggedOutcome extends Pick<LoggedRequest, 'operation' | 'injected'> {
  /** Undefined if the emulator sent no response. */
  readonly response: OutgoingResponse | undefined;
}

const maxRequests = 1_000;
const maxCharacters = 4_000;
const maxHeaders = 50;
const maxHeaderCharacters = 500;

export function createRequestLog() {
  /** Indexed by number modulo the limit. A longer list, cut now and then, would keep garbage alive. */
  const ring: Entry[] = [];
  /** The first request of each kind that has a note, by the kind. They stay when the ring loses them. */
  const noted = new Map<string, Entry>();
  let last = 0;
  let lastCleared = 0;
  return {
    /** The number of the last request; 0 before the first. */
    get last() {
      return last;
    },
    /** The number of the last request that the limit removed; 0 if it removed none. */
    get lastRemoved() {
      return last - lastCleared > maxRequests ? last - maxRequests : 0;
    },
    /** `time`: milliseconds since 1970. */
    add(time: number, received: ReceivedRequest, outcome: LoggedOutcome) {
      last += 1;
      const entry = createEntry(last, time, received, outcome);
      ring[last % maxRequests] = entry;
      if (!hasNote(entry) || noted.size === maxRequests) return;
      const kind = `${entry.operation} ${entry.assumed} ${entry.ignored}`;
      if (!noted.has(kind)) noted.set(kind, entry);
    },
    /** Requests with a greater number, oldest first. `onlyNoted`: those of which something was ignored or assumed. */
    after(number: number, onlyNoted = false) {
      const removed = last - maxRequests;
      const start = Math.max(number, lastCleared, removed);
      const isOlder = (entry: Entry) => entry.number > number && entry.number <= removed;
      const entries = onlyNoted ? [...noted.values()].filter(isOlder) : [];
      for (let next = start + 1; next <= last; next++) {
        const entry = ring[next % maxRequests];
        if (entry !== undefined && (!onlyNoted || hasNote(entry))) entries.push(entry);
      }
      return entries.map(toLoggedRequest);
    },
    clear() {
      ring.length = 0;
      noted.clear();
      lastCleared = last;
    },
  };
}

type Entry = ReturnType<typeof createEntry>;
const hasNote = (entry: Entry) =>
  entry.assumed !== undefined || entry.ignored !== undefined || isNotEmulated(entry);

/** Neither the emulator nor a stub has such a request. */
export const isNotEmulated = (entry: { readonly operation: string; readonly status?: number | undefined }) =>
  entry.operation === 'none' && entry.status === 404;

/** Cut but not yet redacted: every request makes an entry, and few are ever read. */
function createEntry(
  number: number,
  time: number,
  received: ReceivedRequest,
  { operation, response, injected }: LoggedOutcome,
) {
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
    headers: areShort(headers) ? headers : readHeaders(headers),
    body: body === undefined ? undefined : cut(body),
    isForm: body !== undefined && contentType(received) === 'application/x-www-form-urlencoded',
    status: response?.status,
    problem: response === undefined || response.status < 400 ? undefined : readError(response),
    injected,
    ignored: response?.headers[ignoredParametersHeader],
    assumed: response?.headers[assumptionHeader],
  };
}

function toLoggedRequest(entry: Entry): LoggedRequest {
  const { time, isForm, headers, body, status, problem, injected, ignored, assumed, ...rest } = entry;
  return {
    ...rest,
    date: formatTimestamp(time),
    query: redactPairs(rest.query),
    headers: readHeaders(headers),
    ...omitUndefined({
      body: body && (isForm ? redactPairs(body) : redactJson(body)),
      status,
      ...problem,
      injected,
      ignored: ignored?.split(', ').map((name) => decodeURIComponent(name)),
      assumed: assumed?.split(', '),
    }),
  };
}

type Sent = ReceivedRequest['headers'];

function areShort(headers: Sent): boolean {
  let count = 0;
  for (const name in headers)
    if (++count > maxHeaders || String(headers[name]).length > maxHeaderCharacters) return false;
  return true;
}

/** Copies the part: a slice would keep the whole text in memory. */
function cut(text: string, max = maxCharacters): string {
  return text.length <= max ? text : `${Buffer.from(text.slice(0, max)).toString()}...`;
}

function readHeaders(headers: Sent): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers)
      .slice(0, maxHeaders)
      .map(([name, value]) => [name, cut(redactHeader(name, String(value)), maxHeaderCharacters)]),
  );
}

/** The code and the description, as the API or OAuth names them; for a page, its problem. */
function readError({ body, problem }: OutgoingResponse): Pick<LoggedRequest, 'error' | 'reason'> {
  if (problem !== undefined) return { reason: problem };
  const members = new Map<string, unknown>(Object.entries(Object(parseJsonIfValid(body))));
  const error = members.get('error');
  const reason = members.get('errorDescription') ?? members.get('error_description');
  return {
    ...(typeof error === 'string' ? { error } : {}),
    ...(typeof reason === 'string' ? { reason: cut(reason) } : {}),
  };
}

const redacted = '[redacted]';

const secretNames = /^(?:access_token|client_secret|code|code_verifier|refresh_token|secret|ticket|token)$/i;
const secretHeaders: readonly string[] = ['cookie', 'proxy-authorization', 'x-hook-secret'];

const isSecret = (name: string) => secretNames.test(name.trim());

/** Redacts a query or a form. */
function redactPairs(encoded: string): string {
  return encoded.replace(/(?<=^|&)([^&=]*)=[^&]*/g, (pair, name: string) =>
    isSecret(decodePart(name) ?? name) ? `${name}=${redacted}` : pair,
  );
}

/** A name with a string value, which the end of the text may cut off. */
const jsonMember = /("(?:[^"\\]|\\.)*")(\s*:\s*)"(?:[^"\\]|\\.)*(?:"|\\?$)/gs;

/** The text may be JSON, or the start of JSON. */
function redactJson(text: string): string {
  return text.replace(jsonMember, (member: string, quoted: string, colon: string) => {
    const name = parseJsonIfValid(quoted);
    return typeof name === 'string' && isSecret(name) ? `${quoted}${colon}"${redacted}"` : member;
  });
}

/** Leaves the scheme of an Authorization header: users debug how their client sends its token. */
function redactHeader(name: string, value: string): string {
  if (name === 'authorization') return value.replace(/^(\s*[\w-]+\s+)?.*$/s, `$1${redacted}`);
  return secretHeaders.includes(name) ? redacted : value;
}
