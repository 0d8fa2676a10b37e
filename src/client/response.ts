// Turns the bytes of a response into records, or a Failure. Decides for every response who sent it: a proxy, a firewall or a sign-in
// page may have responded instead of the service, and its response proves nothing about what happened.

import { isJsonObject, JsonDepthError, type JsonObject, parseExactJson, parseJson } from '#contract/json.ts';
import type { Method, Operation } from '#contract/operation.ts';
import { readLeniently, replaceError, ValidationError } from '#contract/schema.ts';
import { type ServiceError, serviceErrors } from '#contract/service-error.ts';
import { commandHint, Failure, type FailureCode } from '#failure.ts';
import type { HttpFault, HttpResponse } from '#world/world.ts';

export interface ApiResponse<R> {
  /** The fields that this version of `wm` knows, typed. */
  readonly records: readonly R[];
  /** Each record as received, with fields that a newer service added. `--json` prints these. */
  readonly raw: readonly JsonObject[];
  readonly nextPageToken?: string;
  /** What a new record does not show as it was sent, as a warning: it may be another record. */
  readonly difference?: string;
}

/** @see [RFC 9110 §8.3](https://www.rfc-editor.org/rfc/rfc9110#section-8.3) */
function contentType(response: HttpResponse): string {
  return response.headers['content-type'] ?? 'no content type';
}

function isJson(response: HttpResponse): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType(response));
}

/** Shared: it keeps no state between calls, and creating one costs as much as using it. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

export interface ReadingOptions {
  /** Keeps numbers that JavaScript would change as they came, for printing. */
  readonly exactNumbers?: boolean;
}

/** Parses the JSON object in a body. `undefined` if the content type is not JSON, or the body is not a JSON object in UTF-8. */
export function parseJsonObject(response: HttpResponse, options?: ReadingOptions): JsonObject | undefined {
  const body = readBody(response, options);
  return 'value' in body ? body.value : undefined;
}

/** JSON that was complete before the fault: a part of an object is never an object. The caller waits for rate limits. */
export function arrivedResponse({ arrived }: HttpFault): HttpResponse | undefined {
  return arrived && parseJsonObject(arrived) && !isRateLimited(arrived) ? arrived : undefined;
}

function readBody(
  response: HttpResponse,
  { exactNumbers = false }: ReadingOptions = {},
): { readonly value: JsonObject } | { readonly invalid: string } {
  if (!isJson(response)) return { invalid: `expected JSON, got ${contentType(response)}` };
  const encoding = response.headers['content-encoding'] ?? 'identity';
  // Do not decompress: a few kilobytes may become gigabytes.
  if (!/^(identity)?$/i.test(encoding))
    return {
      invalid: `the body is compressed (${encoding.length > 40 ? 'unknown' : encoding}), although wm asked for no compression`,
    };
  const invalid = 'the body is not a JSON object in UTF-8';
  try {
    const text = utf8.decode(response.body);
    const value = exactNumbers ? parseExactJson(text) : parseJson(text);
    return isJsonObject(value) ? { value } : { invalid };
  } catch (error) {
    return { invalid: error instanceof JsonDepthError ? `the body is ${error.message}` : invalid };
  }
}

