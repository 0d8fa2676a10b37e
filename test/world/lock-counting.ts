// Processes that count up in one file, each under the lock: a count is lost wherever two hold it at once.

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLock } from '#world/lock.ts';

const rounds = 20;
const numbers = { two: 2, eight: 8 };

/** True in a process that a test has started: it has counted. */
export async function isCounting(): Promise<boolean> {
  const [, , what = '', path = ''] = process.argv;
  if (!what.startsWith('count')) return false;
  for (let i = 0; i < rounds; i++) await countUp(path, what === 'count-and-delete');
  return true;
}

/** `thisFile`: that of the tests, which the processes run. */
export function testCounting(
  thisFile: string,
  processes: keyof typeof numbers,
  ways: readonly string[],
): void {
  for (const role of ways) {
    test(`${processes} processes ${role} concurrently without losing one`, async (context) => {
      const folder = await mkdtemp(join(tmpdir(), 'wm-counting-'));
      context.after(() => rm(folder, { recursive: true }));
      const path = join(folder, `${role}.lock`);
      const counters = Array.from({ length: numbers[processes] }, () =>
        fork(thisFile, [role, path], { execArgv: [] }),
      );
      const ends = await Promise.all(counters.map((counter) => once(counter, 'exit')));
      for (const [code] of ends) assert.equal(code, 0);
      assert.equal(await readFile(`${path}.count`, 'utf8'), String(numbers[processes] * rounds));
    });
  }
}

/** Read, then write: loses a count wherever two are at it at once. Deleting, it makes the others lock a ghost. */
async function countUp(path: string, deleting: boolean): Promise<void> {
  const held = await createLock().acquire(path, { timeoutMs: 30_000 });
  if (!held) throw new Error('waited in vain');
  const count = Number(await readFile(`${path}.count`, 'utf8').catch(() => '0'));
  await writeFile(`${path}.count`, String(count + 1));
  if (deleting) await rm(path);
  await held.release();
}
