// Validates the user's own application with its client id and redirect URIs, and adds the result of a sign-in to their query.

import { invalidValue, list, object, optional, type Schema, type TypeOf, text } from '#contract/schema.ts';

/**
 * A loopback http URL in a form that all parsers read alike. In looser forms, WHATWG and RFC 3986 disagree about where the
 * host ends (`http://127.0.0.1:80\@evil.example/`), how it is spelled (`127.1`, `%6cocalhost`) and which characters are
 * ignored (a tab). An @ must be percent-encoded, because some parsers look for it everywhere.
 * @see [RFC 3986 §3], [WHATWG URL §4.4]
 */
const loopbackRedirectUri = new RegExp(
  '^http://(?:127\\.0\\.0\\.1|\\[::1\\]|localhost)(?::([1-9][0-9]{0,4}))?' +
    "(?:/(?:[A-Za-z0-9\\-._~!$&'()*+,;=:/]|%[0-9A-Fa-f]{2})*)?" +
    "(?:\\?(?:[A-Za-z0-9\\-._~!$&'()*+,;=:/?]|%[0-9A-Fa-f]{2})*)?$",
);

function isLoopbackRedirectUri(text: string): boolean {
  const match = loopbackRedirectUri.exec(text);
  return match !== null && Number(match[1] ?? 80) <= 65_535;
}

/** True if it is registered for the application: exactly, or as a loopback address. */
export function isRegisteredRedirectUri(
  { callbacks, loopback }: { readonly callbacks: readonly string[]; readonly loopback: boolean },
  redirectUri: string,
): boolean {
  return callbacks.includes(redirectUri) || (loopback && isLoopbackRedirectUri(redirectUri));
}

/**
 * Why a text cannot be registered as a redirect URI; undefined if it can.
 * @see [RFC 6749 §3.1.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.1.2)
 */
function redirectUriProblem(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    return 'is not an address that begins with https:// or http://, such as https://app.example.com/callback';
  if (text.includes('#')) return 'has a fragment, which a redirect URI must not have';
  return /^https:/i.test(text) || isLoopbackRedirectUri(text)
    ? undefined
    : 'is neither an https:// address nor one of this machine, such as http://127.0.0.1:8080/callback';
}

export const clientId = text('client id', {
  pattern: { regex: /^[\x21-\x7e]{1,256}$/, description: '1 to 256 visible ASCII characters' },
});

const anyText = text('URL', { notEmpty: true });

export const redirectUri: Schema<string> = {
  ...anyText,
  validate(input) {
    const uri = anyText.validate(input);
    const problem = redirectUriProblem(uri);
    if (problem !== undefined) throw invalidValue(uri, problem);
    return uri;
  },
};

const notEmpty = text('text', { notEmpty: true });

/** The user's own application. Omitted members stay as in the data, or else are a random secret and any loopback redirect URI. */
export const ownApplication = object('application', {
  clientId,
  clientSecret: optional(notEmpty),
  redirectUris: optional(list(redirectUri)),
  name: optional(notEmpty),
});
export type OwnApplication = TypeOf<typeof ownApplication>;

export function withParameters(
  redirectUri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const query = Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : `${name}=${encodeURIComponent(value)}`))
    .join('&');
  if (redirectUri.endsWith('?')) return redirectUri + query;
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`;
}
