// Parses boolean flags: `--x`, `--no-x`, `--x=true` and `--x=false`. A separate `true` or `false` after the flag is an error,
// since it would be taken for an id.

import { type Failure, usageError } from '#failure.ts';

const yes = /^(?:true|yes|y|on|1)$/i;
const no = /^(?:false|no|n|off|0)$/i;

/** Parses `--x`, `--no-x`, `--x=true` or `--x=false`. Throws a usage failure for any other value. */
export function switchValue(value: string | undefined, long: string, defaultValue: string): string {
  if (value === undefined) return defaultValue;
  if (long.startsWith('--no-')) throw usageError(`${long} takes no value`, `Write ${long}.`);
  if (/^(?:true|false)$/i.test(value)) return value.toLowerCase();
  // The value is not shown: `--with-token=...` may hold a secret.
  throw usageError(
    `The value of ${long} must be true or false`,
    secretHint(long) ?? `Write ${long} or --no-${long.slice(2)}.`,
  );
}

/** Throws a usage failure for an operand `true` or `false`. An id of this form has to come after `--`. */
export function rejectBooleanArgument(operands: readonly string[]): void {
  const word = operands.find((operand) => /^(?:true|false)$/i.test(operand));
  if (word !== undefined) throw misplacedBoolean(word);
}

/** The hint for flags that take a secret in other tools: here it would be visible in the process list. */
export function secretHint(flag: string): string | undefined {
  if (!/^--[a-z-]*(?:secret|password|token)\b/.test(flag)) return undefined;
  return 'wm takes no secret on the command line, where every user of this machine can read it. See --help all for how to give it.';
}

/** The error for a word such as `true` or `no` after a boolean flag. */
export function misplacedBoolean(word: string, flag = '--FLAG'): Failure {
  const long = flag.replace(/^(--[^=]*)=.*/s, '$1').replace(/^--no-/, '--');
  const forms = no.test(word) ? `--no-${long.slice(2)} or ${long}=false` : `${long} or ${long}=true`;
  const how = long.startsWith('--') ? `Write ${forms}` : `Write ${flag}, or leave it out`;
  return usageError(
    `${JSON.stringify(word)} is not an argument here: a boolean flag takes no value after a space`,
    `${how}. If it is an argument, such as an ID, put it last: -- ${word}`,
  );
}

export function isBooleanWord(text: string): boolean {
  return yes.test(text) || no.test(text);
}
