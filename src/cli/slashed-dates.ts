// Resolves ambiguous dates such as 14/12/2026 by the account's date format. Without the format they stay unchanged, and become
// errors that name both readings.

import { accountOperations } from '#contract/account-operations.ts';
import { Failure, isInterruption } from '#failure.ts';
import type { Context } from './context.ts';
import { type Flags, type FlagTexts, type RawFlags, toKebabCase } from './flags/flag.ts';

/** Such a date at the beginning of a text. */
export const slashed = /^\s*(\d\d?)\/(\d\d?)\/(\d{4})(?=\s|$)/;
export const dateTypes: ReadonlySet<string | undefined> = new Set(['date', 'day']);

/** Converts such dates to the standard form, and prints each. */
export async function readSlashedDates(
  context: Context,
  flags: Flags,
  rawFlags: RawFlags,
): Promise<RawFlags> {
  const typed = [...rawFlags].filter(
    ([name, texts]) => dateTypes.has(flags[name]?.type) && texts.some((text) => slashed.test(text)),
  );
  if (typed.length === 0) return rawFlags;
  const { format, readDate } = await createDateReader(context);
  const converted = new Map(rawFlags);
  for (const [name, texts] of typed) {
    const [first = '', ...more] = texts.map(readDate);
    const dates: FlagTexts = [first, ...more];
    converted.set(name, dates);
    for (const [index, text] of texts.entries())
      if (text !== dates[index])
        await context.report.info(
          `--${toKebabCase(name)} ${text} is ${dates[index]}: this account writes ${format}`,
        );
  }
  return converted;
}

export type DateReader = Awaited<ReturnType<typeof createDateReader>>;

/** `format`: the account's; undefined if it is not known. `readDate` returns what it cannot decide unchanged. */
export async function createDateReader(context: Pick<Context, 'session'>) {
  const format = await readDateFormat(context);
  const [dayAt = -1, monthAt = -1, yearAt = -1] = [...'dMy'].map((letter) => format?.indexOf(letter));
  // A format that begins with the year does not decide.
  if (dayAt < 0 || monthAt < 0 || yearAt < Math.max(dayAt, monthAt))
    return { format, readDate: (text: string) => text };
  return {
    format,
    readDate: (text: string) =>
      text.replace(slashed, (typed, first: string, second: string, year: string) => {
        const [day, month] = dayAt < monthAt ? [first, second] : [second, first];
        return Number(month) > 12 ? typed : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
      }),
  };
}

async function readDateFormat(context: Pick<Context, 'session'>): Promise<string | undefined> {
  try {
    const { records } = await (await context.session()).send(accountOperations.getAccount, {}, {});
    return records[0]?.dateFormat;
  } catch (error) {
    if (error instanceof Failure && !isInterruption(error.code)) return undefined;
    throw error;
  }
}
