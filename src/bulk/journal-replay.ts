// Replays the journal of an earlier run: which rows have an outcome, which of them were reported, and which were sent
// without a response. Lines that a crash tore are skipped: they had not been synced, so nothing was reported from them.

import { isJsonObject, type JsonObject, parseJsonIfValid } from '#contract/json.ts';
import { choice, number, object, optional, text, unlessInvalid } from '#contract/schema.ts';
import { decodeLines } from './decode-lines.ts';
import { type JournalHeader, journalVersion } from './journal.ts';
import type { RecordedError } from './row.ts';
import { createRowStates, type RowState, type RowStates, rowState } from './row-states.ts';

type JournalReplay = NonNullable<Awaited<ReturnType<typeof replayJournal>>>;

/** The contents of the entries of `formatIds`, by the lines of the rows. */
interface RecordedRows {
  readonly ids?: Map<number, string>;
  /** Digests of what each row changes. An older version did not record them. */
  readonly changes?: Map<number, string>;
}

interface ReplayState {
  readonly states: RowStates;
  readonly rows: RecordedRows;
  /** There is nothing to resume. */
  isFinished: boolean;
  /**
   * Rows that begin on a line up to `to` may have been sent, whatever else the journal says. `bootId`: of that start of the machine, if
   * known. Undefined in a journal of an older wm.
   */
  cleared: { readonly to: number; readonly bootId: string | undefined } | undefined;
}

/**
 * Returns undefined if the file's header does not name this `journal`; rejects if the file cannot be read. Adds to `rows`
 * what the journal has.
 */
export async function replayJournal(
  bytes: AsyncIterable<Uint8Array>,
  journal: string,
  rows: RecordedRows = {},
) {
  let header: JournalHeader | undefined;
  let replay: ReplayState | undefined;
  for await (const chunk of decodeLines(bytes))
    for (const line of chunk.text.split('\n').slice(0, -1)) {
      const value = parseJsonIfValid(line);
      if (replay) applyEntry(replay, value);
      else {
        header = parseHeader(value, journal);
        if (!header) return undefined;
        replay = { states: createRowStates(header.rows), rows, isFinished: false, cleared: undefined };
      }
    }
  if (!header || !replay) return undefined;
  const { states, cleared } = replay;
  // Version 1 had no entry for it.
  const isFinished = header.version === 1 ? states.final >= header.rows : replay.isFinished;
  return { header, states, isFinished, cleared };
}

/**
 * The last line of which a row may have been sent although a power cut took its entry; 0 if the journal has all entries, because the
 * run ended by itself, or the machine has not been off since.
 */
export function lostTo({ cleared }: Pick<JournalReplay, 'cleared'>, bootId: string | undefined): number {
  if (!cleared || (bootId !== undefined && cleared.bootId === bootId)) return 0;
  return cleared.to;
}

/** Reads only the first line. Returns undefined and rejects as {@link replayJournal} does. */
export async function readJournalHeader(
  bytes: AsyncIterable<Uint8Array>,
  journal: string,
): Promise<JournalHeader | undefined> {
  for await (const chunk of decodeLines(bytes))
    return parseHeader(parseJsonIfValid(chunk.text.replace(/\n.*/s, '')), journal);
  return undefined;
}

function parseHeader(value: unknown, journal: string): JournalHeader | undefined {
  const schema = object('journal header', {
    journal: choice('journal', [journal]),
    version: number('version', { from: 1, below: journalVersion + 1 }),
    key: text('key'),
    rows: number('rows', { from: 0 }),
    started: number('started'),
    command: optional(text('command')),
  });
  return unlessInvalid(() => schema.validate(value));
}

/** By the first member of an entry, the state of the row that it names. `done` and `unsent` are the words of versions 1 and 2. */
const wordStates = new Map<string | undefined, RowState>([
  ['sent', rowState.sent],
  ['updated', rowState.updated],
  ['done', rowState.updated],
  ['not-sent', rowState.notSent],
  ['unsent', rowState.notSent],
]);

/** Skips unknown entries. */
function applyEntry(replay: ReplayState, entry: unknown): void {
  if (!isJsonObject(entry)) return;
  const { states, rows } = replay;
  const [[word, value] = []] = Object.entries(entry);
  const state = wordStates.get(word);
  if (word === 'finished') replay.isFinished = true;
  else if (word === 'ids') readRows(entry, rows);
  else if (word === 'may-send' && typeof value === 'number')
    replay.cleared = { to: value, bootId: typeof entry['boot'] === 'string' ? entry['boot'] : undefined };
  else if (word === 'reported' && Array.isArray(value)) {
    for (const line of value) if (isLine(line)) states.setReported(line);
  } else if (!isLine(value)) return;
  else if (state !== undefined) states.set(value, state);
  else if (word === 'failed' || word === 'invalid') {
    const error = parseError(word === 'invalid' ? { ...entry, code: 'usage' } : entry);
    states.set(value, error.code === 'usage' ? rowState.invalid : rowState.failed);
    states.errors.set(value, error);
  }
}

/** Adds an entry of `formatIds`. */
export function readRows(entry: object, rows: RecordedRows): void {
  for (const [name, pairs] of Object.entries<unknown>({ ...entry })) {
    const target = name === 'ids' || name === 'changes' ? rows[name] : undefined;
    if (!target || !Array.isArray(pairs)) continue;
    for (let index = 0; index < pairs.length; index += 2)
      if (isLine(pairs[index])) target.set(pairs[index], String(pairs[index + 1]));
  }
}

function isLine(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value < 2 ** 31;
}

/** `why` is the name of versions 1 and 2. */
function parseError({ message, why = '', code, httpStatus }: JsonObject): RecordedError {
  return {
    message: String(message ?? why),
    ...(code === undefined ? {} : { code: String(code) }),
    httpStatus: typeof httpStatus === 'number' ? httpStatus : undefined,
  };
}
