// What every process of a command under test showed to the machine, written down by the process itself (process-record.cjs).

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

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
    close: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
