// A test that hangs is named, in whatever way it hangs: what is running stands on the disk before it runs.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { hungTests } from '../../scripts/hung-tests.mjs';

const preload = pathToFileURL(resolve('scripts/note-running.mjs')).href;

for (const { how, body, names } of [
  {
    how: 'that waits for what never comes',
    body: "test('hangs', async () => { say(); await new Promise(() => setInterval(() => {}, 1000)); });",
    names: ['hangs'],
  },
  { how: 'in an endless loop', body: "test('spins', () => { say(); for (;;); });", names: ['spins'] },
  {
    how: 'inside another',
    body: "test('outer', (t) => t.test('inner', () => { say(); for (;;); }));",
    names: ['outer', 'inner'],
  },
]) {
  test(`a test ${how} is named`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'wm-running-'));
    try {
      const running = join(folder, 'running');
      await mkdir(running);
      const file = join(folder, 'a.test.mjs');
      const head =
        "import { writeSync } from 'node:fs';\nimport { test } from 'node:test';\nconst say = () => writeSync(2, 'now');\n";
      await writeFile(file, `${head}test('is fine', () => {});\n${body}\n`);
      const { NODE_TEST_CONTEXT: _own, ...environment } = process.env;
      const child = spawn(process.execPath, ['--import', preload, file], {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...environment, TEST_RUNNING: running },
      });
      await once(child.stderr, 'data');
      child.kill('SIGKILL');
      await once(child, 'exit');
      const [hung, ...others] = await hungTests(running, Date.now() + 1);
      assert.deepEqual([hung?.pid, hung?.file, hung?.tests, others], [child.pid, file, names, []]);
      assert.deepEqual(await hungTests(running, 0), []);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}
