// How results and failures look: tables or labelled lines on a terminal, tab-separated lines in a pipe, JSON where it
// was asked for. Results go to standard output, everything else to standard error.

import type { Failure } from '../failure.ts';
import type { Output, Secrets, Streams } from '../world/world.ts';
import { safeJson, safeLine, tabCell } from './safe.ts';
import type { Style } from './style.ts';
import type { Column } from './table.ts';

export interface ReportOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** A cell is redacted before a table breaks it over lines, a value before it is escaped. */
  readonly secrets: Pick<Secrets, 'redact' | 'redactJson'>;
  readonly showsSecrets?: true;
}

/** One result or several, and the JSON they are when that is asked for. */
export interface Shown<R> {
  readonly columns: readonly Column<R>[];
  /** For a single record on a terminal, where there is room for more than the columns. */
  readonly lines?: readonly Column<R>[];
  readonly records: readonly R[];
  /** The records as the service sent them. */
  readonly raw: readonly unknown[];
}

export interface Report {
  /** An array in JSON; a table on a terminal; a line each, tab-separated, in a pipe. */
  list<R>(shown: Shown<R>): Promise<void>;
  /**
   * For a command that takes `ID...`: in JSON one compact object per line, even for a single id, so that its output
   * does not depend on how many ids it got. A tab-separated line each in a pipe. On a terminal a single record is a
   * block of names and values, several are a table. No record prints nothing.
   */
  each<R>(shown: Shown<R>): Promise<void>;
  /** One record: an object in JSON; a label and a value a line on a terminal; one tab-separated line in a pipe. */
  one<R>(shown: Shown<R>): Promise<void>;
  /** A line of result that is not a record. */
  line(text: string): Promise<void>;
  json(value: unknown): Promise<void>;
  /** For the person watching: on standard error, unless --quiet. */
  say(text: string): Promise<void>;
  /** Even with --quiet. */
  warn(text: string): Promise<void>;
  /**
   * A record for the person watching, on standard error: a block of names and values on a terminal, indented lines
   * elsewhere. `always`: even with --quiet.
   */
  details<R>(lines: readonly Column<R>[], record: R, always?: boolean): Promise<void>;
  /** Only with --verbose. */
  trace(text: string): void;
  failure(failure: Failure): Promise<void>;
  /** The same, for results whose purpose it is to show a secret. */
  showing(): Report;
  readonly wantsJson: boolean;
  /** With --quiet: `say` says nothing. */
  readonly isQuiet: boolean;
}

const defaultWidth = 80;

/** Where each stream's colours are decided apart: a result may be piped while the talk is on a terminal. */
export interface Styles {
  output(): Promise<Style>;
  errors(): Promise<Style>;
}

export function createReport(streams: Streams, styles: Styles, options: ReportOptions): Report {
  const { output, errors } = streams;
  const redact = (text: string) => (options.showsSecrets ? text : options.secrets.redact(text));
  const jsonOf = (value: unknown, indent?: number) =>
    options.showsSecrets ? JSON.stringify(value, null, indent) : options.secrets.redactJson(value, indent);
  /** What is safe already, or goes nowhere near a terminal. */
  const put = (text: string) => output.write(`${text}\n`, { showsSecrets: options.showsSecrets === true });
  const putRedacted = (text: string) => output.write(`${text}\n`, { isRedacted: true });
  const talk = (text: string) => errors.write(`${errors.isTerminal ? safeLines(text) : text}\n`);
  const json = (value: unknown) => putRedacted(jsonFor(output, jsonOf(value, 2)));

  const tabbed = async <R>({ columns, records }: Shown<R>): Promise<void> => {
    const lines = records.map((record) =>
      columns.map((column) => tabCell(redact(column.cell(record)))).join('\t'),
    );
    if (lines.length > 0) await putRedacted(lines.join('\n'));
  };

  const rowsOf = <R>(columns: readonly Column<R>[], records: readonly R[]) =>
    records.map((record) => ({
      record,
      texts: columns.map((column) => safeLine(redact(column.cell(record)))),
    }));
  const table = async <R>({ columns, records }: Shown<R>): Promise<void> => {
    if (records.length === 0) return;
    const [{ drawTable }, style] = await Promise.all([import('./table.ts'), styles.output()]);
    await put(drawTable(columns, rowsOf(columns, records), output.columns || defaultWidth, style));
  };
  const block = async <R>({ columns, lines = columns, records }: Shown<R>): Promise<void> => {
    const [{ drawBlock }, style] = await Promise.all([import('./table.ts'), styles.output()]);
    for (const record of records) {
      // What a single record does not have is not missed; in a list it stands there, empty.
      const filled = lines.filter((line) => safeLine(line.cell(record)) !== '');
      for (const row of rowsOf(filled, [record]))
        await put(drawBlock(filled, row, output.columns || defaultWidth, style));
    }
  };

  return {
    wantsJson: options.json,
    isQuiet: options.quiet,
    showing: () => createReport(streams, styles, { ...options, showsSecrets: true }),
    async list(shown) {
      if (options.json) return json(shown.raw);
      if (!output.isTerminal) return tabbed(shown);
      await table(shown);
    },
    async each(shown) {
      if (options.json) {
        const lines = shown.raw.map((one) => jsonFor(output, jsonOf(one)));
        if (lines.length > 0) await putRedacted(lines.join('\n'));
        return;
      }
      if (!output.isTerminal) return tabbed(shown);
      await (shown.records.length > 1 ? table(shown) : block(shown));
    },
    async one(shown) {
      if (options.json) return json(shown.raw[0] ?? null);
      if (!output.isTerminal) return tabbed(shown);
      await block(shown);
    },
    line: (text) => put(output.isTerminal ? safeLines(text) : text),
    json,
    async say(text) {
      if (!options.quiet) await talk(text);
    },
    warn: talk,
    async details(lines, record, always = false) {
      if (options.quiet && !always) return;
      const filled = lines.filter((line) => safeLine(line.cell(record)) !== '');
      if (filled.length === 0) return;
      if (!errors.isTerminal) {
        const widest = Math.max(...filled.map(({ title }) => title.length));
        for (const { title, cell } of filled) await talk(`  ${title.padEnd(widest)}  ${cell(record)}`);
        return;
      }
      const [{ drawBlock }, style] = await Promise.all([import('./table.ts'), styles.errors()]);
      for (const row of rowsOf(filled, [record]))
        await errors.write(`${drawBlock(filled, row, errors.columns || defaultWidth, style)}\n`);
    },
    trace(text) {
      if (options.verbose) void talk(text);
    },
    async failure(failure) {
      if (options.json) return errors.write(`${jsonFor(errors, jsonOf(failure))}\n`, { isRedacted: true });
      const looks = await styles.errors();
      const parts = [`${looks.bad('wm:')} ${safeLine(failure.message)}`];
      if (failure.why) parts.push(`  ${safeLine(failure.why)}`);
      if (failure.hint) parts.push(...failure.hint.split('\n').map((one) => `  ${safeLine(one)}`));
      await errors.write(`${parts.join('\n')}\n`);
    },
  };
}

function jsonFor(stream: Output, text: string): string {
  return stream.isTerminal ? safeJson(text) : text;
}

/** Several lines of our own, in which a value from elsewhere may stand. */
function safeLines(text: string): string {
  return text.split('\n').map(safeLine).join('\n');
}
