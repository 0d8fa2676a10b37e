// Resolves ambiguous dates such as 14/12/2026 by the account's date format. Without the format they stay unchanged, and become
// errors that name both readings.

import { operations } from '#contract/operation.ts';
import { Failure, isInterruption } from '#failure.ts';
import type { Context } from './context.ts';
import { type Flags, type Given, type GivenFlags, toKebabCase } from './flags/flag.ts';

const slashed = /^\s*(\d\d?)\/(\d\d?)\/(\d{4})(?=\s|$)/;
/** The types of flags for dates. */
const dateTypes: ReadonlySet<string | undefined> = new Set(['date', 'day']);

function findSlashed(flags: Flags, given: GivenFlags): readonly string[] {
  return [...given]
    .filter(([name, texts]) => dateTypes.has(flags[name]?.type) && texts.some((text) => slashed.test(text)))
    .map(([name]) => name);
}

/** Converts such dates to the standard form, and prints each. Ends the context. */
export async function readSlashedDates(
  context: Context,
  flags: Flags,
  given: GivenFlags,
): Promise<GivenFlags> {
  const names = findSlashed(flags, given);
  try {
    if (names.length === 0) return given;
    const format = await readDateFormat(context);
    const [dayAt, monthAt, yearAt] = [...'dMy'].map((letter) => format?.indexOf(letter) ?? -1);
    if (dayAt === undefined || monthAt === undefined || yearAt === undefined) return given;
    // A format that begins with the year does not decide.
    if (dayAt < 0 || monthAt < 0 || yearAt < Math.max(dayAt, monthAt)) return given;
    const read = new Map(given);
    for (const name of names) {
      const readOne = (text: string) =>
        text.replace(slashed, (typed, first: string, second: string, year: string) => {
          const [day, month] = dayAt < monthAt ? [first, second] : [second, first];
          return Number(month) > 12 ? typed : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
        });
      const [first = '', ...more] = (given.get(name) ?? []).map(readOne);
      const dates: Given = [first, ...more];
      read.set(name, dates);
      for (const [at, text] of (given.get(name) ?? []).entries())
        if (text !== dates[at])
          await context.report.info(
            `--${toKebabCase(name)} ${text} is ${dates[at]}: this account writes ${format}`,
          );
    }
    return read;
  } finally {
    await context.end();
  }
}

async function readDateFormat(context: Context): Promise<string | undefined> {
  try {
    const { records } = await (await context.session()).send(operations.getAccount, {}, {});
    return records[0]?.dateFormat;
  } catch (error) {
    if (error instanceof Failure && !isInterruption(error.code)) return undefined;
    throw error;
  }
}
