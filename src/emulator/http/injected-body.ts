// The body of a fault or a stub, which replaces the emulator's: text, or a JSON value.

import { parseJsonIfValid } from '#contract/json.ts';
import { anyJson, optional, text } from '#contract/schema.ts';
import { wholeNumber } from './whole-number.ts';

export const injectedBodyShape = {
  body: optional(text('body')),
  /** A JSON value instead of text. */
  json: optional(anyJson),
  /** By default JSON for a JSON object or list, else plain text. */
  contentType: optional(
    text('content type', {
      pattern: { regex: /^[\w.+-]+\/[\w.+-]+(;[ -~]*)?$/, description: 'such as application/json' },
    }),
  ),
  retryAfter: optional(wholeNumber('count', { from: 0 })),
  delayMs: optional(wholeNumber('count', { from: 0 })),
} as const;

interface InjectedBody {
  readonly body?: string;
  readonly json?: unknown;
  readonly contentType?: string;
}

export const hasBody = ({ body, json }: InjectedBody): boolean => body !== undefined || json !== undefined;

/** The body to send, and its content type. Undefined if there is neither text nor JSON. */
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

/** Why the members contradict each other; undefined if they do not. */
export function whyContradictory(injected: InjectedBody): string | undefined {
  const { body, json, contentType } = injected;
  if (body !== undefined && json !== undefined) return 'Give a body or JSON, not both';
  return contentType !== undefined && !hasBody(injected) ? 'A content type needs a body' : undefined;
}
