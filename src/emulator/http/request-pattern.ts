// A pattern of requests, as a fault or a stub names them: `PUT /tasks/*`, `/folders/{id}/approvals`, `GET /api/v3/**`.

import { apiPath } from '#contract/authorization.ts';
import { formatValue, invalidChoice, ValidationError } from '#contract/schema.ts';

export interface RequestPattern {
  /** In upper case; undefined for any method. */
  readonly method?: string;
  /** The whole path. */
  readonly path: string;
  matches(method: string, path: string): boolean;
}

/** Whether it is a pattern, and not the name of an operation. */
export function isRequestPattern(text: string): boolean {
  return text.includes('/');
}

/** Other methods never arrive, so a mistyped one would go unnoticed. */
const methods: readonly string[] = ['any', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** Everything else is below the API's base address. */
const wholePaths: readonly string[] = ['/api/', '/oauth2/'];

/** `*` and `{id}` stand for one segment or a part of one, `**` for anything. Throws {@link ValidationError}. */
export function parseRequestPattern(text: string): RequestPattern {
  const [, method, given = ''] = /^(?:([A-Za-z]+) +)?(\/\S*)$/.exec(text.trim()) ?? [];
  if (given === '')
    throw new ValidationError(
      formatValue(text),
      'is not a path that begins with a slash, or a method and such a path: PUT /tasks/*',
    );
  if (method !== undefined && !methods.some((one) => one.toUpperCase() === method.toUpperCase()))
    throw invalidChoice(method, methods);
  if (given.startsWith('/_emulator'))
    throw new ValidationError(formatValue(text), 'is the path of a control request');
  if (/[?#]/.test(given))
    throw new ValidationError(formatValue(text), 'has a query: a pattern is of the path alone');
  if (/\/(?:\.|%2e){1,2}(?:\/|$)/i.test(given))
    throw new ValidationError(
      formatValue(text),
      'has a segment . or .., which clients resolve before they send it',
    );
  const encoded = given.replace(/[^\x21-\x7e]+/g, encodeURIComponent);
  const path = wholePaths.some((start) => encoded.startsWith(start)) ? encoded : `${apiPath}${encoded}`;
  const regExp = toRegExp(withUpperCaseHex(path));
  const upper = method?.toUpperCase();
  return {
    ...(upper === undefined || upper === 'ANY' ? {} : { method: upper }),
    path,
    matches: (method, path) =>
      (upper === undefined || upper === 'ANY' || upper === method) && regExp.test(withUpperCaseHex(path)),
  };
}

/** `%2f` and `%2F` are the same. */
const withUpperCaseHex = (path: string) =>
  path.includes('%') ? path.replace(/%[0-9a-f]{2}/gi, (one) => one.toUpperCase()) : path;

function toRegExp(path: string): RegExp {
  const parts = path.split(/(\*\*|\*|\{\w*\})/).map((part) => {
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    return /^\{\w*\}$/.test(part) ? '[^/]+' : part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`);
}
