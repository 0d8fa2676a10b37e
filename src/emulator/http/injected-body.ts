// The body that a fault or a stub has in place of the emulator's own: text, or a JSON value.

import { parseJsonIfValid } from '#contract/json.ts';
import { anyJson, optional, text } from '#contract/schema.ts';
import { wholeNumber } from './whole-number.ts';

export const injectedBodyShape = {
  body: optional(text('body')),
  /** A JSON value in place of a text. */
  json: optional(anyJson),
  /** Of the body. The default is JSON for a JSON object or list, else plain text. */
  contentType: optional(
    text('content type', {
      pattern: { test: /^[\w.+-]+\/[\w.+-]+(;[ -~]*)?$/, says: 'such as application/json' },
    }),
  ),
  retryAfter: optional(wholeNumber('count', { from: 0 })),
  delayMs: optional(wholeNumber('count', { from: 0 })),
} as const;

export interface InjectedBody {
  readonly body?: string;
  readonly json?: unknown;
  readonly contentType?: string;
}

export const hasBody = ({ body, json }: InjectedBody): boolean => body !== undefined || json !== undefined;

/** What is sent, and its content type. Undefined if there is neither text nor JSON. */
export function toSentBody({
  body,
  json,
  contentType,
}: InjectedBody): { readonly body: string; readonly contentType: string } | undefined {
  if (json !== undefined)
    return { body: JSON.stringify(json), contentType: contentType ?? 'application/json;charset=utf-8' };
  if (body === undefined) return undefined;
  return { body, contentType: contentType ?? guessContentType(body) };
}

function guessContentType(body: string): string {
  const decoded = parseJsonIfValid(body);
  if (typeof decoded === 'object' && decoded !== null) return 'application/json;charset=utf-8';
  return 'text/plain;charset=utf-8';
}

/** Why the parts of a body contradict each other; undefined if they do not. */
export function whyContradictory(given: InjectedBody): string | undefined {
  if (given.body !== undefined && given.json !== undefined) return 'Give a body or JSON, not both';
  return given.contentType !== undefined && !hasBody(given) ? 'A content type needs a body' : undefined;
}
