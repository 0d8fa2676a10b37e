// Checks the URLs that deliveries are forwarded to, and names such a target for the journal and the user.

import { formatValue } from '#contract/schema.ts';
import { usageError } from '#failure.ts';

/** Returns the URL without its fragment. `where`: the flag. @throws {Failure} `usage` unless it is an http(s) URL without credentials. */
export function checkTargetUrl(text: string, where: string): string {
  const isUsable = /^https?:\/\/[^\s\\\p{C}]+$/iu.test(text) && URL.canParse(text);
  if (!isUsable)
    throw usageError(
      // The part before an @ may be a password.
      `${where}: ${text.includes('@') ? 'it' : formatValue(text)} is not an http or https URL`,
      'For example: http://127.0.0.1:3000/hook',
    );
  const { username, password } = new URL(text);
  // Credentials would be shown with each delivery and stored in the journal.
  if (username !== '' || password !== '')
    throw usageError(
      `${where}: the URL contains credentials`,
      "Give them as a header instead: --forward-header 'Authorization: Basic ...'",
    );
  return text.replace(/#.*$/s, '');
}

/** Accepts a Host header: `app.example.com` or `app.example.com:8080`. @throws {Failure} `usage` for any other text. */
export function checkTargetHost(text: string, where: string): string {
  if (/^[^\s/?#@\\\p{C}]+$/u.test(text) && URL.canParse(`http://${text}`)) return text;
  throw usageError(
    `${where}: ${formatValue(text)} is not a host`,
    'For example: app.example.com or app.example.com:8080',
  );
}

/** Leaves out the query, which may hold a secret. */
export function targetName(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
