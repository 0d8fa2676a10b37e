// The forms of a boolean flag: `--x`, `--no-x`, `--x=true` and `--x=false`, the same for all of them. A separate word
// for true or false after the flag is an error, since it would be taken for an id.

import { type Failure, usageError } from '#failure.ts';

/** How a flag is typed (`--title`, `-n`), and whether a value follows it. */
export type FlagForms = ReadonlyMap<string, 'switch' | 'value'>;

const yes = /^(?:true|yes|y|on|1)$/i;
const no = /^(?:false|no|n|off|0)$/i;

/**
 * The same words with each `--x=true` as `--x` and each `--x=false` as `--no-x`. What follows a flag with a value, and what
 * stands behind `--`, stays as it is. Throws a usage failure for any other value of a switch, and for a word for yes or no
 * after it, unless `wordsMayFollow`.
 */
export function normalizeBooleanFlags(
  typed: readonly string[],
  forms: FlagForms,
  allowsBooleanWords: boolean,
): string[] {
  const plain: string[] = [];
  let isValue = false;
  for (const [at, text] of typed.entries()) {
    if (isValue) {
      plain.push(text);
      isValue = false;
      continue;
    }
    if (text === '--') return [...plain, ...typed.slice(at)];
    plain.push(normalizeOne(text, forms));
    isValue = forms.get(text) === 'value';
    const next = typed[at + 1];
    if (next === undefined || isValue || allowsBooleanWords) continue;
    if (endsInBooleanFlag(text, forms) && isBooleanWord(next)) throw misplacedBoolean(next, text);
  }
  return plain;
}

/** Throws a usage failure for an operand that is `true` or `false`. A legal id may be both: such a one stands behind `--`. */
export function rejectBooleanArgument(operands: readonly string[]): void {
  const word = operands.find((one) => /^(?:true|false)$/i.test(one));
  if (word !== undefined) throw misplacedBoolean(word);
}

/** Of flags that people expect from other tools to take a secret, which would put it into the process list. */
export function secretHint(flag: string): string | undefined {
  if (!/^--[a-z-]*(?:secret|password|token)\b/.test(flag)) return undefined;
  return 'wm takes no secret on the command line, where every user of this machine can read it. See --help all for how to give it.';
}

/** `word`, which is one for yes or no, stands where no value belongs: after `flag`, or anywhere. */
export function misplacedBoolean(word: string, flag = '--FLAG'): Failure {
  const long = splitAtEquals(flag)[0].replace(/^--no-/, '--');
  const opposite = `--no-${long.slice(2)}`;
  const ways = no.test(word) ? `${opposite} or ${long}=false` : `${long} or ${long}=true`;
  const how = long.startsWith('--') ? `Write ${ways}` : `Write ${flag}, or leave it out`;
  return usageError(
    `${JSON.stringify(word)} is not an argument here: a flag without a value takes none after a space`,
    `${how}. If it is an argument, such as an ID, put it last: -- ${word}`,
  );
}

export function isBooleanWord(text: string): boolean {
  return yes.test(text) || no.test(text);
}

function normalizeOne(text: string, forms: FlagForms): string {
  const [flag, value] = splitAtEquals(text);
  if (value === undefined || forms.get(flag) !== 'switch') return text;
  const opposite = flag.startsWith('--no-') ? undefined : `--no-${flag.slice(2)}`;
  if (opposite === undefined) throw usageError(`${flag} takes no value`, `Write ${flag}.`);
  if (/^true$/i.test(value)) return flag;
  if (/^false$/i.test(value)) return opposite;
  // The value is not shown: `--with-token=...` may hold a secret.
  throw usageError(
    `The value of ${flag} must be true or false`,
    secretHint(flag) ?? `Write ${flag} or ${opposite}.`,
  );
}

function splitAtEquals(text: string): [flag: string, value: string | undefined] {
  const at = text.indexOf('=');
  return at === -1 || !text.startsWith('--') ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** `-q`, `-nq`, `--quiet` and `--quiet=true` do. */
function endsInBooleanFlag(text: string, forms: FlagForms): boolean {
  if (/^-[^-]+$/.test(text))
    return [...text.slice(1)].every((letter) => forms.get(`-${letter}`) === 'switch');
  return forms.get(splitAtEquals(text)[0]) === 'switch';
}
