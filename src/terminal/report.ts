// Prints results and failures: tables or labelled lines on a terminal, tab-separated lines in a pipe, JSON with --json.
// Results go to standard output, everything else to standard error.

import type { Failure } from '#failure.ts';
import type { Output, Secrets, Streams, WriteOptions } from '#world/world.ts';
import { createJsonArrayWriter } from './json-array.ts';
import type { PagedOutput, PagerOfUser } from './paged-output.ts';
import { escapeTabCell, sanitizeJson, sanitizeLine, sanitizeLines } from './sanitize.ts';
import type { Style } from './style.ts';
import type { Column } from './table.ts';

interface JsonFormat {
  readonly indent?: number | undefined;
  readonly change: (text: string, member: string) => string;
}

export interface ReportOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly secrets: Pick<Secrets, 'redact' | 'redactCredentials'>;
  readonly formatJson: (value: unknown, format: JsonFormat) => string;
  /** What results are: records, which are data, unless they are messages or are there to show a secret. */
  readonly results?: 'messages' | 'secrets';
  /** For long tables on a terminal. */
  readonly pager?: PagerOfUser | undefined;
}

/** One result or several, and the JSON they are when that is asked for. */
export interface ReportedRecords<R> {
  readonly columns: readonly Column<R>[];
  /** For a single record on a terminal, where there is room for more than the columns. */
  readonly details?: readonly Column<R>[];
  readonly records: readonly R[];
  /** The records as the service sent them. */
  readonly raw: readonly unknown[];
  /** Each record is one line on a terminal, whatever it has to lose for that. */
  readonly isOneLine?: boolean;
  /** A list that goes through the user's pager on a terminal. Parts always do. */
  readonly mayBeLong?: true;
  /** Of `each`, as JSON: see {@link WriteOptions.rejectsFilterFailure}. */
  readonly rejectsFilterFailure?: true;
}

export interface Report {
  /** An array in JSON, in a pipe on one line; a table on a terminal; a line each, tab-separated, in a pipe. */
  list<R>(shown: ReportedRecords<R>): Promise<void>;
  /**
   * The same for a list that comes in parts: each part is printed when it comes, and the next is asked for after that. Asks
   * for no more once the reader has gone (`| head -1`). After an error the JSON is an array of what came before it.
   */
  parts<R>(parts: AsyncIterable<ReportedRecords<R>>): Promise<void>;
  /**
   * For a command that takes `ID...`: in JSON one compact object per line, even for a single id, so that its output
   * does not depend on how many ids it got. A tab-separated line each in a pipe. On a terminal a single record is a
   * block of names and values, several are a table. No record prints nothing.
   */
  each<R>(shown: ReportedRecords<R>): Promise<void>;
  /** One record: an object in JSON; a label and a value a line on a terminal; one tab-separated line in a pipe. */
  one<R>(shown: ReportedRecords<R>): Promise<void>;
  /** A result that is not a record, or one that is `data`. Never wrapped: it may be copied. `mayBeLong`: through the user's pager. */
  line(text: string, options?: { readonly mayBeLong?: true; readonly isData?: true }): Promise<void>;
  /** Sentences and labelled values that are the result: wrapped on a terminal. */
  prose(text: string): Promise<void>;
  json(value: unknown): Promise<void>;
  /** For the person watching: on standard error, unless --quiet. */
  info(text: string): Promise<void>;
  /** Even with --quiet. */
  warn(text: string): Promise<void>;
  /** The same, for what several steps of a command may find: each text is shown once. */
  warnOnce(text: string): Promise<void>;
  /** A record for the person watching, on standard error: a block on a terminal, else indented lines. `always`: even with --quiet. */
  details<R>(lines: readonly Column<R>[], record: R, always?: boolean): Promise<void>;
  /** Only with --verbose. */
  trace(text: string): void;
  failure(failure: Failure): Promise<void>;
  /** The same, for results whose purpose it is to show a secret. */
  withSecrets(): Report;
  /** The same, for results that are messages and may quote a response: no secret is shown. */
  asMessages(): Report;
  /** A text of a record as it is shown, before it is wrapped or escaped. Warns of a credential that is redacted in it. */
  textOf(text: string, member: string): string;
  /** The same for a record as JSON. */
  jsonOf(value: unknown, indent?: number): string;
  readonly wantsJson: boolean;
  /** With --quiet: `info` prints nothing. */
  readonly isQuiet: boolean;
}

