// Prints results and failures: tables or labelled lines on a terminal, tab-separated lines in a pipe, JSON with --json. Results go
// to standard output, everything else to standard error.

import { formatJson } from '#contract/json.ts';
import type { Failure } from '#failure.ts';
import type { Output, Secrets, Streams, WriteOptions } from '#world/world.ts';
import { widthOf } from './line-drawing.ts';
import type { createLines } from './lines.ts';
import type { PagedOutput } from './paged-output.ts';
import { escapeTabCell, sanitizeJson, sanitizeLine, sanitizeLines } from './sanitize.ts';
import type { Style } from './style.ts';
import type { Column } from './table.ts';
import type { UserPager } from './user-pager.ts';

interface ReportOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly secrets: Pick<Secrets, 'redact' | 'redactCredentials'>;
  readonly now: () => number;
  /** What the results are, if not records: messages, or text that must show a secret. */
  readonly results?: 'messages' | 'secrets';
  /** For a screen reader: a list shortens nothing. */
  readonly isWhole?: boolean;
  readonly pager?: UserPager | undefined;
}

export interface ReportedRecords<R> {
  readonly columns: readonly Column<R>[];
  /** More columns for a single record on a terminal. */
  readonly details?: readonly Column<R>[];
  readonly records: readonly R[];
  /** The records as the service sent them. */
  readonly raw: readonly unknown[];
  /** Draws each record as one line on a terminal, even if that shortens it. */
  readonly isOneLine?: boolean;
  /** Shows the list in the user's pager on a terminal, as `parts` always does. */
  readonly mayBeLong?: true;
  /** For `each` with --json: see {@link WriteOptions.rejectsFilterFailure}. */
  readonly rejectsFilterFailure?: true;
}

/** An interface, because its own members return it. */
export interface Report extends ReturnType<typeof createReport> {}

const failurePrefix = 'wm: ';

/** Results may go to a pipe while messages go to a terminal. */
type StyleOf = (stream: Output) => Promise<Style>;

export function createReport(streams: Streams, styleOf: StyleOf, options: ReportOptions) {
  const { output, errors } = streams;
  const messages = createMessages(streams, options);
  const { redact, fit, textOf } = messages;
  const results = createResults(output, styleOf, options, messages);
  const { jsonOf, json, writeRedacted } = results;

  return {
    wantsJson: options.json,
    /** True with --quiet: `info` prints nothing. */
    isQuiet: options.quiet,
    /** Returns the same report for results that must show a secret. */
    withSecrets: (): Report => createReport(streams, styleOf, { ...options, results: 'secrets' }),
    /** Returns the same report for messages that may quote a response. Shows no secret. */
    asMessages: (): Report => createReport(streams, styleOf, { ...options, results: 'messages' }),
    /** Returns a record's text for display, before it is wrapped or escaped. Warns if it redacts a credential. */
    textOf,
    jsonOf,
    /** Prints an array in JSON, a table on a terminal, and a tab-separated line for each record in a pipe. */
    async list<R>(reported: ReportedRecords<R>): Promise<void> {
      if (options.json) return json(reported.raw);
      if (!output.isTerminal) return results.printTabSeparated(reported);
      await (reported.mayBeLong
        ? results.throughPager((paged) => results.printTable(reported, paged))
        : results.printTable(reported));
    },
    /** Requests no more once the reader has gone. After an error the JSON array has no end, so that a part is not taken for the whole list. */
    async parts<R>(parts: AsyncIterable<ReportedRecords<R>>): Promise<void> {
      if (options.json) return results.printJsonParts(parts);
      if (output.isTerminal) return results.throughPager((paged) => results.printTableParts(parts, paged));
      for await (const part of parts) {
        await results.printTabSeparated(part);
        if (output.isReaderGone) return;
      }
    },
    /** For a command that takes `ID...`: one compact JSON object per line, even for a single id. On a terminal a block, or a table of several. */
    async each<R>(reported: ReportedRecords<R>): Promise<void> {
      if (options.json) {
        const lines = reported.raw.map((rawRecord) => sanitizeJsonFor(output, jsonOf(rawRecord)));
        const { rejectsFilterFailure = false } = reported;
        if (lines.length > 0) await writeRedacted(lines.join('\n'), { rejectsFilterFailure });
        return;
      }
      if (!output.isTerminal) return results.printTabSeparated(reported);
      await (reported.records.length > 1 ? results.printTable(reported) : results.printBlocks(reported));
    },
    /** Prints one record: an object in JSON, labelled lines on a terminal, one tab-separated line in a pipe. */
    async one<R>(reported: ReportedRecords<R>): Promise<void> {
      if (options.json) return json(reported.raw[0] ?? null);
      if (!output.isTerminal) return results.printTabSeparated(reported);
      await results.printBlocks(reported);
    },
    /** Prints a line that is not a record, or is `data`. Never wraps it, because users copy it. `mayBeLong`: uses the pager. */
    async line(text: string, { mayBeLong, isData }: { mayBeLong?: true; isData?: true } = {}): Promise<void> {
      const safe = isData ? textOf(text, 'The output') : redact(text);
      const sanitized = output.isTerminal ? sanitizeLines(safe) : safe;
      if (!mayBeLong) return writeRedacted(sanitized);
      await results.throughPager(({ write }) => write(`${sanitized}\n`));
    },
    /** Prints sentences and labelled values as the result, wrapped on a terminal. */
    async prose(text: string): Promise<void> {
      const shown = await fit(output, output.isTerminal ? sanitizeLines(text).split('\n') : [text]);
      await output.write(`${shown}\n`, { showsSecrets: options.results === 'secrets' });
    },
    json,
    /** Prints a message for the user on standard error, unless --quiet. */
    async info(text: string): Promise<void> {
      // Progress of reading is useless once the pager has ended.
      if (!options.quiet && !messages.isPaging()) await messages.write(text, 'info');
    },
    warn: (text: string): Promise<void> => messages.write(text),
    /** Prints each text once, even if several steps of a command repeat it. */
    warnOnce: messages.warnOnce,
    /** On standard error: a block on a terminal, otherwise indented lines. `always`: even with --quiet. */
    async details<R>(lines: readonly Column<R>[], record: R, always = false): Promise<void> {
      if (options.quiet && !always) return;
      const filled = lines.filter(({ cell }) => sanitizeLine(cell(record)) !== '');
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
      const texts = filled.map(({ cell }) => sanitizeLine(redact(cell(record))));
      const [{ drawBlock }, style] = await Promise.all([import('./table.ts'), styleOf(errors)]);
      await errors.write(`${drawBlock(filled, { record, texts }, widthOf(errors), style)}\n`);
    },
    trace(text: string): void {
      if (options.verbose) void messages.write(text, 'trace');
    },
    async failure(failure: Failure): Promise<void> {
      if (options.json)
        return errors.write(`${sanitizeJsonFor(errors, formatJson(failure, { change: redact }))}\n`, {
          isRedacted: true,
        });
      const style = await styleOf(errors);
      const { message, why, hint } = failure;
      const below = [...(why ? [why] : []), ...(hint ? hint.split('\n') : [])];
      const parts = [
        failurePrefix + sanitizeLine(message),
        ...below.map((line) => `  ${sanitizeLine(line)}`),
      ];
      const fittedText = await fit(errors, parts, failurePrefix.length);
      await errors.write(`${style.bad('wm:')}${fittedText.slice('wm:'.length)}\n`);
    },
  };
}

