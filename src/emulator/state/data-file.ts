// The data file: locks it, and reads the state. Its first line is the state as JSON; each further line has what changed after it, until
// the file is written whole again. A last line that a crash cut off, or left without its bytes, does not count.

import { dirname } from 'node:path';
import { maxJsonDepth, parseJson } from '#contract/json.ts';
import type { World } from '#world/world.ts';
import type { ClockState } from './clock.ts';
import { errorMessage } from './error-message.ts';
import { type List, type Snapshot, type StoredWebhook, storeNames } from './store.ts';

export interface PersistedState extends Snapshot {
  readonly clock: ClockState;
}

/** What changed after the previous line: records, and the ids of removed ones. */
export type SavedChanges = { readonly clock: ClockState } & {
  readonly [L in List]?: readonly (string | { readonly id: string })[];
};

const format = 'wm-emulator-1';

export const formatState = (state: PersistedState): string => `${JSON.stringify({ format, ...state })}\n`;

/** How much deeper the file nests values of requests, which may have the maximum depth themselves. */
const wrapperLevels = 16;

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
    return { path: file, files, ...(await loadState({ files }, path)), release };
  } catch (error) {
    await release?.();
    return { fault: 'failed' as const, detail: errorMessage(error) };
  }
}

/**
 * Throws if it is not a data file of this version. `bytes`: the size of the file, if changes can be appended to it. After a crash
 * they cannot: the system may have dropped a line that is still read, and then a power cut would leave zeros before the next one.
 */
async function loadState(
  { files }: Pick<World, 'files'>,
  path: string,
): Promise<{ readonly state: PersistedState | undefined; readonly bytes: number | undefined }> {
  const bytes = await files.read(path);
  if (bytes === undefined) return { state: undefined, bytes: undefined };
  const text = Buffer.from(bytes).toString('utf8');
  // A user may have edited the file, and laid it out on several lines, or left empty ones.
  const isInLines = text.startsWith(`{"format":"${format}"`) && /^.*\}\r?(?:\n|$)/.test(text);
  const [first = '', ...lines] = isInLines ? text.split('\n') : [text];
  const isWhole = isInLines && text.endsWith('\n') && lines.every((line) => line.trim() === '');
  lines.pop();
  if (lines.at(-1)?.includes('\0')) lines.pop();
  let content: PersistedState & { readonly format: unknown };
  let changes: readonly SavedChanges[];
  try {
    // Older files do not have these lists.
    content = { dependencies: [], timelogCategories: [], groups: [], ...Object(parse(first)) };
    // The emulator wrote each of these lines as a whole.
    changes = lines.filter((line) => line.trim() !== '').map((line) => parse(line) as SavedChanges);
  } catch {
    throw new Error(`${path} is not a data file of the emulator. A seed belongs to --seed`);
  }
  // A data file is recognized by its outline; its contents are trusted.
  const hasLists = storeNames.every((name) => Array.isArray(content[name]));
  if (content.format !== format || typeof content.clock !== 'object' || !hasLists)
    throw new Error(`${path} is not a data file of this version of the emulator`);
  const state = withChanges(content, changes);
  return {
    state: { ...state, webhooks: state.webhooks.map(withPlace) },
    bytes: isWhole ? bytes.length : undefined,
  };
}

const parse = (text: string) => parseJson(text, maxJsonDepth + wrapperLevels);

function withChanges(state: PersistedState, lines: readonly SavedChanges[]): PersistedState {
  const lists = storeNames.flatMap((name) => {
    const changes = lines.flatMap((line) => line[name] ?? []);
    if (changes.length === 0) return [];
    const records = new Map<string, { readonly id: string }>(
      state[name].map((record) => [record.id, record]),
    );
    for (const change of changes)
      if (typeof change === 'string') records.delete(change);
      else records.set(change.id, change);
    return [[name, [...records.values()]]];
  });
  return { ...state, ...Object.fromEntries(lists), clock: lines.at(-1)?.clock ?? state.clock };
}

/** Older files name the place of a webhook by its scope. */
function withPlace(stored: StoredWebhook & { readonly scope?: string; readonly placeId?: string }) {
  const { scope, placeId, ...webhook } = stored;
  return placeId === undefined ? webhook : { ...webhook, [`${scope}Id`]: placeId };
}
