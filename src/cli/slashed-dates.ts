// Resolves ambiguous dates such as 14/12/2026 by --date-order, or else by the account's date format. Without either they stay
// unchanged, and become errors that name both readings.

import { accountOperations } from '#contract/account-operations.ts';
import { type DateOrder, dateOrders, readInOrder } from '#dates/relative-date.ts';
import { usageError } from '#failure.ts';
import type { Context } from './context.ts';
import { type Flags, type FlagTexts, type RawFlags, toKebabCase } from './flags/flag.ts';

/** Such a date at the beginning of a text, or of a text in JSON. */
const slashed = /(?<!\d)\d\d?\/\d\d?\/\d{4}(?<=(?:^|")\s*[\d/]+)(?=[\s"Tt]|$)/g;
export const dateTypes: ReadonlySet<string | undefined> = new Set(['date', 'day']);
/** Their JSON has dates. */
export const datedParameters: readonly string[] = ['dates', 'effortAllocation', 'setResponsibleAllocation'];
export const hasSlashedDate = (text: string): boolean => text.search(slashed) !== -1;

/** Converts such dates to the standard form, and prints each. */
export async function readSlashedDates(context: Context, flags: Flags, rawFlags: RawFlags) {
  const typed = [...rawFlags].filter(
    ([name, texts]) => dateTypes.has(flags[name]?.type) && texts.some(hasSlashedDate),
  );
  if (typed.length === 0) return rawFlags;
  const { reason, readDates } = await createDateReader(context);
  const converted = new Map(rawFlags);
  for (const [name, texts] of typed) {
    const [first = '', ...more] = texts.map(readDates);
    const dates: FlagTexts = [first, ...more];
    converted.set(name, dates);
    for (const [index, text] of texts.entries())
      if (text !== dates[index])
        await context.report.info(`--${toKebabCase(name)} ${text} is ${dates[index]}: ${reason}`);
  }
  return converted;
}

export type DateReader = Awaited<ReturnType<typeof createDateReader>>;

export async function createDateReader(context: Pick<Context, 'session' | 'commandLine'>) {
  const typed = context.commandLine.rawFlags.get('dateOrder')?.at(-1)?.toLowerCase();
  const chosen = dateOrders.find((order) => order === typed);
  const format = chosen === undefined ? await readDateFormat(context) : undefined;
  const order = chosen ?? orderOf(format);
  const reason = chosen === undefined ? `this account writes ${format}` : `--date-order ${chosen}`;
  const otherOrder = order === 'day-first' ? 'month-first' : 'day-first';
  /** The first dates of their kind. Only the other order can read a contradicting one. */
  const found: { example?: string; ambiguous?: string; contradicting?: string } = {};
  const readDate = (date: string): string => {
    const [reading, otherReading] = order ? [readInOrder(date, order), readInOrder(date, otherOrder)] : [];
    if (reading === undefined) {
      if (otherReading !== undefined) found.contradicting ??= date;
      return date;
    }
    found.example ??= `${date} is ${reading}: ${reason}`;
    if (otherReading !== undefined && otherReading !== reading) found.ambiguous ??= date;
    return reading;
  };
  return {
    order,
    reason,
    example: () => found.example,
    /** Converts the dates in the text, and leaves what it cannot decide unchanged. */
    readDates: (text: string) => text.replace(slashed, readDate),
    /** Throws a usage failure if a date so far contradicts the account's format: then the others may be wrong too. */
    assertNoContradiction(source: string): void {
      const { contradicting, ambiguous } = found;
      if (!order || chosen || !contradicting) return;
      const date = ambiguous ?? contradicting;
      const show = (inOrder: DateOrder) =>
        `--date-order ${inOrder} (${date} is ${readInOrder(date, inOrder) ?? 'invalid'})`;
      throw usageError(
        `${source} has ${contradicting}, but this account writes ${format}`,
        `Nothing was sent. Give the order of the dates in the file:\n${show(otherOrder)}\n${show(order)}`,
      );
    },
  };
}

function orderOf(format: string | undefined): DateOrder | undefined {
  const [dayAt = -1, monthAt = -1, yearAt = -1] = [...'dMy'].map((letter) => format?.indexOf(letter));
  // A format that begins with the year does not decide.
  if (dayAt < 0 || monthAt < 0 || yearAt < Math.max(dayAt, monthAt)) return undefined;
  return dayAt < monthAt ? 'day-first' : 'month-first';
}

async function readDateFormat(context: Pick<Context, 'session'>): Promise<string | undefined> {
  const { readOrNone } = await import('./read-pages.ts');
  const [account] = await readOrNone(
    async () => (await (await context.session()).send(accountOperations.getAccount, {}, {})).records,
  );
  return account?.dateFormat;
}
