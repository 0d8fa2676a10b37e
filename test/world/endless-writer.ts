// A process that writes one file again and again until it is killed, and a reader beside it.

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createFiles } from '#world/files.ts';

const size = 300_000;

/** False in the process of the tests; in the one that writes, it never ends. */
export async function isWriter(): Promise<boolean> {
  const [, , role, path = ''] = process.argv;
  if (role !== 'write') return false;
  const files = createFiles({}, process.platform);
  for (let i = 0; ; i++) {
    await files.write(path, String(i % 10).repeat(size), { mode: 0o600 });
    if (i === 0) process.send?.('started');
  }
}

/** `thisFile`: that of the tests, which the writer runs. */
export function testWholeFiles(thisFile: string, rounds: number): void {
  test('a reader never sees a partial file, not even after kill -9', async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'wm-whole-'));
    context.after(() => rm(folder, { recursive: true }));
    const path = join(folder, 'whole');
    for (let round = 0; round < rounds; round++) {
      const writer = fork(thisFile, ['write', path], { execArgv: [] });
      await once(writer, 'message');
      for (let i = 0; i < 40; i++) {
        const content = await readFile(path, 'latin1');
        assert.equal(content.length, size);
        assert.equal(content, (content[0] ?? '').repeat(size));
      }
      writer.kill('SIGKILL');
      await once(writer, 'exit');
      assert.equal((await readFile(path)).length, size);
    }
  });
}
