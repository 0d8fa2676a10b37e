// The flags that every command takes and that mean the same everywhere.

import { booleanFlag, type Flag, integerFlag, type ParsedFlags, textFlag } from './flag.ts';

export const everywhereFlags = {
  json: booleanFlag('JSON on standard output'),
  profile: textFlag('NAME', 'Which account: a profile made by `wm login --profile NAME`'),
  yes: booleanFlag('Answer yes to the confirmation', { short: 'y' }),
  input: negativeFlag('Never prompt; a missing value is a usage error'),
  quiet: booleanFlag('Print nothing on standard error but errors', { short: 'q' }),
  verbose: booleanFlag('Show each request and its status on standard error', { short: 'v' }),
  color: negativeFlag('No colours'),
  ca: {
    ...textFlag('FILE', 'Trust the certificates in this PEM file too'),
    lastWins: true,
  },
  timeout: {
    ...integerFlag('SECONDS', 'Time limit for one request (30); refreshing a token has its own', 1, 86_400),
    // A script that sets one can be called with another.
    lastWins: true,
  },
} as const;

/** Of the commands that send requests. To the others they are unknown: none does what it was asked only to show. */
export const requestFlags = {
  dryRun: booleanFlag('Print the request that would be sent; change nothing', { short: 'n' }),
  curl: booleanFlag('Print the request as a curl command that works when pasted'),
} as const;

export const commonFlags = { ...everywhereFlags, ...requestFlags } as const;

export type CommonFlags = ParsedFlags<typeof commonFlags>;

/** Flags that exist only in their `--no-` form: absent means yes. */
export const negativeFlagNames: readonly string[] = ['input', 'color'];

function negativeFlag(help: string): Flag<boolean> {
  return { help, negatable: true, parse: (given) => given.at(-1) !== 'false' };
}
