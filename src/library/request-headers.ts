// Reads request headers from different servers and frameworks: a WHATWG `Headers`, an object as in node:http, or a function.

import type { GetHeader } from '#receiver/core/intake/judge-request.ts';

/** A `Headers`, an object of names (ignoring case) and values, or a function that returns the value of a name. */
export type RequestHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | GetHeader;

export function toGetHeader(headers: RequestHeaders): GetHeader {
  if (typeof headers === 'function') return headers;
  if (isHeaders(headers)) return (name) => headers.get(name);
  return (name) => {
    const lowerCaseName = name.toLowerCase();
    const values = Object.entries(headers).flatMap(([headerName, value = []]) =>
      headerName.toLowerCase() === lowerCaseName ? value : [],
    );
    return values.length === 0 ? undefined : values.join(', ');
  };
}

/** Tells a `Headers` from an object with a header named `get`, which is a text. */
const isHeaders = (headers: object): headers is { get(name: string): string | null | undefined } =>
  'get' in headers && typeof headers.get === 'function';
