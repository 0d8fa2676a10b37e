// Parses the path of `wm api`, or of an operation of `wm batch`. Rejects whatever could lead a request and its token elsewhere or
// into a log, even if it is encoded several times.

import { usageError } from '#failure.ts';

/** The characters of a path and its query (RFC 3986 §3.3, §3.4), and the square brackets of JSON values. */
const allowedCharacters = /^[\w\-.~!$&'()*+,;=:@%/?[\]]+$/;
/** More than any server decodes. Without a limit, a long text would take very long. */
const maxDecodings = 10;

/** Returns the path with a leading slash and without /api/v4. Throws a usage failure. */
export function parseApiPath(text: string): string {
  if (/^[a-z]:[\\/]/i.test(text))
    throw usageError(
      `PATH is a Windows path: ${text}`,
      'Git Bash rewrites an argument that begins with a slash. Leave the slash out: wm api GET tasks',
    );
  // Documentation and logs show the path like this.
  const target = (text.startsWith('/') ? text : `/${text}`).replace(/^\/api\/v4(?=\/)/, '');
  const problem = text === '' ? 'is empty' : findPathProblem(target);
  const nameReason = queryNames(target).some(isTokenName) ? tokenReason : undefined;
  const why = problem === undefined ? nameReason : `it ${problem}`;
  if (why === undefined) return target;
  throw usageError(
    'PATH is not a path below /api/v4',
    "Give what follows /api/v4, such as /tasks or '/folders/IEAAAAAQI4AB5BNG/tasks'. Give values with -f KEY=VALUE.",
    why,
  );
}

/** True for the contents of a file or its preview: the body is not JSON, so it does not show who sent it. */
export function isFilePath(target: string): boolean {
  return /^\/attachments\/[^/?]+\/(?:download|preview)(?:\/[^/?]*)?(?:\?|$)/.test(target);
}

export const tokenReason = 'wm sends the token itself, and only in a header: access_token is not allowed';

/** True for the parameter `access_token` in every form that a service may read: `access%5Ftoken`, `access_token[]`. */
export function isTokenName(name: string): boolean {
  return plainNames(name).some((plainName) => plainName.includes('accesstoken'));
}

/** Returns the letters of a name in lower case, in each way that a service may decode it: `method` for `Me%74hod[]`. */
export function plainNames(name: string): readonly string[] {
  return decodings(name)
    .flatMap((decoded) => [decoded, asUtf8(decoded)])
    .map((decoded) =>
      (decoded.split('\0')[0] ?? '')
        .normalize('NFKC')
        .toLowerCase()
        .replace(/[^a-z]/g, ''),
    );
}

/** Returns the parameter names in a path or query, in each way that a service may read them. */
export function queryNames(text: string): readonly string[] {
  return decodings(text).flatMap((decoded) => decoded.split(/[&;?]/).map((pair) => pair.split('=')[0] ?? ''));
}

/** Returns what is wrong with a path and its query, other than names, as the end of a sentence: `has a fragment (#)`. */
export function findPathProblem(target: string): string | undefined {
  if (/^\/?[a-z][a-z\d+.-]*:\/\//i.test(target)) return 'is a whole URL, which could name another host';
  if (target === '/') return 'is empty';
  if (target.includes('#')) return 'has a fragment (#)';
  if (!allowedCharacters.test(target)) return 'has a character that must be encoded';
  if (/%(?![\da-f]{2})/i.test(target)) return 'has a % that encodes nothing';
  if (decodings(target).length === maxDecodings) return 'is encoded too many times';
  for (const decoded of decodings(target.split('?', 1)[0] ?? '')) {
    if (decoded.includes('//')) return 'has two slashes in a row';
    if (decoded.includes('\\')) return 'has a backslash';
    // biome-ignore lint/suspicious/noControlCharactersInRegex: this expression matches control characters
    if (/[\u0000-\u001f\u007f]/.test(decoded)) return 'has a control character';
    // A server may read a full-width dot, or a dot in two bytes, as a dot.
    if (/[^ -~]/.test(decoded)) return 'has a character that is not ASCII before the ?';
    // Some servers read parameters after a semicolon in a path segment.
    if (decoded.split(/[/?]/).some((segment) => /^\.\.?(?:;|$)/.test(segment)))
      return 'has a . or .. between slashes';
  }
  return undefined;
}

/** Returns the text as it is, and after each decoding until nothing changes. */
function decodings(text: string): readonly string[] {
  const decodedTexts = [text];
  for (
    let next = decodeOnce(text);
    next !== decodedTexts.at(-1) && decodedTexts.length < maxDecodings;
    next = decodeOnce(next)
  )
    decodedTexts.push(next);
  return decodedTexts;
}

function decodeOnce(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Returns the text with these bytes in UTF-8, or the input if they are not UTF-8. */
function asUtf8(bytes: string): string {
  return /^[\0-\xff]*$/.test(bytes)
    ? new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)))
    : bytes;
}
