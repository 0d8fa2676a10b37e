// `--forward-header NAME:VALUE`: headers that the target needs. A secret is read from a file: a command line can be read by every
// program on the machine.

import { usageError } from '../../../failure.ts';
import { comparable } from '../../../receiver/forwarding/forwarded-headers.ts';
import type { World } from '../../../world/world.ts';
import { readFileValue } from '../../file-value.ts';

/** Those that usually carry a secret. */
const secretNames = ['authorization', 'cookie', 'proxy-authorization', 'x-api-key', 'x-auth-token'];
/** Those that the forwarded request has of its own. */
const ownNames = [
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-wm-attempt',
  'x-wm-delivery',
  'x-wm-replay',
];

/**
 * By their names, in lower case.
 * @throws {Failure} `usage`
 */
export async function readForwardHeaders(
  world: World,
  given: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const headers: Record<string, string> = {};
  for (const text of given) {
    const [, typed = '', value = ''] = /^([^:]*):[ \t]*(.*)$/s.exec(text) ?? [];
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(typed))
      // The value may be a secret, so it is not repeated.
      throw usageError("--forward-header is not of the form NAME:VALUE, as in 'X-Source: wm'");
    const name = typed.toLowerCase();
    if (name === 'host')
      throw usageError('--forward-header: Host has a flag of its own', 'Use --forward-host HOST.');
    if (ownNames.includes(comparable(name))) throw usageError(`--forward-header: wm itself sends ${typed}`);
    if (name in headers) throw usageError(`--forward-header: ${typed} is given twice`);
    if (secretNames.includes(name) && !value.startsWith('@'))
      throw usageError(
        `--forward-header: ${typed} holds a secret, which other programs can read on a command line`,
        `Write it to a file that only you can read: --forward-header '${typed}: @FILE'`,
      );
    headers[name] = await readValue(world, typed, value);
  }
  return headers;
}

async function readValue(world: World, name: string, value: string): Promise<string> {
  const label = `--forward-header: ${name}`;
  const isFromFile = value.startsWith('@') && !value.startsWith('@@');
  const text = value.startsWith('@')
    ? (await readFileValue(world, value, label)).replace(/\r?\n$/, '')
    : value;
  if (isFromFile) world.secrets.add(text);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what ends a header
  if (/[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/.test(text))
    throw usageError(`${label} has a value that no header can hold`, 'It must be one line of Latin-1 text.');
  return text;
}
