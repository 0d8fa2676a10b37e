// Saves the state in a data file: at the start, shortly after each change, and at the end. A crash loses only the changes since the
// last save. If a write fails, the emulator warns, continues in memory, and retries.

import type { World } from '#world/world.ts';
import type { EmulatorClock } from './clock.ts';
import { formatState, type SavedChanges } from './data-file.ts';
import { errorMessage } from './error-message.ts';
import { type List, type Store, takeSnapshot } from './store.ts';

export type Persistence = ReturnType<typeof createPersistence>;

/** The data file could not be written, and still has the state of the last save. */
export interface SaveFault {
  readonly file: string;
  /** The system's error message. */
  readonly detail: string;
  /** Milliseconds since 1970: when it was last written, or loaded if it has not been written since. */
  readonly lastSaved: number;
}

const saveDelayMs = 50;
/** A slow disk leaves most of the time for requests, up to this delay. */
const maxSaveDelayMs = 1_000;
/** The backoff after a failed write. */
const retryMs = { first: 1_000, most: 30_000 };
/** A smaller file is written whole each time, in a few milliseconds, and so is JSON that any program reads. */
const appendsFromBytes = 1_000_000;

interface DataFile {
  readonly path: string;
  /** Its size, if it was read and changes can be appended to it. */
  readonly bytes: number | undefined;
}

interface State {
  readonly store: Store;
  readonly clock: Pick<EmulatorClock, 'state'>;
}

export function createPersistence(
  { clock, files }: Pick<World, 'clock' | 'files'>,
  { path, bytes: loadedBytes = 0 }: DataFile,
  state: State,
  log: (line: string) => void,
) {
  const unsaved = createUnsaved(state);
  const file = createAppendableFile(files, path, loadedBytes);
  let isDirty = false;
  let isClosed = false;
  let cancel: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();
  let lastDurationMs = 0;
  let hasSaved = false;
  let lastSaved = clock.now();
  let fault: SaveFault | undefined;
  let failures = 0;

  const writeWhole = () =>
    file.replace(formatState({ ...takeSnapshot(state.store), clock: state.clock.state }));

  async function write(): Promise<void> {
    const startedAt = clock.now();
    isDirty = false;
    try {
      const changes = unsaved.take();
      if (changes === undefined || !(await file.append(`${JSON.stringify(changes)}\n`))) await writeWhole();
    } catch (error) {
      isDirty = true;
      failures += 1;
      const detail = errorMessage(error);
      // Once for each cause, not for each attempt. The caller reports failures of the first and the last save.
      if (!isClosed && hasSaved && fault?.detail !== detail)
        log(`${path} could not be saved: ${detail}. The emulator continues in memory and will retry.`);
      fault = { file: path, detail, lastSaved };
      return;
    }
    lastDurationMs = clock.now() - startedAt;
    hasSaved = true;
    lastSaved = startedAt;
    failures = 0;
    if (fault !== undefined) log(`${path} is saved again.`);
    fault = undefined;
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
    const delayMs = Math.min(Math.max(saveDelayMs, lastDurationMs * 10), maxSaveDelayMs);
    const backoffMs = Math.min(retryMs.first * 2 ** (failures - 1), retryMs.most);
    cancel = clock.after(failures === 0 ? delayMs : backoffMs, () => void save());
  }

  function scheduleSave(): void {
    isDirty = true;
    schedule();
  }

  return {
    /** To be called with each change of the store. */
    noteChange(list: List, id?: string) {
      unsaved.add(list, id);
      scheduleSave();
    },
    /** Saves what is not in the store: the clock. */
    scheduleSave,
    /** Why the last write failed; undefined if it succeeded. */
    get fault() {
      return fault;
    },
    async save() {
      await save();
      return fault;
    },
    /** Saves for the last time, if anything changed, and leaves a file without appended changes. */
    async close() {
      isClosed = true;
      cancel?.();
      await writing;
      if (isDirty) await save();
      // Without it, nothing is lost: the next start reads them.
      if (fault === undefined && file.hasChanges) await writeWhole().catch(() => undefined);
      return fault;
    },
  };
}

/** The ids of the records that changed since the last save, by list. */
function createUnsaved({ store, clock }: State) {
  let lists = new Map<List, Set<string>>();
  let isAll = false;
  return {
    add(list: List, id?: string) {
      if (id === undefined) isAll = true;
      else lists.set(list, (lists.get(list) ?? new Set()).add(id));
    },
    /** Undefined if a list was cleared. */
    take(): SavedChanges | undefined {
      const changes = [...lists].map(([list, ids]) => [
        list,
        Array.from(ids, (id) => store[list].get(id) ?? id),
      ]);
      const all = isAll;
      lists = new Map();
      isAll = false;
      return all ? undefined : { clock: clock.state, ...Object.fromEntries(changes) };
    },
  };
}

/** A file to which changes are appended until they are as large as the rest: the cost of a change then does not depend on its size. */
function createAppendableFile(files: World['files'], path: string, loadedBytes: number) {
  let wholeBytes = loadedBytes;
  let bytes = loadedBytes;
  return {
    get hasChanges() {
      return bytes > wholeBytes;
    },
    async replace(text: string) {
      bytes = Number.POSITIVE_INFINITY;
      await files.write(path, text, { mode: 0o600 });
      wholeBytes = bytes = Buffer.byteLength(text);
    },
    /** False if the file has to be replaced: also after an error, and if another program has changed it. */
    async append(line: string): Promise<boolean> {
      const [before, after] = [bytes, bytes + Buffer.byteLength(line)];
      bytes = Number.POSITIVE_INFINITY;
      if (wholeBytes < appendsFromBytes || after > wholeBytes * 2) return false;
      const file = await files.append(path, { mode: 0o600 });
      try {
        if (file.size !== before) return false;
        file.write(line);
        await file.sync();
      } finally {
        await file.close();
      }
      bytes = after;
      return true;
    },
  };
}
