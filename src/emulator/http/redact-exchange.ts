// Removes secrets from what the log of requests shows: tokens, codes, client secrets and the secrets of webhooks, wherever a
// request may carry them. Its texts are cut to a length first, so that a cut value must be removed as well.

import { parseJsonIfValid } from '../../contract/json.ts';

const hidden = '[redacted]';

const secretNames: readonly string[] = [
  'access_token',
  'client_secret',
  'code',
  'code_verifier',
  'refresh_token',
  'secret',
  'ticket',
  'token',
];
const secretHeaders: readonly string[] = ['cookie', 'proxy-authorization', 'x-hook-secret'];

const isSecret = (name: string) => secretNames.includes(name.trim().toLowerCase());

/** What stands in a query or a form before it was decoded. */
function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    return encoded;
  }
}

/** Of a query or a form. */
export function redactPairs(encoded: string): string {
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
export function redactJson(text: string): string {
  return text.replace(jsonMember, (whole: string, quoted: string, colon: string) => {
    const name = parseJsonIfValid(quoted);
    return typeof name === 'string' && isSecret(name) ? `${quoted}${colon}"${hidden}"` : whole;
  });
}

/** The scheme of an Authorization header tells how a client sends its token; the rest of it is the token. */
export function redactHeader(name: string, value: string): string {
  if (name === 'authorization') return value.replace(/^(\s*[\w-]+\s+)?.*$/s, `$1${hidden}`);
  return secretHeaders.includes(name) ? hidden : value;
}
