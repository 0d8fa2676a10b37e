// The path of `wm api`, and of an operation of `wm batch`: below the base of the API, and nothing else. What could lead a
// request, and the token with it, to another place or into a log is invalid, also where it is encoded, even more than once.

import { usageError } from '#failure.ts';

/** Characters of a path and its query (RFC 3986 §3.3, §3.4), and square brackets, which JSON values have. */
const allowed = /^[\w\-.~!$&'()*+,;=:@%/?[\]]+$/;
/** More than any server decodes. Without a limit, a long text would take very long. */
const mostDecodings = 10;

/** With a slash in front, and without /api/v4. Throws a usage failure. */
export function parseApiPath(text: string): string {
  // As documentation and logs have it.
  const target = (text.startsWith('/') ? text : `/${text}`).replace(/^\/api\/v4(?=\/)/, '');
  const problem = text === '' ? 'is empty' : problemOfPath(target);
  const why =
    problem === undefined
      ? queryNames(target).some(isTokenName)
        ? tokenReason
        : undefined
      : `it ${problem}`;
  if (why === undefined) return target;
  throw usageError(
    'PATH is not a path of the API',
    "Give what follows /api/v4, such as /tasks or '/folders/IEAAAAAQI4AB5BNG/tasks'. Give values with -f KEY=VALUE.",
    why,
  );
}

export const tokenReason = 'wm sends the token itself, and only in a header: access_token is not allowed';

/** True for the parameter `access_token`, however a service may come to read it: `access%5Ftoken`, `access_token[]`. */
export function isTokenName(name: string): boolean {
  return plainNames(name).some((one) => one.includes('accesstoken'));
}

/** The letters of a name, in lower case, in each way in which a service may decode it: `method` for `Me%74hod[]`. */
export function plainNames(name: string): readonly string[] {
  return decodings(name)
    .flatMap((one) => [one, asUtf8(one)])
    .map((one) =>
      (one.split('\0')[0] ?? '')
        .normalize('NFKC')
        .toLowerCase()
        .replace(/[^a-z]/g, ''),
    );
}

/** The names of the parameters in a path and its query, or in a query, in each way in which a service may read them. */
export function queryNames(text: string): readonly string[] {
  return decodings(text).flatMap((one) => one.split(/[&;?]/).map((pair) => pair.split('=')[0] ?? ''));
}

/** What is wrong with a path and its query, besides the names in it, to stand behind it: `has a fragment (#)`. */
export function problemOfPath(target: string): string | undefined {
  if (/^\/?[a-z][a-z\d+.-]*:\/\//i.test(target)) return 'is a whole URL, which could be another host';
  if (target === '/') return 'is empty';
  if (target.includes('#')) return 'has a fragment (#)';
  if (!allowed.test(target)) return 'has a character that must be encoded';
  if (/%(?![\da-f]{2})/i.test(target)) return 'has a % that encodes nothing';
  if (decodings(target).length === mostDecodings) return 'is encoded too many times';
  for (const decoded of decodings(target.split('?', 1)[0] ?? '')) {
    if (decoded.includes('//')) return 'has two slashes in a row';
    if (decoded.includes('\\')) return 'has a backslash';
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
    if (/[\u0000-\u001f\u007f]/.test(decoded)) return 'has a control character';
    // A server may take a full-width dot, or a dot in two bytes, for a dot.
    if (/[^ -~]/.test(decoded)) return 'has a character that is not ASCII before the ?';
    // Behind a semicolon, some servers read parameters of the step.
    if (decoded.split(/[/?]/).some((step) => /^\.\.?(?:;|$)/.test(step)))
      return 'has a . or .. between slashes';
  }
  return undefined;
}

/** As it is, and decoded again and again until nothing changes. */
function decodings(text: string): readonly string[] {
  const all = [text];
  for (
    let next = decodeOnce(text);
    next !== all.at(-1) && all.length < mostDecodings;
    next = decodeOnce(next)
  )
    all.push(next);
  return all;
}

/** Each byte as one character. */
function decodeOnce(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The text whose bytes these characters are; unchanged if they are none. */
function asUtf8(bytes: string): string {
  return /^[\0-\xff]*$/.test(bytes)
    ? new TextDecoder().decode(Uint8Array.from(bytes, (one) => one.charCodeAt(0)))
    : bytes;
}
