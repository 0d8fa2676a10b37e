// Saves the state in a data file: at the start, shortly after each change, and at the end. A crash loses only the changes since the
// last save. If a write fails, the emulator warns, continues in memory, and retries. A lock keeps other emulators out.

import { dirname } from 'node:path';
import { maxJsonDepth, parseJson } from '#contract/json.ts';
import type { World } from '#world/world.ts';
import type { ClockState } from './clock.ts';
import { errorMessage } from './error-message.ts';
import { type Snapshot, type StoredWebhook, storeNames } from './store.ts';

export type Persistence = ReturnType<typeof createPersistence>;

/** The data file could not be written, and still has the state of the last save. */
export interface SaveFault {
  readonly file: string;
  /** The system's error message. */
  readonly detail: string;
  /** Milliseconds since 1970: when it was last written, or loaded if it has not been written since. */
  readonly lastSaved: number;
}

export interface PersistedState extends Snapshot {
  readonly clock: ClockState;
}

const format = 'wm-emulator-1';
/** How much deeper the file nests values of requests, which may have the maximum depth themselves. */
const wrapperLevels = 16;
const saveDelayMs = 50;
/** The backoff after a failed write. */
const retryMs = { first: 1_000, most: 30_000 };

/** Locks the data file and loads its state. Returns undefined without a path, and a fault if the file cannot be used. */
export async function openDataFile(
  { files, lock }: Partial<Pick<World, 'files' | 'lock'>>,
  path: string | undefined,
) {
  if (path === undefined) return undefined;
  let release: (() => Promise<void>) | undefined;
  try {
    if (files === undefined || lock === undefined) throw new Error('a data file needs `files` and `lock`');
    // Without symbolic links, so that every name of the file has the same lock.
    const file = await files.realPath(path);
    const kind = await files.kind(file);
    if (kind !== undefined && kind !== 'file') throw new Error('it is not a file');
    // Saving would create a misspelt folder, and the user would not find the data.
    const folder = dirname(file);
    if (kind === undefined && (await files.kind(folder)) === undefined)
      throw new Error(`the folder ${folder} does not exist: create it, or correct the path`);
    // Saving replaces the file, so that hard links to it would then name different files.
    if ((await files.linkCount(file)) > 1)
      throw new Error('it has a hard link, which saving would detach: use a copy');
    const lockPath = `${file}.lock`;
    // An emulator that is ending still writes its file.
    const handle = await lock.acquire(lockPath, { timeoutMs: 1_000 });
    if (handle === undefined) {
      const holder = await lock.holder(lockPath);
      throw new Error(`another emulator ${holder ? `(process ${holder.pid}) ` : ''}is using it`);
    }
    // The lock file stays: if it were removed, another emulator could lock a new file of the same name before this lock is
    // released. A lock that cannot be released ends with the process.
    release = () => handle.release().catch(() => undefined);
    // Those of a killed emulator contain tokens.
    await files.removeLeftovers(file);
    return { file, files, state: await loadState({ files }, path), release };
  } catch (error) {
    await release?.();
    return { fault: 'failed' as const, detail: errorMessage(error) };
  }
}

export function createPersistence(
  { clock, files }: Pick<World, 'clock' | 'files'>,
  path: string,
  content: () => PersistedState,
  log: (line: string) => void,
) {
  let isDirty = false;
  let isClosed = false;
  let cancel: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();
  let lastDurationMs = 0;
  let hasSaved = false;
  let lastSaved = clock.now();
  let fault: SaveFault | undefined;
  let failures = 0;

  async function write(): Promise<void> {
    const startedAt = clock.now();
    isDirty = false;
    try {
      await files.write(path, JSON.stringify({ format, ...content() }), { mode: 0o600 });
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
    // A large file takes long to write; leave most of the time for requests.
    const delayMs = Math.max(saveDelayMs, lastDurationMs * 10);
    const backoffMs = Math.min(retryMs.first * 2 ** (failures - 1), retryMs.most);
    cancel = clock.after(failures === 0 ? delayMs : backoffMs, () => void save());
  }

  return {
    scheduleSave() {
      isDirty = true;
      schedule();
    },
    /** Why the last write failed; undefined if it succeeded. */
    get fault() {
      return fault;
    },
    async save() {
      await save();
      return fault;
    },
    /** Saves for the last time, if anything changed. */
    async close() {
      isClosed = true;
      cancel?.();
      await writing;
      if (isDirty) await save();
      return fault;
    },
  };
}

/** The state in a file; undefined if the file does not exist. Throws if it is not a data file of this version. */
async function loadState({ files }: Pick<World, 'files'>, path: string): Promise<PersistedState | undefined> {
  const bytes = await files.read(path);
  if (bytes === undefined) return undefined;
  let content: PersistedState & { readonly format: unknown };
  try {
    const decoded = parseJson(Buffer.from(bytes).toString('utf8'), maxJsonDepth + wrapperLevels);
    // Older files do not have these lists.
    content = { dependencies: [], timelogCategories: [], groups: [], ...Object(decoded) };
  } catch {
    throw new Error(`${path} is not a data file of the emulator. A seed belongs to --seed`);
  }
  // A data file is recognized by its outline; its contents are trusted.
  const hasLists = storeNames.every((name) => Array.isArray(content[name]));
  if (content.format !== format || typeof content.clock !== 'object' || !hasLists)
    throw new Error(`${path} is not a data file of this version of the emulator`);
  return { ...content, webhooks: content.webhooks.map(withPlace) };
}

/** Older files name the place of a webhook by its scope. */
function withPlace(stored: StoredWebhook & { readonly scope?: string; readonly placeId?: string }) {
  const { scope, placeId, ...webhook } = stored;
  return placeId === undefined ? webhook : { ...webhook, [`${scope}Id`]: placeId };
}