/** Prints to standard error, and redacts every text before it is shown. */
function createMessages(
  { errors, asTyped = (text) => text }: Streams,
  { results, secrets, pager, json }: ReportOptions,
) {
  const redact = (text: string) => asTyped(results === 'secrets' ? text : secrets.redact(text));
  /** Redact before wrapping: a secret that contains a line break would not be found. */
  const fit = async (output: Output, texts: readonly string[], hanging?: number): Promise<string> => {
    const lines = texts.map(asTyped);
    const width = widthOf(output);
    // True for nearly every line: shows that it fits, without measuring it.
    const fits = (line: string) => line.length <= width && /^[\x20-\x7e]*$/.test(line);
    if (!output.isTerminal || lines.every(fits)) return lines.join('\n');
    const { wrapMessage } = await import('./wrap-message.ts');
    return lines
      .flatMap((line, index) => wrapMessage(redact(line), width, index === 0 ? hanging : undefined))
      .join('\n');
  };
  /** Messages that would be written over the pager. Shown when it has ended. */
  const heldMessages: string[] = [];
  const isPaging = () => errors.isTerminal && pager?.isShown === true;
  /** For a program, each message is a line of JSON, like a failure. */
  const areJson = json && !errors.isTerminal;
  const write = async (
    text: string | Readonly<Record<string, string>>,
    kind: 'info' | 'warning' | 'trace' | 'details' = 'warning',
  ): Promise<void> => {
    if (areJson || typeof text !== 'string')
      return errors.write(`${formatJson({ [kind]: text }, { change: redact })}\n`, { isRedacted: true });
    if (isPaging()) return void heldMessages.push(text);
    await errors.write(
      `${await fit(errors, errors.isTerminal ? sanitizeLines(text).split('\n') : [text])}\n`,
    );
  };
  const warned = new Set<string>();
  const warnOnce = async (text: string) => {
    if (warned.has(text)) return;
    warned.add(text);
    await write(text);
  };
  const textOf = (text: string, place: string | (() => string)): string => {
    if (results !== undefined) return redact(text);
    const redactedText = secrets.redactCredentials(text);
    if (redactedText === text) return text;
    const source = secrets.redact(typeof place === 'string' ? place : place());
    void warnOnce(`${source} holds a token or a client secret: shown as [redacted].`);
    return redactedText;
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
      for (const text of heldMessages.splice(0)) await write(text);
    },
  };
}

