// The journal file of one bulk run: found by the input and the flags, locked by one process at a time, and replayed to resume an
// earlier run. While another process holds the lock, only that is reported.

import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { createJournal, firstVersionWithLines, type JournalHeader, journalVersion } from '#bulk/journal.ts';
import { lostTo, replayJournal } from '#bulk/journal-replay.ts';
import { createRowStates, rowState } from '#bulk/row-states.ts';
import { formatCount, shareOf } from '#cli/count-of.ts';
import { type Failure, toFailure, usageError } from '#failure.ts';
import { streamFile } from '#local-records/json-records.ts';
import { assertPrivateStateFolder } from '#login/private-folder.ts';
import type { HeldLock, World } from '#world/world.ts';
import { journalFolder, journalName, lockOf, oldJournalOf, readHeader } from './bulk-journal-place.ts';
import type { LeftRows, LeftRun, NewRun } from './left-rows.ts';

export type OpenJournal = Awaited<ReturnType<typeof openJournal>>;

/** What to do with the journal of an earlier run. */
export type Continuation = 'resume' | 'restart' | undefined;

interface JournalFileOptions extends NewRun {
  /** From --journal. */
  readonly path: string | undefined;
  /** An earlier input of the same name may have a journal in wm's own folder. */
  readonly isNamedFile: boolean;
  readonly rows: number;
  /** Rows name tasks by their titles: the survey returns the ids of the earlier run, and `open` stores the ids of this one. */
  readonly readsIds: boolean;
  readonly continuation: Continuation;
}