const defaultWidth = 80;
const failurePrefix = 'wm: ';

/** Colours are decided for each stream: results may go to a pipe while messages go to a terminal. */
export interface StreamStyles {
  output(): Promise<Style>;
  errors(): Promise<Style>;
}

export function createReport(streams: Streams, styles: StreamStyles, options: ReportOptions): Report {
  const { output, errors } = streams;
  const { formatJson } = options;
  const showsSecrets = options.results === 'secrets';
  const messages = createMessages(errors, options);
  const { redact, fit, textOf } = messages;
  const results = createResults(output, styles, options, messages);
  const { jsonOf, json, writeRedacted } = results;
  /** What is safe already, or goes nowhere near a terminal. */
  const writeLine = (text: string) => output.write(`${text}\n`, { showsSecrets });

  return {
    wantsJson: options.json,
    isQuiet: options.quiet,
    withSecrets: () => createReport(streams, styles, { ...options, results: 'secrets' }),
    asMessages: () => createReport(streams, styles, { ...options, results: 'messages' }),
    textOf,
    jsonOf,
    async list(shown) {
      if (options.json) return json(shown.raw);
      if (!output.isTerminal) return results.printTabSeparated(shown);
      await (shown.mayBeLong
        ? results.throughPager((paged) => results.printTable(shown, paged))
        : results.printTable(shown));
    },
    async parts(parts) {
      if (options.json) return results.printJsonParts(parts);
      if (output.isTerminal) return results.throughPager((paged) => results.printTableParts(parts, paged));
      for await (const part of parts) {
        await results.printTabSeparated(part);
        if (output.isReaderGone) return;
      }
    },
    async each(shown) {
      if (options.json) {
        const lines = shown.raw.map((one) => sanitizeJsonFor(output, jsonOf(one)));
        const { rejectsFilterFailure = false } = shown;
        if (lines.length > 0) await writeRedacted(lines.join('\n'), { rejectsFilterFailure });
        return;
      }
      if (!output.isTerminal) return results.printTabSeparated(shown);
      await (shown.records.length > 1 ? results.printTable(shown) : results.printBlocks(shown));
    },
    async one(shown) {
      if (options.json) return json(shown.raw[0] ?? null);
      if (!output.isTerminal) return results.printTabSeparated(shown);
      await results.printBlocks(shown);
    },
    async line(text, { mayBeLong, isData } = {}) {
      const safe = isData ? textOf(text, 'The output') : redact(text);
      const shown = output.isTerminal ? sanitizeLines(safe) : safe;
      if (!mayBeLong) return writeRedacted(shown);
      await results.throughPager(({ write }) => write(`${shown}\n`));
    },
    prose: async (text) =>
      writeLine(output.isTerminal ? await fit(output, sanitizeLines(text).split('\n')) : text),
    json,
    async info(text) {
      // How far the reading is says nothing once the pager has ended.
      if (!options.quiet && !messages.isPaging()) await messages.write(text, 'info');
    },
    warn: messages.write,
    warnOnce: messages.warnOnce,
    async details(lines, record, always = false) {
      if (options.quiet && !always) return;
      const filled = lines.filter((line) => sanitizeLine(line.cell(record)) !== '');
      if (filled.length === 0) return;
      if (messages.areJson)
        return messages.write(
          Object.fromEntries(filled.map(({ title, cell }) => [title, cell(record)])),
          'details',
        );
      if (!errors.isTerminal) {
        const widest = Math.max(...filled.map(({ title }) => title.length));
        for (const { title, cell } of filled)
          await messages.write(`  ${title.padEnd(widest)}  ${cell(record)}`);
        return;
      }
      const [{ drawBlock }, style] = await Promise.all([import('./table.ts'), styles.errors()]);
      for (const row of results.toRows(filled, [record], ({ cell }, one) => redact(cell(one))))
        await errors.write(`${drawBlock(filled, row, errors.columns || defaultWidth, style)}\n`);
    },
    trace(text) {
      if (options.verbose) void messages.write(text, 'trace');
    },
    async failure(failure) {
      if (options.json)
        return errors.write(`${sanitizeJsonFor(errors, formatJson(failure, { change: redact }))}\n`, {
          isRedacted: true,
        });
      const style = await styles.errors();
      const parts = [`${failurePrefix}${sanitizeLine(failure.message)}`];
      if (failure.why) parts.push(`  ${sanitizeLine(failure.why)}`);
      if (failure.hint) parts.push(...failure.hint.split('\n').map((one) => `  ${sanitizeLine(one)}`));
      const shown = await fit(errors, parts, failurePrefix.length);
      await errors.write(`${style.bad('wm:')}${shown.slice('wm:'.length)}\n`);
    },
  };
}

