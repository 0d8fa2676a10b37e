// A pattern of requests, as a fault or a stub names them: `PUT /tasks/*`, `/folders/{id}/approvals`, `GET /api/v3/**`,
// `GET /tasks?sortField=*`.

import { apiPath } from '#contract/authorization.ts';
import { invalidChoice, invalidValue, ValidationError } from '#contract/schema.ts';

/** Whether the text is a pattern, not the name of an operation. */
export const isRequestPattern = (text: string): boolean => text.includes('/');

/** Only these arrive: a misspelt method would never match. */
const methods: readonly string[] = ['any', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** Paths that start otherwise are below the API's base address. */
const absolutePaths: readonly string[] = ['/api/', '/oauth2/'];

/** `*` and `{id}` stand for one segment or a part of one, `**` for anything. Of a query, it names some parameters. Throws {@link ValidationError}. */
export function parseRequestPattern(text: string) {
  const reject = (problem: string) => invalidValue(text, problem);
  const [, method, rawPath = '', query = ''] =
    /^(?:([A-Za-z]+) +)?(\/[^\s?]*)(?:\?(\S*))?$/.exec(text.trim()) ?? [];
  if (/^(?:\w+ +)?https?:/i.test(text.trim())) throw reject('is a URL; leave out the host: PUT /tasks/*');
  if (rawPath === '' && /\/.*\s/.test(text.trim())) throw reject('has a blank, which is written %20');
  if (rawPath === '')
    throw reject('is not a path that begins with a slash, or a method and such a path: PUT /tasks/*');
  const upperCaseMethod = method?.toUpperCase() ?? 'ANY';
  if (!methods.some((choice) => choice.toUpperCase() === upperCaseMethod))
    throw invalidChoice(method, methods);
  if (rawPath.startsWith('/_emulator')) throw reject('is the path of a control request');
  if (text.includes('#')) throw reject('has a fragment, which clients do not send');
  if (/\/(?:\.|%2e){1,2}(?:\/|$)/i.test(rawPath))
    throw reject('has a segment . or .., which clients resolve before they send it');
  const encoded = rawPath.replace(/[^\x21-\x7e]+/g, encodeURIComponent);
  const path = absolutePaths.some((start) => encoded.startsWith(start)) ? encoded : `${apiPath}${encoded}`;
  const regExp = toRegExp(withUpperCaseHex(path));
  const expectedMethod = upperCaseMethod === 'ANY' ? undefined : upperCaseMethod;
  const parameters = [...new URLSearchParams(query)];
  return {
    /** In upper case; undefined for any method. */
    method: expectedMethod,
    /** From the root of the address. */
    path,
    hasQuery: parameters.length > 0,
    matches({ method, path, query }: { method: string; path: string; query: string }): boolean {
      if (expectedMethod !== undefined && expectedMethod !== method) return false;
      const sent = new URLSearchParams(query);
      const isSent = ([name, value]: [string, string]) => sent.has(name, value === '*' ? undefined : value);
      return regExp.test(withUpperCaseHex(path)) && parameters.every(isSent);
    },
  };
}

/** `%2f` and `%2F` are the same. */
const withUpperCaseHex = (path: string) =>
  path.includes('%') ? path.replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase()) : path;

function toRegExp(path: string): RegExp {
  const parts = path.split(/(\*\*|\*|\{\w*\})/).map((part) => {
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    return /^\{\w*\}$/.test(part) ? '[^/]+' : part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`);
}
