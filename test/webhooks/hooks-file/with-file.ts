// `wm` with a webhook file, for the tests of the commands that read one.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Emulated, emulated } from '#test/support/program/emulated.ts';

export interface WithFile extends Emulated {
  /** Where `write` puts it. */
  readonly file: string;
  write(text: string): Promise<string>;
  /** Creates a webhook that this machine does not record; returns its id. */
  create(...argv: readonly string[]): Promise<string>;
}

export async function withFile(context: TestContext): Promise<WithFile> {
  const service = await emulated(context);
  const file = join(service.folder, 'hooks.yaml');
  return {
    ...service,
    file,
    async write(text) {
      await writeFile(file, text);
      return file;
    },
    async create(...argv) {
      const made = await service.wm(['webhook', 'create', ...argv, '--json', '-q'], {
        // Where another machine would keep its records.
        environment: { WM_CONFIG_DIR: join(service.folder, 'elsewhere') },
      });
      return JSON.parse(made.output).id;
    },
  };
}

/** A file of these entries. */
export function fileOf(...entries: readonly string[]): string {
  return `version: 1\nwebhooks:\n${entries.map((entry) => `  - ${entry.trim().replaceAll('\n', '\n    ')}\n`).join('')}`;
}
