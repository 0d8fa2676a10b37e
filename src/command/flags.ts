// The flags that every command takes and that mean the same everywhere.

import { type Flag, type ParsedFlags, toggle, wholeNumber, words } from './flag.ts';

export const everywhereFlags = {
  json: toggle('JSON on standard output'),
  profile: words('NAME', 'Which account: a profile made by `wm login --profile NAME`'),
  yes: toggle('Answer yes to the confirmation', { short: 'y' }),
  input: noOnly('Never prompt; a missing value is a usage error'),
  quiet: toggle('Print nothing on standard error but errors', { short: 'q' }),
  verbose: toggle('Show each request and its status on standard error', { short: 'v' }),
  color: noOnly('No colours'),
  ca: {
    ...words('FILE', 'Trust the certificates in this PEM file too'),
    lastCounts: true,
  },
  timeout: {
    ...wholeNumber('SECONDS', 'Time limit for one request (30); refreshing a token has its own', 1, 86_400),
    // A script that sets one can be called with another.
    lastCounts: true,
  },
} as const;

/** Of the commands that send requests. To the others they are unknown: none does what it was asked only to show. */
export const requestFlags = {
  dryRun: toggle('Print the request that would be sent; change nothing', { short: 'n' }),
  curl: toggle('Print the request as a curl command that works when pasted'),
} as const;

export const commonFlags = { ...everywhereFlags, ...requestFlags } as const;

export type CommonFlags = ParsedFlags<typeof commonFlags>;

/** Flags that exist only in their `--no-` form: absent means yes. */
export const negativeOnly: readonly string[] = ['input', 'color'];

function noOnly(help: string): Flag<boolean> {
  return { help, negatable: true, parse: (given) => given.at(-1) !== 'false' };
}
