// Saves what the service remembers in a data file: written at the start, a moment after every change and at the end, and
// read by the next start. A machine that fails in between loses that moment. Where the file cannot be written, the emulator
// goes on in memory, says so, and tries again. One emulator has the file at a time.

import { maxJsonDepth, parseJson } from '../../contract/json.ts';
import type { World } from '../../world/world.ts';
import type { ClockState } from './clock.ts';
import { type Snapshot, storeNames } from './store.ts';

export interface Persistence {
  /** Something is to be saved. */
  readonly scheduleSave: () => void;
  /** Why the file does not hold what it should: from a failed write until one that succeeds. */
  readonly fault: SaveFault | undefined;
  /** Saves now. */
  save(): Promise<SaveFault | undefined>;
  /** Saves what is not saved yet, for the last time. */
  close(): Promise<SaveFault | undefined>;
}

/** The data file could not be written, and is as it was after the last save. */
export interface SaveFault {
  readonly file: string;
  /** What the system said. */
  readonly detail: string;
  /** Milliseconds since 1970; nothing where this emulator has never saved it. */
  readonly lastSaved?: number;
}

/** Everything that is to outlive a restart. */
export interface PersistedState extends Snapshot {
  readonly clock: ClockState;
}

const format = 'wm-emulator-1';
/** Of lists and records around what a request has brought, as deep as that may be. */
const wrapperLevels = 16;
const saveDelayMs = 50;
/** After a failed write: twice as long each time. */
const retryMs = { first: 1_000, most: 30_000 };

/** One that is just ending has its file to write yet. */
const lockTimeoutMs = 1_000;

/** The lock of a data file. */
export function lockPath(path: string): string {
  return `${path}.lock`;
}

/**
 * Takes the file for this emulator alone; the result releases it. Nothing where another one has it. What a killed one has
 * left beside the file holds tokens and is of no use: it is removed.
 */
export async function lockDataFile(
  { files, lock }: Pick<World, 'files' | 'lock'>,
  path: string,
): Promise<(() => Promise<void>) | undefined> {
  const held = await lock.acquire(lockPath(path), { timeoutMs: lockTimeoutMs });
  if (held === undefined) return undefined;
  await files.removeLeftovers(path);
  // Its file stays: between its removal and the release of the lock, another one could lock a file of the same name. One
  // that cannot be closed locks nobody out for longer than this process lives.
  return () => held.release().catch(() => undefined);
}

type PersistenceWorld = Pick<World, 'clock'> & Pick<World, 'files'>;

export function createPersistence(
  { clock, files }: PersistenceWorld,
  path: string,
  content: () => PersistedState,
  log: (line: string) => void,
): Persistence {
  let isDirty = false;
  let isClosed = false;
  let cancel: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();
  let lastTook = 0;
  let lastSaved: number | undefined;
  let fault: SaveFault | undefined;
  let failures = 0;

  async function write(): Promise<void> {
    const began = clock.now();
    isDirty = false;
    try {
      await files.write(path, JSON.stringify({ format, ...content() }), { mode: 0o600 });
    } catch (error) {
      isDirty = true;
      failures += 1;
      report(error instanceof Error ? error.message : String(error));
      return;
    }
    lastTook = clock.now() - began;
    lastSaved = began;
    failures = 0;
    if (fault !== undefined) log(`${path} is saved again.`);
    fault = undefined;
  }

  function report(detail: string): void {
    // Once for each cause, not for each attempt. The first save and the last are the caller's to report.
    if (!isClosed && lastSaved !== undefined && fault?.detail !== detail)
      log(`${path} could not be saved: ${detail}. The emulator goes on in memory, and tries again.`);
    fault = { file: path, detail, ...(lastSaved === undefined ? {} : { lastSaved }) };
  }

  function save(): Promise<void> {
    cancel?.();
    cancel = undefined;
    writing = writing.then(write).then(() => {
      if (isDirty) schedule();
    });
    return writing;
  }

  function schedule(): void {
    if (isClosed || cancel !== undefined) return;
    // Much data takes long to write; most of the time is still for answering.
    const soon = Math.max(saveDelayMs, lastTook * 10);
    const later = Math.min(retryMs.first * 2 ** (failures - 1), retryMs.most);
    cancel = clock.after(failures === 0 ? soon : later, () => void save());
  }

  return {
    scheduleSave() {
      isDirty = true;
      schedule();
    },
    get fault() {
      return fault;
    },
    async save() {
      await save();
      return fault;
    },
    async close() {
      isClosed = true;
      cancel?.();
      await writing;
      if (isDirty) await save();
      return fault;
    },
  };
}

/** What a file holds; nothing where there is none. Throws where it is something else. */
export async function loadState(
  { files }: Pick<World, 'files'>,
  path: string,
): Promise<PersistedState | undefined> {
  const bytes = await files.read(path);
  if (bytes === undefined) return undefined;
  const content = parseJson(Buffer.from(bytes).toString('utf8'), maxJsonDepth + wrapperLevels);
  if (!isPersistedState(content)) throw new Error(`${path} is not the data of an emulator of this version`);
  return content;
}

/** Its own file is trusted to hold what it wrote; this tells it from any other. */
function isPersistedState(content: unknown): content is PersistedState {
  if (typeof content !== 'object' || content === null) return false;
  const members = new Map<string, unknown>(Object.entries(content));
  return (
    members.get('format') === format &&
    typeof members.get('clock') === 'object' &&
    storeNames.every((name) => Array.isArray(members.get(name)))
  );
}
