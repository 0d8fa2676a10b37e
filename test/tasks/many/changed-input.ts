// An input that changes after its rows were confirmed. Some of the changes are quick, and the others are deep.

import assert from 'node:assert/strict';
import { appendFile, open, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { beforeUpdate } from '#test/support/service/around-http.ts';
import { records, valuesOf } from '#test/support/service/records.ts';
import { createFiles } from '#world/files.ts';

/** Together more than is kept in memory. */
export const rows = 30;
const padding = 'p'.repeat(54_000);
export const csvOf = (ids: readonly string[], title: string) =>
  `id,title,description\n${ids.map((id) => `${id},${title},${padding}\n`).join('')}`;

export async function bulk(context: TestContext) {
  const service = await emulated(context);
  const made = (await service.control('tasks', { count: rows })) as { taskIds: readonly string[] };
  const ids = made.taskIds;
  const path = join(service.folder, 'tasks.csv');
  await writeFile(path, csvOf(ids, 'confirmed'));
  const argv = ['task', 'update', '--from', path, '--yes', '--no-undoable'];
  const titles = async (): Promise<string[]> =>
    valuesOf(await records(service.emulator, 'GET', `/tasks/${ids.join(',')}`), 'title');
  return { ...service, ids, path, argv, titles };
}

export const confirmedOnly = (titles: readonly string[]) =>
  titles.filter((title) => title === 'confirmed').length;

type Change = readonly [name: string, change: (path: string, ids: readonly string[]) => Promise<void>];

/** How a file changes, which held the confirmed rows before. */
const changes: readonly Change[] = [
  ['rewritten with other rows', (path, ids) => writeFile(path, csvOf(ids, 'different'))],
  ['longer', (path, ids) => appendFile(path, `${ids[0]},another,\n`)],
  ['shorter by some rows', (path, ids) => truncate(path, csvOf(ids.slice(0, -20), 'confirmed').length)],
  ['cut in its last row', (path, ids) => truncate(path, csvOf(ids, 'confirmed').length - 10)],
  [
    'another in one letter of its last row',
    async (path, ids) => {
      const file = await open(path, 'r+');
      await file.write('X', csvOf(ids, 'confirmed').length - 10);
      await file.close();
    },
  ],
];

/** Those of the quick suite. */
export const quickChanges = ['rewritten with other rows', 'another in one letter of its last row'];

/** Declares the tests of the changes whose names are chosen. */
export function testChanges(isChosen: (name: string) => boolean): void {
  for (const [name, change] of changes) {
    if (!isChosen(name)) continue;
    test(`${name} before the first row is sent: nothing is sent`, async (context) => {
      const { wm, ids, path, argv, folder, environment, titles } = await bulk(context);
      const files = createFiles(environment, process.platform, folder);
      let reads = 0;
      const world = {
        files: {
          ...files,
          // The first read is over, and what it said is confirmed.
          async stream(file: string) {
            if (file === path && ++reads === 2) await change(path, ids);
            return files.stream(file);
          },
        },
      };
      const ran = await wm([...argv, '--verbose'], { world, exit: 2 });
      assert.match(
        ran.errors,
        /^wm: \S+tasks\.csv changed after its rows were read\n {2}only rows that you confirmed are sent\n {2}Nothing was sent\. Run the command again, and check the new plan\.\n$/m,
      );
      assert.equal(ran.output, '');
      assert.doesNotMatch(ran.errors, /PUT /);
      assert.equal(confirmedOnly(await titles()), 0);
      await wm([...argv, '--dry-run'], { exit: 0 });
    });

    test(`${name} while rows are being sent: no other row is sent, and --resume sends the rest`, async (context) => {
      const { wm, ids, path, argv, titles } = await bulk(context);
      const confirmed = await readFile(path);
      const ran = await wm(argv, { world: { http: beforeUpdate(3, () => change(path, ids)) }, exit: 8 });
      const before = await titles();
      assert.deepEqual(
        before.filter((title) => title === 'different' || title === 'another'),
        [],
      );
      const sent = confirmedOnly(before);
      assert.ok(sent >= 3 && sent < rows, `${sent} were sent`);
      const left = rows - sent === 1 ? 'the 1 row that is' : `the ${rows - sent} rows that are`;
      assert.match(
        ran.errors,
        new RegExp(
          `changed after its rows were read: only rows that you confirmed are sent\\n {2}Restore \\S+tasks\\.csv as it was: --resume continues only with the same input\\.\\n {2}Run the same command with --resume: it sends ${left} left\\.\\n$`,
        ),
      );
      await writeFile(path, confirmed);
      const resumed = await wm([...argv, '--resume', '--verbose'], { exit: 0 });
      assert.equal(resumed.errors.match(/PUT /g)?.length, rows - sent);
      assert.equal(confirmedOnly(await titles()), rows);
    });
  }
}
