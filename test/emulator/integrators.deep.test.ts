// Integrations by other programs: each sends its requests inside `wm emulator exec`, and finds the values that it reads.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { operations } from '#contract/operations.ts';
import { otherOperations } from '#contract/other-operation.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { type Integrator, integrators } from '../witness/integrators.ts';
import { shows } from './shows.ts';

interface Read {
  readonly request: string;
  readonly status: number;
  readonly says?: string;
  readonly bytes?: string;
  readonly values: readonly {
    readonly place: string;
    readonly actual?: unknown;
    readonly expected?: unknown;
  }[];
}

async function readsOf({ headers, steps }: Integrator, folder: string): Promise<readonly Read[]> {
  const file = join(folder, 'steps.json');
  const listed = steps.map(({ reads = {}, ...rest }) => ({
    ...rest,
    reads: Object.entries(reads).map(([place, expected]) => ({ place, expected })),
  }));
  await writeFile(file, JSON.stringify({ headers, steps: listed }));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      resolve('bin/wm.js'),
      'emulator',
      'exec',
      '--',
      process.execPath,
      resolve('test/emulator/integrator.cjs'),
      file,
    ],
    { env: { ...process.env, HOME: folder } },
  );
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

for (const integrator of integrators) {
  test(`a third-party program: ${integrator.style}`, async (t) => {
    shows('multipart-parameters', 'default');
    shows('attach-file', 'default');
    const folder = await ownFolder(t);
    const reads = await readsOf(integrator, folder);
    assert.equal(reads.length, integrator.steps.length);
    for (const [at, { status = 200, bytes }] of integrator.steps.entries()) {
      const read = reads[at];
      assert.ok(read);
      assert.equal(read.status, status, `${read.request}: ${read.says}`);
      assert.equal(read.bytes, bytes, read.request);
      for (const { place, actual, expected } of read.values)
        assert.deepEqual(actual, expected, `${read.request}: ${place}`);
    }
  });
}

test('together they use every write request of the emulator', () => {
  const used = integrators
    .flatMap(({ steps }) => steps)
    .map(({ request }) => request.replace(/\?.*$/, '').replace(/\/$/, ''));
  const unused = Object.values({ ...operations, ...otherOperations })
    .filter(({ method, path }) => method !== 'GET' && !/webhook|batch/.test(path))
    .map(({ method, path }) => `${method} ${path}`)
    .filter((row) => {
      const pattern = new RegExp(`^${row.replace(/\{\w+\}/g, '[^/]+')}$`);
      return !used.some((path) => pattern.test(path));
    });
  assert.deepEqual(unused, []);
});
