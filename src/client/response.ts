// Bytes from the wire become records, or a Failure. Nothing is believed: status, content type, kind and shape are
// checked, because a proxy or a portal may have answered in the service's place.

import { JsonDepthError, parseJson } from '../contract/json.ts';
import type { Operation } from '../contract/operation.ts';
import { readLeniently, ValidationError } from '../contract/schema.ts';
import { type ServiceError, serviceErrors } from '../contract/service-error.ts';
import { Failure, type FailureCode } from '../failure.ts';
import type { HttpResponse } from '../world/world.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export interface ApiResponse<R> {
  /** What this version of `wm` knows of each record, typed. */
  readonly records: readonly R[];
  /** Each record as it came, with whatever a newer service added: this is what `--json` prints. */
  readonly raw: readonly JsonObject[];
  readonly nextPageToken?: string;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function contentType(answer: HttpResponse): string {
  return answer.headers['content-type'] ?? 'no content type';
}

function isJson(answer: HttpResponse): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType(answer));
}

/** Keeps nothing between two calls; making one costs as much as using it. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The JSON object of a body, or nothing where it is none. */
export function parseJsonObject(answer: HttpResponse): JsonObject | undefined {
  const body = readBody(answer);
  return 'value' in body ? body.value : undefined;
}

function readBody(answer: HttpResponse): { readonly value: JsonObject } | { readonly invalid: string } {
  if (!isJson(answer)) return { invalid: `expected JSON, got ${contentType(answer)}` };
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  // Never decompressed: a few kilobytes may stand for gigabytes.
  if (!/^(identity)?$/i.test(encoding))
    return {
      invalid: `the body is compressed (${encoding.slice(0, 40)}), although wm asks for one that is not`,
    };
  const invalid = 'the body is not a JSON object in UTF-8';
  try {
    const value = parseJson(utf8.decode(answer.body));
    return isObject(value) ? { value } : { invalid };
  } catch (error) {
    return { invalid: error instanceof JsonDepthError ? `the body is ${error.message}` : invalid };
  }
}

/** Reads an answer of the API. Throws a {@link Failure} for every status but 2xx, and for an answer that is not the service's. */
export function readResponse<R>(
  operation: Pick<Operation<never, R>, 'kind' | 'record' | 'method'>,
  answer: HttpResponse,
): ApiResponse<R> {
  if (answer.status < 200 || answer.status > 299) throw responseFailure(answer);
  const isDelete = operation.method === 'DELETE';
  const isEmpty =
    answer.body.length === 0 && (isJson(answer) || answer.headers['content-type'] === undefined);
  if (isDelete && isEmpty) return { records: [], raw: [] };
  const bodyResult = readBody(answer);
  if ('invalid' in bodyResult) throw badResponse(answer, bodyResult.invalid);
  const body = bodyResult.value;
  // What comes after a deletion is not shown, so nothing of it is asked for.
  if (isDelete && body['error'] === undefined) return { records: [], raw: [] };
  if (body['kind'] !== operation.kind) {
    throw badResponse(
      answer,
      `expected kind ${operation.kind}, got ${JSON.stringify(body['kind'])?.slice(0, 60)}`,
    );
  }
  const data = body['data'];
  if (!Array.isArray(data) || !data.every(isObject))
    throw badResponse(answer, 'data is not a list of records');
  // A change answers with the record as it now is; without one nobody knows what became of it.
  if (operation.method !== 'GET' && data.length === 0) throw badResponse(answer, 'data holds no record');
  const next = body['nextPageToken'];
  const records = data.map((one) => readRecord(operation.record, one, answer));
  return typeof next === 'string' && next !== ''
    ? { records, raw: data, nextPageToken: next }
    : { records, raw: data };
}

function readRecord<R>(record: Operation<never, R>['record'], raw: JsonObject, answer: HttpResponse): R {
  try {
    return readLeniently(record, raw);
  } catch (error) {
    if (error instanceof ValidationError) throw badResponse(answer, error.message);
    throw error;
  }
}

function badResponse(answer: HttpResponse, why: string): Failure {
  return new Failure('bad_response', {
    message: 'The response is not what the service promises',
    why,
    httpStatus: answer.status,
  });
}

/**
 * The server's own trouble, which may be over at the next try. 408 says that the request did not come in time; some say
 * it where their own work was not done in time.
 */
export function isTransient(status: number): boolean {
  return status === 408 || status >= 500;
}

function failureCodeOf(status: number): FailureCode {
  if (status === 400) return 'rejected';
  if (status === 401) return 'sign_in_needed';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  if (status === 429) return 'rate_limited';
  if (isTransient(status)) return 'server';
  return 'bad_response';
}

function stringMember(body: JsonObject | undefined, name: string): string | undefined {
  const value = body?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** By its status, or by its word under another one: which status the limit has is not shown. */
export function isRateLimited(answer: HttpResponse): boolean {
  if (answer.status === 429) return true;
  const word = answer.status < 400 ? undefined : stringMember(parseJsonObject(answer), 'error');
  return word === 'too_many_requests' || word === 'rate_limit_exceeded';
}

/** The {@link Failure} that an answer of an error status stands for. */
export function responseFailure(answer: HttpResponse): Failure {
  const read = readBody(answer);
  const body = 'value' in read ? read.value : undefined;
  const word = stringMember(body, 'error');
  const description = stringMember(body, 'errorDescription');
  const known =
    word !== undefined && Object.hasOwn(serviceErrors, word)
      ? serviceErrors[word as ServiceError]
      : undefined;
  const { status } = answer;
  if (status >= 300 && status < 400) {
    return new Failure('bad_response', {
      message: `The service responded with ${status}, a redirect, which is never followed`,
      why: 'following it would hand your token to another host',
      httpStatus: status,
    });
  }
  const code = isRateLimited(answer) ? 'rate_limited' : failureCodeOf(status);
  return new Failure(code, {
    message: word ? `The service responded with ${status} ${word}` : `The service responded with ${status}`,
    why:
      description ??
      known?.when ??
      ('invalid' in read ? describeMissingError(status, read.invalid) : undefined),
    errorCode: word,
    httpStatus: status,
  });
}

/** The token endpoint may succeed without tokens. */
function describeMissingError(status: number, invalid: string): string {
  return status < 300 ? invalid : 'the body is not the service’s own error';
}
