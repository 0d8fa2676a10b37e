// Finds the public URL in the output of a tunnel program. Each program prints it in its own way, among links to its documentation, its
// terms and its dashboard. Only the public URL is https, has no path, and has a host below somebody's domain.

import { isIP } from 'node:net';
import { validateHookUrl } from '../../../../contract/hook-url.ts';
import { ValidationError } from '../../../../contract/schema.ts';

/** First names of hosts that are a site of the tunnel's maker: they may be printed without a path, too. */
const siteNames = [
  ...['account', 'accounts', 'admin', 'api', 'app', 'auth', 'blog', 'community', 'console', 'dash'],
  ...['dashboard', 'dev', 'developer', 'developers', 'discord', 'doc', 'docs', 'forum', 'go', 'help'],
  ...['id', 'login', 'signup', 'status', 'support', 'update', 'www'],
];

/** The first URL of a line that is one of a tunnel, without a slash at its end. */
export function findTunnelUrl(line: string): string | undefined {
  const words = removeSequences(line).match(/https:\/\/[^\s"'`<>()[\]{}|\\^,;]+/gi) ?? [];
  const found = words.map((word) => word.replace(/(?<![.:!?])[.:!?]+$/, '')).find(isTunnelUrl);
  return found === undefined ? undefined : new URL(found).origin;
}

function isTunnelUrl(text: string): boolean {
  try {
    const { hostname, pathname, search, hash } = validateHookUrl(text);
    const names = hostname.replace(/\.$/, '').split('.');
    const [first = ''] = names;
    return (
      `${pathname}${search}${hash}` === '/' &&
      isIP(hostname) === 0 &&
      names.length > 2 &&
      !siteNames.includes(first)
    );
  } catch (error) {
    if (error instanceof ValidationError) return false;
    throw error;
  }
}

/** A colour may stand within a URL; what moves the cursor, and every other control character, ends one. */
function removeSequences(line: string): string {
  return (
    line
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
      .replace(/\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b\[[0-9;:]*m/g, '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
      .replace(/\u001b\[[0-?]*[ -/]*[@-~]|[\u0000-\u001f\u007f-\u009f]/g, ' ')
  );
}

/** More of a line without an end is dropped from its beginning. */
const mostCharacters = 16_384;

/** Splits output into lines as it comes. */
export function createLineReader(onLine: (line: string) => void) {
  let rest = '';
  return {
    add(text: string): void {
      const [last = '', ...lines] = `${rest}${text}`.split(/\r\n|[\r\n]/).reverse();
      rest = last.slice(-mostCharacters);
      for (const line of lines.reverse()) onLine(line);
    },
    /** What is there of a line that has no end. */
    end(): void {
      const last = rest;
      rest = '';
      if (last !== '') onLine(last);
    },
  };
}
