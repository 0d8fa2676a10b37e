// The reporter that lists the failed tests at the end of a log.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const reporter = pathToFileURL(resolve('scripts/failed-tests.mjs')).href;

async function reportOf(body: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'wm-failed-'));
  try {
    await writeFile(join(folder, 'a.test.mjs'), `import { test } from 'node:test';\n${body}\n`);
    const { NODE_TEST_CONTEXT: _own, ...environment } = process.env;
    return spawnSync(process.execPath, ['--test', `--test-reporter=${reporter}`, 'a.test.mjs'], {
      cwd: folder,
      env: environment,
      encoding: 'utf8',
    }).stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('each failed test is listed once, with its file and its error', async () => {
  const report = await reportOf(`
    test('is fine', () => {});
    test('is skipped', { skip: 'for a reason' }, () => {});
    test('fails', () => { throw new Error('first'); });
    test('outer', (t) => t.test('inner', () => { throw new Error('second'); }));`);
  assert.match(report, /^\nFailed tests: 2\n/);
  assert.match(report, /a\.test\.mjs: fails\n {4}Error: first\n/);
  assert.match(report, /a\.test\.mjs: inner\n {4}Error: second\n/);
});

test('without a failed test nothing is listed', async () => {
  assert.equal(await reportOf("test('is fine', () => {});"), '');
});

test('an error that a test process cannot pass on whole is shown too', async () => {
  const report = await reportOf(`
    import assert from 'node:assert/strict';
    test('compares', () => assert.deepEqual({ run() {}, kind: 'one' }, { kind: 'other' }));`);
  assert.match(report, /^\nFailed tests: 1\n/);
  assert.match(report, /a\.test\.mjs: compares\n.*'one'/s);
});
