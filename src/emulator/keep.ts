// Keeps what the service remembers in a file: read at the start, written a moment after every change and at the end. A
// machine that fails in between loses that moment. One emulator has it at a time.

import { parseJson } from '../contract/json.ts';
import type { World } from '../world/world.ts';
import type { ClockState } from './clock.ts';
import { type Snapshot, storeNames } from './store.ts';

export interface Keeper {
  /** Something is to be written. */
  readonly changed: () => void;
  /** Writes what is not written yet. */
  close(): Promise<void>;
}

/** Everything that is to outlive a restart. */
export interface Kept extends Snapshot {
  readonly clock: ClockState;
}

const format = 'wm-emulator-1';
const momentMs = 50;

/** One that is just ending has its file to write yet. */
const endingMs = 1_000;

/** The lock of a data file. */
export function lockOf(path: string): string {
  return `${path}.lock`;
}

/** Keeps other emulators from the file; the result lets it go. Nothing where another one has it. */
export async function holdFile(
  { lock }: Pick<World, 'lock'>,
  path: string,
): Promise<(() => Promise<void>) | undefined> {
  const held = await lock.take(lockOf(path), { timeoutMs: endingMs });
  // Its file stays: between its removal and the release of the lock, another one could lock a file of the same name.
  return held && (() => held.release());
}

type Needs = Pick<World, 'clock'> & Pick<World, 'files'>;

export function createKeeper(
  { clock, files }: Needs,
  path: string,
  content: () => Kept,
  log: (line: string) => void,
): Keeper {
  let waiting = false;
  let writing = Promise.resolve();
  let lastTook = 0;

  function write(): Promise<void> {
    waiting = false;
    writing = writing.then(async () => {
      const began = clock.now();
      await files.write(path, JSON.stringify({ format, ...content() }), { mode: 0o600 });
      lastTook = clock.now() - began;
    });
    writing = writing.catch((error: unknown) => log(`${path} could not be written: ${String(error)}`));
    return writing;
  }

  return {
    changed() {
      if (waiting) return;
      waiting = true;
      // Much data takes long to write; most of the time is still for answering.
      clock.after(Math.max(momentMs, lastTook * 10), () => void (waiting && write()));
    },
    async close() {
      if (waiting) await write();
      await writing;
    },
  };
}

/** What a file holds; nothing where there is none. Throws where it is something else. */
export async function keptIn({ files }: Pick<World, 'files'>, path: string): Promise<Kept | undefined> {
  const bytes = await files.read(path);
  if (bytes === undefined) return undefined;
  const content = parseJson(Buffer.from(bytes).toString('utf8'));
  if (!isKept(content)) throw new Error(`${path} is not the data of an emulator of this version`);
  return content;
}

/** Its own file is trusted to hold what it wrote; this tells it from any other. */
function isKept(content: unknown): content is Kept {
  if (typeof content !== 'object' || content === null) return false;
  const members = new Map<string, unknown>(Object.entries(content));
  return (
    members.get('format') === format &&
    typeof members.get('clock') === 'object' &&
    storeNames.every((name) => Array.isArray(members.get(name)))
  );
}
