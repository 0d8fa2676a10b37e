// The path of `wm api`: below the base of the API, and nothing else. What could lead a request, and the token with it, to
// another place or into a log is invalid, also where it is encoded, even more than once.

import { usageError } from '../../failure.ts';

/** Characters of a path and its query (RFC 3986 §3.3, §3.4), and square brackets, which JSON values have. */
const allowed = /^[\w\-.~!$&'()*+,;=:@%/?[\]]+$/;

/** With a slash in front. Throws a usage failure. */
export function parseApiPath(text: string): string {
  const target = text.startsWith('/') ? text : `/${text}`;
  const [path = '', ...query] = target.split('?');
  const why = whatIsWrong(text, target, path) ?? (hasToken(query.join('?')) ? tokenReason : undefined);
  if (why === undefined) return target;
  throw usageError(
    'PATH is not a path of the API',
    "Give what follows /api/v4, such as /tasks or '/folders/IEAAAAAQI4AB5BNG/tasks'. Give values with -f KEY=VALUE.",
    why,
  );
}

export const tokenReason = 'wm sends the token itself, and only in a header: access_token is not allowed';

/** True for the parameter `access_token`, in any case and encoding. */
export function isTokenName(name: string): boolean {
  return decodings(name).some((one) => one.replaceAll('+', ' ').trim().toLowerCase() === 'access_token');
}

/** The names of the parameters in a query, in each way in which a service may read them. */
export function queryNames(query: string): readonly string[] {
  return decodings(query).flatMap((one) => one.split(/[&;?]/).map((pair) => pair.split('=')[0] ?? ''));
}

function hasToken(query: string): boolean {
  return queryNames(query).some(isTokenName);
}

function whatIsWrong(text: string, target: string, path: string): string | undefined {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return 'it is a whole URL, which could be another host';
  if (text === '' || text === '/') return 'it is empty';
  if (target.includes('#')) return 'it has a fragment (#)';
  if (!allowed.test(target)) return 'it has a character that must be encoded';
  if (/%(?![\da-f]{2})/i.test(target)) return 'it has a % that encodes nothing';
  for (const decoded of decodings(path)) {
    if (decoded.includes('//')) return 'it has two slashes in a row';
    if (decoded.includes('\\')) return 'it has a backslash';
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
    if (/[\u0000-\u001f\u007f]/.test(decoded)) return 'it has a control character';
    if (decoded.split('/').some((step) => step === '..' || step === '.'))
      return 'it has a . or .. between slashes';
  }
  return undefined;
}

/** As it is, and decoded again and again until nothing changes. */
function decodings(text: string): readonly string[] {
  const all = [text];
  for (let next = decodeOnce(text); next !== all.at(-1) && all.length < 10; next = decodeOnce(next))
    all.push(next);
  return all;
}

function decodeOnce(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
