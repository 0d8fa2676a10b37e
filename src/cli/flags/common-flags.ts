// The flags that every command has, with the same meaning everywhere.

import { ValidationError } from '#contract/schema.ts';
import { booleanFlag, type Flag, type Flags, integerFlag, type ParsedFlags, textFlag } from './flag.ts';

export const everywhereFlags = {
  json: booleanFlag('Print JSON on standard output'),
  jq: textFlag('EXPR', 'Filter that JSON with jq, and print strings without quotes (includes --json)'),
  arg: {
    help: 'With --jq: set $NAME in the filter to this text',
    placeholder: 'NAME=VALUE',
    repeats: true,
    parse: parseVariables,
  } satisfies Flag<ReadonlyMap<string, string>>,
  profile: textFlag('NAME', 'Use this profile (`wm login --profile NAME` creates it)', 'profile'),
  yes: booleanFlag('Confirm without a prompt', { short: 'y' }),
  input: booleanFlag('Never prompt: a missing value is a usage error', { negatable: 'only' }),
  quiet: booleanFlag('Print only errors and warnings on standard error', { short: 'q' }),
  verbose: booleanFlag('Show each request and its status on standard error', { short: 'v' }),
  color: booleanFlag('Print no colours', { negatable: 'only' }),
  pager: booleanFlag('Print long tables without a pager', { negatable: 'only' }),
  ca: { ...textFlag('FILE', 'Also trust the certificates in this PEM file'), lastWins: true },
  readOnly: booleanFlag('Send no request to the service that changes anything (or WM_READ_ONLY)'),
  timeout: {
    ...integerFlag('SECONDS', 'Time limit for one request, except a token refresh (default: 30)', 1, 86_400),
    // A script may set a flag that its caller overrides.
    lastWins: true,
  },
} as const;

function parseVariables(texts: readonly string[]): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  for (const [name, value] of texts.map(parseVariable)) {
    // jq itself takes the first, and a shell the last.
    if ((variables.get(name) ?? value) !== value) throw new ValidationError(`$${name}`, 'has two values');
    variables.set(name, value);
  }
  return variables;
}

function parseVariable(text: string): readonly [string, string] {
  const [, name, value] = /^([a-z_]\w*)=(.*)$/is.exec(text) ?? [];
  // The value may be a secret.
  if (name === undefined || value === undefined)
    throw new ValidationError(
      'a value',
      'is not of the form NAME=VALUE, where NAME has letters, digits and _',
    );
  return [name, value];
}

/** Only for commands that send requests. Other commands reject them, so that none makes a change that it was asked only to show. */
export const requestFlags = {
  dryRun: booleanFlag('Print the request without sending it', { short: 'n' }),
  curl: booleanFlag('Print the request as a curl command'),
} as const;

/** Only for commands whose queries can be long, among their own flags. */
export const queryFlags = {
  queryLimit: integerFlag(
    'BYTES',
    'Send a longer query as a form, which the service may not read (default: 16000)',
    0,
    1_000_000,
  ),
} as const;

export function sharedFlags({ sendsRequests }: { readonly sendsRequests?: true }): Flags {
  return { ...(sendsRequests ? requestFlags : {}), ...everywhereFlags };
}

export const commonFlags = { ...everywhereFlags, ...requestFlags, ...queryFlags } as const;

export type CommonFlags = ParsedFlags<typeof commonFlags>;

export const outputFlagNames: readonly string[] = ['json', 'jq', 'quiet', 'verbose', 'color', 'pager'];
