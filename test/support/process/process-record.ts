// What every process of a command under test showed to the machine, written down by the process itself
// (process-record.cjs), and a gate that holds a process at its start until the test lets it go.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { untilInFolder } from '../disk/until-in-folder.ts';

/** One look at a process: by itself at its `start` and `end`, and by its parent as a `child`. */
export interface Seen {
  readonly what: 'start' | 'end' | 'child';
  readonly commandLine: readonly string[];
  /** `NAME=value` each. */
  readonly environment: readonly string[];
}

export interface ProcessRecord {
  /** For the environment of the command. */
  readonly environment: { readonly NODE_OPTIONS: string; readonly PROCESS_RECORD: string };
  seen(): Promise<readonly Seen[]>;
  /** From here on, a process whose command line has the word waits at its start. */
  hold(word: string): Promise<void>;
  /** The first process that is held; resolves once it waits. */
  held(): Promise<number>;
  /** Nobody is held any more. */
  release(): Promise<void>;
  close(): Promise<void>;
}

export async function recordProcesses(): Promise<ProcessRecord> {
  const folder = await mkdtemp(join(tmpdir(), 'wm-processes-'));
  const preload = resolve('test/support/process/process-record.cjs');
  const read = (name: string) => readFile(join(folder, name), 'utf8').catch(() => '');
  return {
    environment: { NODE_OPTIONS: `--require "${preload}"`, PROCESS_RECORD: folder },
    async seen() {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
      const texts = await Promise.all(names.map(read));
      return texts.flatMap((text): Seen[] => JSON.parse(text));
    },
    async hold(word) {
      await rm(join(folder, 'held'), { force: true });
      await writeFile(join(folder, 'hold'), word);
    },
    async held() {
      let pid = '';
      await untilInFolder(folder, async () => {
        pid = await read('held');
        return pid !== '';
      });
      return Number(pid);
    },
    release: () => rm(join(folder, 'hold'), { force: true }),
    close: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