function createResults(
  output: Output,
  styleOf: StyleOf,
  { now, pager, isWhole }: ReportOptions,
  messages: ReturnType<typeof createMessages>,
) {
  const { textOf } = messages;
  const jsonOf = (value: unknown, indent?: number) => formatJson(value, { indent, change: textOf });
  /** `time`: for a person, who reads times relative to it. */
  const cellOf = <R>({ title, cell }: Column<R>, record: R, time?: number) =>
    textOf(cell(record, time), () => {
      const { id } = Object(record);
      return typeof id === 'string' ? `${title} of ${id}` : title;
    });
  const writeRedacted = (text: string, options?: WriteOptions) =>
    output.write(`${text}\n`, { ...options, isRedacted: true });
  /** Indent for a person. A program gets one line per document. */
  const indent = output.isTerminal ? 2 : 0;
  const json = (value: unknown, options?: WriteOptions) =>
    writeRedacted(sanitizeJsonFor(output, jsonOf(value, indent)), options);

  const printTabSeparated = async <R>({ columns, records }: ReportedRecords<R>): Promise<void> => {
    const lines = records.map((record) =>
      columns.map((column) => escapeTabCell(cellOf(column, record))).join('\t'),
    );
    if (lines.length > 0) await writeRedacted(lines.join('\n'));
  };

  const toRows = <R>(columns: readonly Column<R>[], records: readonly R[]) =>
    records.map((record) => ({
      record,
      texts: columns.map((column) => sanitizeLine(cellOf(column, record, now()))),
    }));
  const write = (text: string) => output.write(text, { isRedacted: true });
  const terminal: PagedOutput = {
    write,
    get isReaderGone() {
      return output.isReaderGone ?? false;
    },
  };
  const throughPager = async (print: (paged: PagedOutput) => Promise<void>): Promise<void> => {
    if (pager === undefined) return print(terminal);
    const { printPaged } = await import('./paged-output.ts');
    try {
      await printPaged(pager, terminal, messages.write, print);
    } finally {
      await messages.showHeld();
    }
  };
  const printBlocks = async <R>({ columns, details = columns, records }: ReportedRecords<R>) => {
    const [{ drawBlock }, style] = await Promise.all([import('./table.ts'), styleOf(output)]);
    for (const row of toRows(details, records))
      await writeRedacted(drawBlock(details, row, widthOf(output), style));
  };

  /** Prints an array, byte for byte like `JSON.stringify`. After an error it is not closed. */
  const printJsonParts = async <R>(parts: AsyncIterable<ReportedRecords<R>>): Promise<void> => {
    const [lineBreak, gap] = output.isTerminal ? ['\n', '\n  '] : ['', ''];
    let start = '[';
    try {
      for await (const { raw } of parts) {
        const elements = raw.map((rawRecord) => sanitizeJsonFor(output, jsonOf(rawRecord, indent)));
        if (elements.length > 0) {
          const text = start + gap + elements.map((json) => json.replaceAll('\n', gap)).join(`,${gap}`);
          start = ',';
          await output.write(text, { isRedacted: true, isPartOfList: true });
        }
        if (output.isReaderGone) return;
      }
    } catch (error) {
      // A message follows on a terminal.
      if (output.isTerminal && start === ',') await write('\n');
      throw error;
    }
    const end = start === ',' ? `${lineBreak}]\n` : '[]\n';
    await output.write(end, { isRedacted: true, isPartOfList: true });
  };
  const printTableParts = async <R>(
    parts: AsyncIterable<ReportedRecords<R>> | Iterable<ReportedRecords<R>>,
    paged: PagedOutput,
  ): Promise<void> => {
    const [{ createGrowingTable }, style] = await Promise.all([import('./table.ts'), styleOf(output)]);
    const width = widthOf(output);
    let drawLines: ReturnType<typeof createLines> | undefined;
    // In a pager, fields have any length.
    const draw = createGrowingTable(width, style, paged === terminal ? undefined : Number.POSITIVE_INFINITY);
    for await (const { columns, records, ...part } of parts) {
      const rows = toRows(columns, records);
      const isOneLine = part.isOneLine && !isWhole;
      if (isOneLine) drawLines ??= (await import('./lines.ts')).createLines(width, style);
      if (rows.length > 0)
        await paged.write(`${(isOneLine && drawLines?.(columns, rows)) || draw(columns, rows)}\n`);
      if (paged.isReaderGone) return;
    }
  };
  const printTable = <R>(reported: ReportedRecords<R>, paged = terminal) =>
    printTableParts([reported], paged);

  return {
    jsonOf,
    json,
    writeRedacted,
    throughPager,
    printTabSeparated,
    printTable,
    printBlocks,
    printJsonParts,
    printTableParts,
  };
}

function sanitizeJsonFor(stream: Output, text: string): string {
  return stream.isTerminal ? sanitizeJson(text) : text;
}
