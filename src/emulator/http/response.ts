// Responses as values (status, headers, body), with the API's success and error bodies. request-handler.ts writes them.

import { type AssumptionId, type EmulatorMode, recordedRows, sourceOf } from '#contract/assumption.ts';
import { type ErrorBody, serviceErrors } from '#contract/service-error.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { type ErrorResponse, methodNotFound, stubHint } from './error-response.ts';

type HeaderValues = Readonly<Record<string, string>>;

export interface OutgoingResponse {
  readonly status: number;
  readonly headers: HeaderValues;
  readonly body: string;
  /** If the body is an error page: the error, for the log. */
  readonly problem?: string;
  /** The bytes of a file, instead of the body. */
  readonly file?: Uint8Array;
}

/** The response's records; the operation's row has their kind, unless the result has another. */
export interface ApiResult {
  readonly kind?: string;
  /** 200 unless set. */
  readonly status?: number;
  readonly data: readonly unknown[];
  /** Fields besides `kind` and `data`, such as those of a page. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Carries a warning for which the contract has no field. */
export const warningHeader = 'Emulator-Warning';

export const jsonType = 'application/json;charset=utf-8';

/** A new object each time: adding members to a copy takes several times longer. */
const jsonHeaders = (): Record<string, string> => ({
  'Content-Type': jsonType,
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
});

export function jsonResponse(status: number, value: unknown, headers: HeaderValues = {}): OutgoingResponse {
  const all = jsonHeaders();
  for (const name in headers) all[name] = String(headers[name]);
  return { status, headers: all, body: JSON.stringify(value) };
}

export function withHeaders(response: OutgoingResponse, headers: HeaderValues): OutgoingResponse {
  return { ...response, headers: { ...response.headers, ...headers } };
}

export function successResponse(usualKind: string, result: ApiResult, state?: string, notes?: HeaderValues) {
  const { kind = usualKind, status = 200, data, extra } = result;
  // Most have no more: an object that is spread takes longer to serialize.
  if (state === undefined && extra === undefined) return jsonResponse(status, { kind, data }, notes);
  return jsonResponse(status, { kind, ...omitUndefined({ state }), ...extra, data }, notes);
}

export interface FileResult {
  readonly file: { readonly name: string; readonly contentType: string; readonly content: Uint8Array };
}

/** The file name twice: in ASCII for old clients, and complete (RFC 6266, 4.3). */
function disposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** A browser must save the file, not show it: a page in it would have the origin of the consent page. */
export function fileResponse({ file }: FileResult, notes?: HeaderValues): OutgoingResponse {
  // Another form might not be valid in a header.
  const isType = /^[\w.+-]+\/[\w.+-]+$/.test(file.contentType);
  const headers = {
    ...jsonHeaders(),
    'Content-Type': isType ? file.contentType : 'application/octet-stream',
    'Content-Disposition': disposition(file.name),
    'Content-Security-Policy': 'sandbox',
    ...notes,
  };
  return { status: 200, headers, body: '', file: file.content };
}

const notHttp = 'This is not an HTTP request, or it ended before its body did';
const malformed: Readonly<Record<number, string>> = {
  405: 'CONNECT is not supported',
  408: 'The request was not complete within the time limit',
  413: 'The chunk extensions are too long',
  431: 'The request line and the headers are too long',
};

export function malformedResponse(status: number): { readonly contentType: string; readonly body: string } {
  const body: ErrorBody = { errorDescription: malformed[status] ?? notHttp, error: 'invalid_request' };
  return { contentType: jsonType, body: JSON.stringify(body) };
}

/** The response to OPTIONS. A path without methods does not exist. */
export function optionsResponse(methods: readonly string[], path: string): OutgoingResponse {
  if (methods.length === 0) return toResponse(methodNotFound('OPTIONS', path, 'other-methods'));
  return { status: 204, headers: { ...jsonHeaders(), Allow: ['OPTIONS', ...methods].join(', ') }, body: '' };
}

export function toResponse(response: ErrorResponse, state?: string): OutgoingResponse {
  const { error, message, because, retryAfter } = response;
  const body: ErrorBody = { errorDescription: message, error, ...omitUndefined({ state }) };
  const isAssumed = because !== 'stated' && because !== 'emulator';
  const headers = isAssumed ? errorHeaders(because) : {};
  if (because === 'other-endpoints') headers[warningHeader] = stubHint;
  if (error === 'not_authorized') headers['WWW-Authenticate'] = 'Bearer';
  if (retryAfter !== undefined) headers['Retry-After'] = String(retryAfter);
  return jsonResponse(serviceErrors[error].status, body, headers);
}

export const assumptionHeader = 'Emulator-Assumption';
/** Where each of these rows comes from, in the same order. */
export const sourceHeader = 'Emulator-Assumption-Source';
export const ignoredParametersHeader = 'Emulator-Ignored-Parameters';

/** No recording has an error, so what they show is still assumed to be why a request is rejected. */
export const errorHeaders = (id: AssumptionId): Record<string, string> => ({
  [assumptionHeader]: id,
  [sourceHeader]: recordedRows.has(id) ? 'assumed' : sourceOf(id),
});

/** What the response depends on, which its headers name. */
export class ResponseNotes {
  /** Whether requests beyond the contract's letter are rejected: see tolerances.ts. */
  readonly strict: boolean;
  #assumptions: Set<AssumptionId> | undefined;
  readonly #ignored: string[] = [];
  #warning: string | undefined;

  constructor(mode: EmulatorMode = 'default') {
    this.strict = mode === 'strict';
  }

  /** Notes that the response depends on this assumption, unless a recording shows it. */
  readonly assume = (id: AssumptionId): void => {
    if (!recordedRows.has(id)) this.#assumptions = (this.#assumptions ?? new Set()).add(id);
  };

  readonly ignore = (parameter: string): void => {
    if (!this.#ignored.includes(parameter)) this.#ignored.push(parameter);
  };

  /** `warning` is ASCII. The response also depends on this assumption. */
  readonly warn = (warning: string, id: AssumptionId): void => {
    this.#warning = warning;
    this.assume(id);
  };

  /** Undefined if there is nothing to report. */
  get headers(): HeaderValues | undefined {
    if (this.#assumptions === undefined && this.#warning === undefined && this.#ignored.length === 0)
      return undefined;
    const ids = [...(this.#assumptions ?? [])];
    // A header contains only ASCII, and must stay far below the 16 KB that clients read.
    const encode = (name: string) => encodeURIComponent(name.slice(0, 100).toWellFormed());
    const headers: Record<string, string> = {};
    if (ids.length > 0) {
      headers[assumptionHeader] = ids.join(', ');
      headers[sourceHeader] = ids.map(sourceOf).join(', ');
    }
    if (this.#warning !== undefined) headers[warningHeader] = this.#warning;
    if (this.#ignored.length > 0)
      headers[ignoredParametersHeader] = this.#ignored.slice(0, 20).map(encode).join(', ');
    return headers;
  }
}
