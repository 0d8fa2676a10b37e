// The forms of a flag, which help, completion and the parser share: `--title`, `--no-follow`, `-y`, `--x=true`. A separate `true`
// or `false` after a boolean flag is an error, since it would be taken for an id.

import { type Failure, usageError } from '#failure.ts';
import { type Flag, type Flags, toKebabCase } from './flag.ts';

/** As typed. Every boolean flag has its opposite, unless that is its only form. `name`: as in the code, `addParents`. */
export function formsOf(name: string, { placeholder, short, alias, negatable }: Flag<unknown>) {
  const kebab = toKebabCase(name);
  return {
    long: negatable === 'only' ? `--no-${kebab}` : `--${kebab}`,
    opposite: placeholder === undefined && negatable !== 'only' ? `--no-${kebab}` : undefined,
    short: short && `-${short}`,
    alias: alias && `--${alias}`,
  };
}

export function findFlag(flags: Flags, form: string) {
  if (!form.startsWith('-')) return undefined;
  return Object.entries(flags).find(([name, flag]) => Object.values(formsOf(name, flag)).includes(form));
}

/** Splits `-qy` into `-q` and `-y`. */
export function formsIn(form: string): readonly string[] {
  return /^-[a-z]/i.test(form) ? [...form.slice(1)].map((letter) => `-${letter}`) : [form];
}

/** Splits `--title=x` into `--title` and `x`. */
export function splitAtEquals(word: string): readonly [form: string, value: string | undefined] {
  const equals = word.startsWith('--') ? word.indexOf('=') : -1;
  return equals === -1 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)];
}

const yes = /^(?:true|yes|y|on|1)$/i;
const no = /^(?:false|no|n|off|0)$/i;

/** `--x` for `--x=true`, and `--no-x` for `--x=false`. Throws a usage failure for any other value. */
export function switchForm(long: string, value: string): string {
  if (long.startsWith('--no-')) throw usageError(`${long} takes no value`, `Write ${long}.`);
  if (/^true$/i.test(value)) return long;
  if (/^false$/i.test(value)) return long.replace('--', '--no-');
  // The value is not shown: `--with-token=...` may hold a secret.
  throw usageError(
    `The value of ${long} must be true or false`,
    secretHint(long) ?? `Write ${long} or --no-${long.slice(2)}.`,
  );
}

/** The hint for flags that take a secret in other tools: here it would be visible in the process list. */
export function secretHint(flag: string): string | undefined {
  if (!/^--[a-z-]*(?:secret|password|token)\b/.test(flag)) return undefined;
  return 'wm takes no secret on the command line, where every user of this machine can read it. See --help all for how to give it.';
}

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

/** A hint for two hyphens that an editor made a long dash, and for the `-n 5` of `head`. */
export function mistypedFlag(argv: readonly string[]): string | undefined {
  const [, name] = /(?:^| )[‒–—―−]-?([a-z][a-z-]*)/.exec(argv.join(' ')) ?? [];
  if (name !== undefined) return `Write two hyphens in place of the long dash: --${name}`;
  return / -n \d/.test(argv.join(' ')) ? '-n is --dry-run. To limit a list, write --limit N.' : undefined;
}