// `kind` and `data` after a success, or `error` and `errorDescription`. `invalid`: why the response is a stranger's. Not for the token
// endpoint, nor for the contents of a file. Contract: What the service does 2; Errors.
function readServiceBody(response: HttpResponse, method: Method, options?: ReadingOptions) {
  const { status } = response;
  const isDeletion = method === 'DELETE' && isSuccess(status);
  // The contract does not show the response to a deletion, so accept any 2xx without an error.
  if (isDeletion && response.body.length === 0 && (isJson(response) || !response.headers['content-type']))
    return { value: {}, data: [] };
  const result = readBody(response, options);
  if ('invalid' in result) return result;
  const { value } = result;
  const { kind, data, error, errorDescription } = value;
  if (status >= 400)
    return typeof error === 'string' && typeof errorDescription === 'string'
      ? { value, data: [] }
      : { invalid: 'the body is not an error of the service' };
  if (isDeletion && error === undefined) return { value, data: [] };
  if (typeof kind !== 'string') return { invalid: 'the body has no kind' };
  return Array.isArray(data) && data.every(isJsonObject)
    ? { value, data }
    : { invalid: 'data is not a list of records' };
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** True for the service's own response, by its body. A 429 always counts as a rate limit. */
export function isFromService(response: HttpResponse, method: Method): boolean {
  return response.status === 429 || !('invalid' in readServiceBody(response, method));
}

/** Returns the {@link Failure} of a response that is not the service's success. `undefined` for a success, whatever its kind. */
export function rawFailure(response: HttpResponse, method: Method): Failure | undefined {
  if (!isSuccess(response.status)) return responseFailure(response);
  const result = readServiceBody(response, method);
  return 'invalid' in result ? badResponse(response, result.invalid) : undefined;
}

/** Throws a {@link Failure} for an error status, and `bad_response` for an unexpected body. Contract: What the service does 2; Errors. */
export function readResponse<R>(
  operation: Pick<Operation<never, R>, 'kind' | 'alsoKind' | 'record' | 'method'>,
  response: HttpResponse,
  options?: ReadingOptions,
): ApiResponse<R> {
  if (!isSuccess(response.status)) throw responseFailure(response);
  const { kind, alsoKind, method } = operation;
  const result = readServiceBody(response, method, options);
  if ('invalid' in result) throw badResponse(response, result.invalid);
  if (method === 'DELETE') return { records: [], raw: [] };
  const { value: body, data } = result;
  if (body['kind'] !== kind && (alsoKind === undefined || body['kind'] !== alsoKind)) {
    // Show it completely or not at all: a part of a secret would not be redacted.
    const receivedKind = String(JSON.stringify(body['kind']));
    throw badResponse(
      response,
      `expected kind ${kind}, got ${receivedKind.length > 60 ? 'another' : receivedKind}`,
    );
  }
  const next = method === 'GET' ? readNextPageToken(body, response) : undefined;
  const records = replaceError(
    ValidationError,
    () => data.map((rawRecord) => readLeniently(operation.record, rawRecord)),
    ({ message }) => badResponse(response, message),
  );
  return next === undefined ? { records, raw: data } : { records, raw: data, nextPageToken: next };
}

/** Returns `undefined` for the last page. Throws a {@link Failure} if the token is not a string: the list would end too soon. */
export function readNextPageToken({ nextPageToken: next = null }: JsonObject, response: HttpResponse) {
  if (next === null || next === '') return undefined;
  if (typeof next !== 'string') throw badResponse(response, 'nextPageToken is not a text');
  return next;
}

export function badResponse(response: HttpResponse, why: string): Failure {
  return new Failure('bad_response', {
    message: 'The response is not what the service promises',
    why,
    httpStatus: response.status,
  });
}

/** A server error, or 408, which some servers send when they are slow themselves (RFC 9110 §15.5.9). */
export function isTransient(status: number): boolean {
  return status === 408 || status >= 500;
}

/** For a status other than a rate limit. Another 4xx of the service is a rejection too. */
function failureCodeOf(status: number): FailureCode {
  if (status === 400) return 'rejected';
  if (status === 401) return 'sign_in_needed';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  if (isTransient(status)) return 'server';
  return status < 400 ? 'bad_response' : 'rejected';
}

function stringMember(body: JsonObject | undefined, name: string): string | undefined {
  const value = body?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** 429, or a code for rate limits, whose status the contract does not show. @see [RFC 6585 §4](https://www.rfc-editor.org/rfc/rfc6585#section-4) */
export function isRateLimited(response: HttpResponse): boolean {
  if (response.status === 429) return true;
  if (response.status < 400) return false;
  const result = readServiceBody(response, 'GET');
  const errorCode = 'value' in result ? result.value['error'] : undefined;
  return errorCode === 'too_many_requests' || errorCode === 'rate_limit_exceeded';
}

/** True if the service itself says that the record does not exist. */
export function isNotFound({ code, errorCode }: Pick<Failure, 'code' | 'errorCode'>): boolean {
  return code === 'not_found' && errorCode === ('resource_not_found' satisfies ServiceError);
}

/** Also after no response, a server error, or a redirect to a result. @see [RFC 9110 §9.2.2](https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2) */
export function mayHaveChanged(outcome: HttpResponse | HttpFault): boolean {
  if ('fault' in outcome) return outcome.sent;
  return (isTransient(outcome.status) && !isRateLimited(outcome)) || redirectsAfterProcessing(outcome.status);
}

/** A server may redirect to the result of a change; after 307 and 308 it has made none (RFC 9110 §15.4). */
function redirectsAfterProcessing(status: number): boolean {
  return status >= 300 && status < 400 && status !== 307 && status !== 308;
}

/** Only the service's own error says that nothing was changed. Contract: Errors. */
export function responseFailure(response: HttpResponse): Failure {
  const result = readServiceBody(response, 'GET');
  const { status } = response;
  if (status < 400 || isRateLimited(response) || !('invalid' in result)) return statusFailure(response);
  return new Failure(isTransient(status) ? 'server' : 'bad_response', {
    message: `A proxy, not the service, may have responded with ${status}`,
    why: result.invalid,
    hint: commandHint('Try again later. To check the connection: ', 'wm doctor'),
    httpStatus: status,
  });
}

/** Returns the {@link Failure} for an error response, without judging who sent it. */
export function statusFailure(response: HttpResponse): Failure {
  const result = readBody(response);
  const body = 'value' in result ? result.value : undefined;
  const errorCode = stringMember(body, 'error');
  const description = stringMember(body, 'errorDescription');
  const documented = Object.entries(serviceErrors).find(([name]) => name === errorCode)?.[1];
  const { status } = response;
  if (status >= 300 && status < 400)
    return new Failure('bad_response', {
      message: `The response is ${status}, a redirect, which wm never follows`,
      why: 'following it would send your token to another host',
      httpStatus: status,
    });
  const code = isRateLimited(response) ? 'rate_limited' : failureCodeOf(status);
  const invalid = 'invalid' in result ? result.invalid : undefined;
  // A 2xx of the token endpoint may lack the tokens.
  const missing = invalid === undefined || status < 300 ? invalid : 'the body is not an error of the service';
  return new Failure(code, {
    message: `The service responded with ${[status, errorCode].filter(Boolean).join(' ')}`,
    why: description || (documented?.when ?? missing),
    errorCode,
    httpStatus: status,
  });
}