/** Identifies the input, the update and the account. Dates count as typed: `tomorrow` gives the same key on another day. */
export function bulkKey(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The name of a run in the undo log. */
export function runName({ key, started }: Pick<JournalHeader, 'key' | 'started'>): string {
  return `${key.slice(0, 32)}.${started}`;
}

/** Rejects with a usage failure if another wm has the journal. */
export async function lockJournal(lock: World['lock'], journal: string): Promise<HeldLock> {
  const path = lockOf(journal);
  const held = await lock.acquire(path, { timeoutMs: 0 });
  if (held) return held;
  const holder = await lock.holder(path);
  const name = holder === undefined ? 'Another wm' : `Another wm (pid ${holder.pid})`;
  throw usageError(`${name} is running this bulk update`, `Wait until it ends. Journal: ${journal}`);
}

export type JournalSurvey = Awaited<ReturnType<JournalClaim['survey']>>;

type Parts = Pick<World, 'clock' | 'files' | 'lock'>;

/** Exclusive use of a journal, from the survey until it is closed. The caller must release it. */
export class JournalClaim {
  readonly #world: Parts;
  readonly #options: JournalFileOptions;
  readonly #path: string;
  #lock: HeldLock | undefined;
  #isReleased = false;
  /** Unfinished runs whose journals are in wm's own folder. */
  #leftRuns: readonly LeftRun[] = [];
  /** Whether the journal of --journal has rows that an earlier run left. */
  #replacesUnfinished = false;

  constructor(world: Parts, options: JournalFileOptions) {
    this.#world = world;
    this.#options = options;
    this.#path =
      options.path ?? join(world.files.stateFolder, journalFolder, `${options.key.slice(0, 32)}.ndjson`);
  }

  /**
   * Changes nothing, but locks the journal if it exists. Rejects with a usage failure if it belongs to another bulk run, is
   * in use, or does not fit --resume and --restart.
   */
  async survey() {
    const { files } = this.#world;
    const path = this.#path;
    if (this.#options.path === undefined) await assertPrivateStateFolder(this.#world);
    if ((await files.kind(path)) === 'file') await this.#acquire().catch((error) => this.#fail(error));
    const ids = new Map<number, string>();
    const replay = await readReplay(files, path, this.#options.readsIds ? ids : undefined);
    const resumed = resumable(replay, path, this.#options);
    const left = await this.#findLeft();
    const isDiscarded =
      !this.#replacesUnfinished && replay && !resumed && !replay.isFinished && isTouched(replay);
    return {
      path,
      /** An earlier run that is resumed. */
      resumed,
      /** An unfinished earlier run whose journal is discarded. */
      discarded: isDiscarded ? replay : undefined,
      /** The rows that earlier runs left, if the input has changed since. The count is 0 if the new input has them all. */
      left,
      /** The ids of the resumed run by the lines of its rows, with `readsIds`. */
      ids,
    };
  }

  /**
   * Rejects like `survey`, which locked nothing if no journal existed. `now`: milliseconds since 1970; `ids`: entries with
   * the ids that all rows have now; `lost`: the lines of rows that count as sent although the journal has no entry of them.
   */
  async open(now: number, ids: readonly Uint8Array[], lost: readonly number[]): Promise<OpenJournal> {
    try {
      await this.#acquire();
      await this.#moveUnfinished();
      const opened = await openJournal(this.#world, this.#path, this.#options, { now, ids, lost }, () =>
        this.#releaseLock(),
      );
      await this.endLeft();
      return opened;
    } catch (error) {
      await this.#releaseLock();
      return this.#fail(error);
    }
  }

  /** Ends the runs that left rows, so that the next run does not name those rows again. */
  async endLeft(): Promise<void> {
    await this.#moveUnfinished();
    for (const run of this.#leftRuns) await run.end();
    await this.#releaseLeft();
  }

  /** Releases the lock, unless the journal was opened: then closing it does. */
  async release(): Promise<void> {
    this.#isReleased = true;
    await this.#releaseLeft();
    await this.#releaseLock();
  }

  async #findLeft(): Promise<readonly LeftRows[]> {
    const { continuation, path, isNamedFile } = this.#options;
    if (continuation !== 'resume') return [];
    const { findLeftRuns, readLeftRows } = await import('./left-rows.ts');
    if (path === undefined) {
      if (isNamedFile) this.#leftRuns = await findLeftRuns(this.#world, this.#options);
      return this.#leftRuns;
    }
    const left = await readLeftRows(this.#world.files, path, this.#options);
    if (!left) return [];
    await assertReplaceable(this.#world.files, oldJournalOf(path));
    this.#replacesUnfinished = true;
    return [left];
  }

  /** The old journal keeps the rows that were named. */
  async #moveUnfinished(): Promise<void> {
    if (this.#replacesUnfinished) await this.#world.files.moveIntoPlace(this.#path, oldJournalOf(this.#path));
    this.#replacesUnfinished = false;
  }

  async #releaseLeft(): Promise<void> {
    for (const run of this.#leftRuns) await run.release();
    this.#leftRuns = [];
  }

  async #acquire(): Promise<void> {
    this.#lock ??= await lockJournal(this.#world.lock, this.#path);
    // The user interrupted the wait.
    if (this.#isReleased) await this.#releaseLock();
  }

  /** Keeps the lock file: between its removal and the release of the lock, another wm could lock a file of the same name. */
  async #releaseLock(): Promise<void> {
    const lock = this.#lock;
    this.#lock = undefined;
    await lock?.release();
  }

  /** If the home folder is not writable, the hint is to store the journal elsewhere. */
  #fail(error: unknown): never {
    const failure = toFailure(error);
    if (failure.code !== 'other' || this.#options.path !== undefined) throw error;
    throw failure.with({
      hint: 'Nothing was sent. Store the journal of this run elsewhere, and do without undo: --journal FILE --no-undoable',
    });
  }
}

async function openJournal(
  { clock, files }: Parts,
  path: string,
  options: JournalFileOptions,
  {
    now,
    ids,
    lost,
  }: { readonly now: number; readonly ids: readonly Uint8Array[]; readonly lost: readonly number[] },
  release: () => Promise<void>,
) {
  const { key, command, rows, readsIds } = options;
  // Survey again: without a journal nothing was locked, and another wm may have run meanwhile.
  const resumed = resumable(await readReplay(files, path), path, options);
  const isWhole = resumed?.cleared?.to === 0;
  if (!isWhole) await files.removeLeftovers(path);
  // Also removes a first line that was cut off by a crash.
  if (!resumed) await files.remove(path);
  else if (!isWhole) await rewrite(files, path);
  const file = await files.append(path, { mode: 0o600 });
  const started = resumed ? resumed.header.started : now;
  const header: JournalHeader = {
    journal: journalName,
    version: journalVersion,
    key,
    rows,
    started,
    command,
  };
  // The last line may be torn, hence the line end. A title that no task had then may have one now.
  const start = resumed ? ['\n', ...(readsIds ? ids : [])] : [`${JSON.stringify(header)}\n`, ...ids];
  /** Without its first line, the next run would not recognise the journal. */
  const removeNew = async () => {
    if (!resumed || !isTouched(resumed)) await files.remove(path);
  };
  try {
    for (const part of start) file.write(part);
    if (!isWhole) await files.syncFolder(dirname(await files.realPath(path)));
  } catch (error) {
    await file.close();
    await removeNew();
    throw error;
  }
  const journal = createJournal(file, {
    bootId: files.bootId(),
    waitForWrites: () => clock.nextTurn(),
  });
  const states = resumed?.states ?? createRowStates(rows);
  for (const line of lost) {
    states.set(line, rowState.sent);
    // The next run may be of this start of the machine, and would not miss them.
    journal.sent(line);
  }
  return {
    path,
    journal,
    states,
    /** When the first run began, in milliseconds since 1970. */
    started,
    /** Identifies this run, among others of the same input; the same when it is resumed. */
    name: runName({ key, started }),
    /** Releases the lock even if the rest of the journal cannot be written, and then rejects. */
    async close() {
      try {
        await journal.close();
      } finally {
        if (journal.isLost) await removeNew().catch(() => {});
        await release();
      }
    },
  };
}

/**
 * A failed sync may have dropped entries from the disk that the system still returns, and no later sync writes them. So the disk gets
 * them anew before a row is sent, unless the earlier run saw all of its entries on the disk.
 */
async function rewrite(files: World['files'], path: string): Promise<void> {
  const bytes = await files.stream(path);
  if (bytes) await files.write(path, bytes, { mode: 0o600, keepsMode: true });
}

/** Throws a usage failure if the path holds something other than an older journal. */
async function assertReplaceable(files: World['files'], path: string): Promise<void> {
  if ((await files.kind(path)) === undefined || (await readHeader(files, path))) return;
  throw usageError(
    `${path} is not the journal of a bulk run`,
    'The journal of the earlier run would replace it: move it away, or name another file with --journal.',
  );
}

type EarlierRun = NonNullable<Awaited<ReturnType<typeof readReplay>>>;

async function readReplay(files: World['files'], path: string, ids?: Map<number, string>) {
  if ((await files.kind(path)) === undefined) return undefined;
  const bytes = await streamFile(files, path);
  const replay = bytes && (await replayJournal(bytes, journalName, ids ? { ids } : {}));
  if (replay) {
    const { cleared, states } = replay;
    const { updated, failed, unknown } = states.counts();
    // A row that is invalid needs no entry `may-send`.
    const isOlder = cleared === undefined && updated + failed + unknown > 0;
    return { ...replay, lostTo: lostTo(replay, files.bootId()), isOlder };
  }
  if ((await files.kind(path)) === 'file' && (await hasTornHeader(files, path))) return undefined;
  throw usageError(
    `${path} is not the journal of a bulk run`,
    'Name another file with --journal, or remove this one.',
  );
}

/** Longer than the first line. */
const maxHeaderBytes = 1024;

/**
 * A journal whose first line is cut off, by a full disk, a kill or a power cut, or is partly zero bytes, because the file system had
 * only allocated the space: nothing was sent from it. Something else may begin with zero bytes too, but has no line of ids.
 */
async function hasTornHeader(files: World['files'], path: string): Promise<boolean> {
  const file = await files.openForReading(path);
  if (!file) return false;
  const bytes = await file.read(0, maxHeaderBytes).finally(() => file.close());
  const text = Buffer.from(bytes).toString('latin1');
  const [line = ''] = text.split('\n', 1);
  const [written = ''] = line.split('\0', 1);
  const isCut = written !== line || (text === line && bytes.length < maxHeaderBytes);
  if (written === '') return isCut && (text.includes('\n{"ids":[') || (await isZero(files, path)));
  const start = `{"journal":"${journalName}"`;
  return isCut && (start.startsWith(written) || written.startsWith(start));
}

async function isZero(files: World['files'], path: string): Promise<boolean> {
  for await (const chunk of (await streamFile(files, path)) ?? [])
    if (chunk.some((byte) => byte !== 0)) return false;
  return true;
}

/** Whether a row was sent, or may have been, or has an outcome. */
function isTouched({ states, lostTo }: EarlierRun): boolean {
  return lostTo > 0 || states.final > 0 || states.counts().unknown > 0;
}

/** Undefined if a new run begins. Throws a usage failure if the user has to choose. */
function resumable(
  replay: EarlierRun | undefined,
  path: string,
  { key, command, rows, continuation }: JournalFileOptions,
): EarlierRun | undefined {
  if (!replay || continuation === 'restart' || replay.isFinished) return undefined;
  const isOther = replay.header.key !== key || replay.header.rows !== rows;
  const isCountedFromOne = replay.header.version < firstVersionWithLines;
  if (!isTouched(replay) && (isOther || isCountedFromOne)) return undefined;
  if (isOther) {
    const isSameCommand = replay.header.command === command;
    if (isSameCommand && continuation === 'resume') return undefined;
    throw otherBulkFailure(path, isSameCommand);
  }
  if (isCountedFromOne)
    throw usageError(
      `${path} was written by an older wm, which numbered rows differently`,
      'Finish that run with the wm that began it, or send every row again: --restart',
    );
  if (continuation === 'resume') return replay;
  if (!isTouched(replay)) return undefined;
  throw unfinishedRunFailure(replay);
}

function otherBulkFailure(path: string, isSameCommand: boolean): Failure {
  if (isSameCommand)
    return usageError(
      `${path} is the journal of a run with other rows, which is not finished`,
      'Start with the new rows, and have the unfinished ones named: --resume. Discard this journal: --restart',
    );
  return usageError(
    `${path} is the journal of another bulk run, which is not finished`,
    'A journal belongs to one input, its flags and its account. Name another file with --journal, or discard this one: --restart',
  );
}

function unfinishedRunFailure({ header, states, lostTo }: EarlierRun): Failure {
  const unknown = states.counts().unknown;
  const parts = [`${shareOf(states.final, header.rows, 'row', 'is')} done`];
  if (unknown > 0) parts.push(`${formatCount(unknown)} unknown`);
  if (lostTo > 0) parts.push('others may have been sent');
  if (states.unreported > 0) parts.push(`${formatCount(states.unreported)} not recorded as listed`);
  return usageError(
    `An earlier run of this bulk update ended early: ${parts.join(', ')}`,
    'Continue it: --resume. Start over, and send every row again: --restart',
  );
}