/** What goes to standard error, and what every text is changed by before it is shown. */
function createMessages(errors: Output, { results, secrets, pager, json, formatJson }: ReportOptions) {
  const redact = (text: string) => (results === 'secrets' ? text : secrets.redact(text));
  /** A text that is wrapped is redacted first: a secret with a line break in it would not be found. */
  const fit = async (
    { isTerminal, columns }: Output,
    lines: readonly string[],
    hanging?: number,
  ): Promise<string> => {
    const width = columns || defaultWidth;
    if (!isTerminal || lines.every((line) => fitsUnmeasured(line, width))) return lines.join('\n');
    const { wrapMessage } = await import('./wrap-message.ts');
    return lines
      .flatMap((line, at) => wrapMessage(redact(line), width, at === 0 ? hanging : undefined))
      .join('\n');
  };
  /** What would be written over the pager; shown once it has ended. */
  const held: string[] = [];
  const isPaging = () => errors.isTerminal && pager?.isShown === true;
  /** For a program, each message is a line of JSON, as a failure is. */
  const areJson = json && !errors.isTerminal;
  const write = async (
    text: string | Readonly<Record<string, string>>,
    kind: 'info' | 'warning' | 'trace' | 'details' = 'warning',
  ): Promise<void> => {
    if (areJson || typeof text !== 'string')
      return errors.write(`${formatJson({ [kind]: text }, { change: redact })}\n`, { isRedacted: true });
    if (isPaging()) {
      held.push(text);
      return;
    }
    const shown = errors.isTerminal ? await fit(errors, sanitizeLines(text).split('\n')) : text;
    await errors.write(`${shown}\n`);
  };
  const warned = new Set<string>();
  const warnOnce = async (text: string) => {
    if (warned.has(text)) return;
    warned.add(text);
    await write(text);
  };
  const textOf = (text: string, member: string): string => {
    if (results !== undefined) return redact(text);
    const shown = secrets.redactCredentials(text);
    if (shown !== text) void warnOnce(`${member} holds a token or a client secret: shown as [redacted].`);
    return shown;
  };
  return {
    redact,
    fit,
    write,
    areJson,
    warnOnce,
    textOf,
    isPaging,
    async showHeld() {
      for (const text of held.splice(0)) await write(text);
    },
  };
}

