// What a journal says of an earlier run: which rows had a response, which of them were reported, and which were sent
// without a response. Lines that a crash tore are skipped: they had not been synced, so nothing was reported from them.

import { parseJsonIfValid } from '../contract/json.ts';
import { choice, number, object, text, ValidationError } from '../contract/schema.ts';
import { decodeLinesLeniently } from './decode-lines.ts';
import { type JournalHeader, journalVersion, type RecordedError } from './journal.ts';
import { createRowStates, type RowState, type RowStates, rowState } from './row-states.ts';

export interface JournalReplay {
  readonly header: JournalHeader;
  readonly states: RowStates;
  /** Why rows failed, by their lines. */
  readonly reasons: ReadonlyMap<number, RecordedError>;
  /** The file ends in the middle of a line. */
  readonly isTorn: boolean;
  /** Nothing of it is left to be resumed. */
  readonly isFinished: boolean;
}

const headerSchema = object('journal header', {
  journal: choice('journal', ['wm task update']),
  version: number('version', { from: 1, below: journalVersion + 1 }),
  key: text('key'),
  rows: number('rows', { from: 0 }),
  started: number('started'),
});

interface ReplayState {
  readonly states: RowStates;
  readonly reasons: Map<number, RecordedError>;
  isFinished: boolean;
}

/** Nothing where the file is no journal of a bulk. */
export async function replayJournal(bytes: AsyncIterable<Uint8Array>): Promise<JournalReplay | undefined> {
  let header: JournalHeader | undefined;
  let noted: ReplayState | undefined;
  let isTorn = false;
  for await (const piece of decodeLinesLeniently(bytes)) {
    const lines = piece.text.split('\n');
    isTorn = lines.pop() !== '';
    for (const line of lines) {
      const value = parseJsonIfValid(line);
      if (noted) applyEntry(noted, value);
      else {
        header = parseHeader(value);
        if (!header) return undefined;
        noted = { states: createRowStates(header.rows), reasons: new Map(), isFinished: false };
      }
    }
  }
  if (!header || !noted) return undefined;
  const { states, reasons } = noted;
  const answered = states.count(rowState.updated) + states.count(rowState.failed);
  // The first version did not say so.
  const isFinished = header.version === 1 ? answered >= header.rows : noted.isFinished;
  return { header, states, reasons, isTorn, isFinished };
}

/** The first line alone; nothing where it is none of a journal. */
export async function readJournalHeader(
  bytes: AsyncIterable<Uint8Array>,
): Promise<JournalHeader | undefined> {
  for await (const piece of decodeLinesLeniently(bytes))
    return parseHeader(parseJsonIfValid(piece.text.split('\n', 1)[0] ?? ''));
  return undefined;
}

function parseHeader(value: unknown): JournalHeader | undefined {
  try {
    const { journal, version, key, rows, started } = headerSchema.validate(value);
    return { journal, version, key, rows, started };
  } catch (error) {
    if (error instanceof ValidationError) return undefined;
    throw error;
  }
}

function applyEntry(noted: ReplayState, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { states, reasons } = noted;
  const set = (line: unknown, to: RowState) => {
    if (isLine(line)) states.set(line, to);
  };
  if ('sent' in value) set(value.sent, rowState.sent);
  else if ('done' in value) set(value.done, rowState.updated);
  else if ('failed' in value) {
    set(value.failed, rowState.failed);
    if (isLine(value.failed)) reasons.set(value.failed, parseReason(value));
  } else if ('unsent' in value) set(value.unsent, rowState.notSent);
  else if ('reported' in value && Array.isArray(value.reported)) {
    const lines: readonly unknown[] = value.reported;
    for (const line of lines) if (isLine(line)) states.setReported(line);
  } else if ('finished' in value) noted.isFinished = true;
}

function isLine(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value < 2 ** 31;
}

function parseReason(value: object): RecordedError {
  const httpStatus =
    'httpStatus' in value && typeof value.httpStatus === 'number' ? value.httpStatus : undefined;
  return {
    message: 'why' in value ? String(value.why) : '',
    ...('code' in value ? { code: String(value.code) } : {}),
    httpStatus,
  };
}