/** The records that go to standard output. */
function createResults(
  output: Output,
  styles: StreamStyles,
  { formatJson, pager }: ReportOptions,
  messages: ReturnType<typeof createMessages>,
) {
  const { textOf } = messages;
  const jsonOf = (value: unknown, indent?: number) => formatJson(value, { indent, change: textOf });
  const cellOf = <R>({ title, cell }: Column<R>, record: R) => textOf(cell(record), title);
  const writeRedacted = (text: string, options?: WriteOptions) =>
    output.write(`${text}\n`, { ...options, isRedacted: true });
  /** For a person; a program gets each document on one line. */
  const indent = output.isTerminal ? 2 : 0;
  const json = (value: unknown) => writeRedacted(sanitizeJsonFor(output, jsonOf(value, indent)));

  const printTabSeparated = async <R>({ columns, records }: ReportedRecords<R>): Promise<void> => {
    const lines = records.map((record) =>
      columns.map((column) => escapeTabCell(cellOf(column, record))).join('\t'),
    );
    if (lines.length > 0) await writeRedacted(lines.join('\n'));
  };

  const toRows = <R>(columns: readonly Column<R>[], records: readonly R[], shown = cellOf<R>) =>
    records.map((record) => ({
      record,
      texts: columns.map((column) => sanitizeLine(shown(column, record))),
    }));
  const terminal: PagedOutput = {
    write: (text) => output.write(text, { isRedacted: true }),
    get isReaderGone() {
      return output.isReaderGone ?? false;
    },
  };
  /** In a pager a field is as long as it is. */
  const maxFieldLines = (paged: Pick<PagedOutput, 'write'>) =>
    paged === terminal ? undefined : Number.POSITIVE_INFINITY;
  const throughPager = async (print: (paged: PagedOutput) => Promise<void>): Promise<void> => {
    if (pager === undefined) return print(terminal);
    const { printPaged } = await import('./paged-output.ts');
    try {
      await printPaged(pager, terminal, messages.write, print);
    } finally {
      await messages.showHeld();
    }
  };
  const printTable = async <R>(
    { columns, records, isOneLine }: ReportedRecords<R>,
    paged: Pick<PagedOutput, 'write'> = terminal,
  ): Promise<void> => {
    if (records.length === 0) return;
    const [{ drawTable }, style] = await Promise.all([import('./table.ts'), styles.output()]);
    const width = output.columns || defaultWidth;
    const rows = toRows(columns, records);
    const lines = isOneLine && (await import('./lines.ts')).createLines(width, style)(columns, rows);
    const table = lines || drawTable(columns, rows, width, style, maxFieldLines(paged));
    await paged.write(`${table}\n`);
  };
  const printBlocks = async <R>({
    columns,
    details = columns,
    records,
  }: ReportedRecords<R>): Promise<void> => {
    const [{ drawBlock }, style] = await Promise.all([import('./table.ts'), styles.output()]);
    for (const row of toRows(details, records))
      await writeRedacted(drawBlock(details, row, output.columns || defaultWidth, style));
  };

  const printJsonParts = async <R>(parts: AsyncIterable<ReportedRecords<R>>): Promise<void> => {
    const array = createJsonArrayWriter(output.isTerminal);
    const write = (text: string) => output.write(text, { isRedacted: true });
    try {
      for await (const { raw } of parts) {
        await write(array.add(raw.map((one) => sanitizeJsonFor(output, jsonOf(one, indent)))));
        if (output.isReaderGone) return;
      }
    } catch (error) {
      if (array.isOpen) await write(array.end());
      throw error;
    }
    await write(array.end());
  };
  const printTableParts = async <R>(
    parts: AsyncIterable<ReportedRecords<R>>,
    paged: PagedOutput,
  ): Promise<void> => {
    const [{ createGrowingTable }, { createLines }, style] = await Promise.all([
      import('./table.ts'),
      import('./lines.ts'),
      styles.output(),
    ]);
    const width = output.columns || defaultWidth;
    const drawLines = createLines(width, style);
    const draw = createGrowingTable(width, style, maxFieldLines(paged));
    for await (const { columns, records, isOneLine } of parts) {
      const rows = toRows(columns, records);
      if (rows.length > 0)
        await paged.write(`${(isOneLine && drawLines(columns, rows)) || draw(columns, rows)}\n`);
      if (paged.isReaderGone) return;
    }
  };

  return {
    jsonOf,
    json,
    writeRedacted,
    toRows,
    throughPager,
    printTabSeparated,
    printTable,
    printBlocks,
    printJsonParts,
    printTableParts,
  };
}

/** True of nearly every message: whether it fits is seen without measuring it. */
function fitsUnmeasured(line: string, width: number): boolean {
  return line.length <= width && /^[\x20-\x7e]*$/.test(line);
}

function sanitizeJsonFor(stream: Output, text: string): string {
  return stream.isTerminal ? sanitizeJson(text) : text;
}
