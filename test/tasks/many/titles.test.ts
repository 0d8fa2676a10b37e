// Rows that name their task by its title, and rename it: a resumed run updates the tasks that the first run found.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { aroundHttp } from '#test/support/service/around-http.ts';

const { task: first, backlog: second, milestone: third } = sample;

/** The first two tasks have these titles; the rows are of a file. */
async function titled(context: TestContext, titles: readonly [string, string], ...rows: string[]) {
  const service = await emulated(context);
  const { wm, folder, control } = service;
  for (const [at, id] of [first, second].entries())
    assert.equal((await wm(['task', 'update', id, '--title', titles[at] ?? ''])).status, 0);
  const path = join(folder, 'tasks.csv');
  await writeFile(path, `id,title\n${rows.join('\n')}\n`);
  return {
    ...service,
    argv: ['task', 'update', '--from', path, '--yes', '--concurrency', '1'],
    /** The next update reaches the service, and its response is lost. */
    loseResponse: () => control('faults', { request: 'updateTask', cutAfter: 0, when: 'after', times: 3 }),
  };
}

/** Sends so many updates; the next one ends the run. */
function endsAfter(most: number) {
  let updates = 0;
  const http = aroundHttp(async ({ method }, pass) =>
    method === 'PUT' && ++updates > most ? { fault: 'tls', sent: false, detail: 'it has expired' } : pass(),
  );
  return { http };
}

test('--resume updates the task that a title meant in the first run, not another one that has the title now', async (context) => {
  const { wm, task, argv, loseResponse } = await titled(
    context,
    ['ledger review', 'Ledger review'],
    'ledger review,Renamed',
  );
  await loseResponse();
  const ran = await wm(argv, { exit: 8 });
  assert.match(ran.errors, new RegExp(`unknown outcome: line 2 \\(${first}\\)`));
  const resumed = await wm([...argv, '--resume', '--verbose'], { exit: 0 });
  assert.match(resumed.errors, new RegExp(`PUT \\S+${first}`));
  assert.equal((await task(second)).title, 'Ledger review');
});

test('--resume sends a row whose title disappeared when the first run renamed its task', async (context) => {
  const { wm, argv, loseResponse } = await titled(
    context,
    ['Buy the second domain', 'Print the second flyers'],
    'Buy the second domain,Domain bought',
  );
  await loseResponse();
  await wm(argv, { exit: 8 });
  const resumed = await wm([...argv, '--resume', '--verbose'], { exit: 0 });
  assert.match(resumed.errors, /^Sent before without a response, and sent again now: line 2 /m);
  assert.match(resumed.errors, new RegExp(`PUT \\S+${first}`));
});

test('--resume does not call a finished row invalid because its title no longer exists', async (context) => {
  const { wm, argv, task } = await titled(
    context,
    ['Buy the second domain', 'Print the second flyers'],
    'Buy the second domain,Domain bought',
    'Print the second flyers,Flyers printed',
  );
  await wm(argv, { world: endsAfter(1), exit: 8 });
  assert.deepEqual(
    [(await task(first)).title, (await task(second)).title],
    ['Domain bought', 'Print the second flyers'],
  );
  const resumed = await wm([...argv, '--resume'], { exit: 0 });
  assert.doesNotMatch(resumed.errors, /invalid/);
  assert.match(resumed.errors, /^2 of 2 rows from \S+ will be updated \(title\)$/m);
  assert.equal((await task(second)).title, 'Flyers printed');
});

test('a title first found by the second run means the same task in the third', async (context) => {
  const { wm, task, argv, loseResponse } = await titled(
    context,
    ['not yet', 'Ledger review'],
    `${third},x`,
    'ledger review,Renamed',
  );
  await wm(['task', 'update', second, '--title', 'not this']);
  await wm(argv, { world: endsAfter(0), exit: 7 });
  for (const [id, title] of [
    [first, 'ledger review'],
    [second, 'Ledger review'],
  ] as const)
    await wm(['task', 'update', id, '--title', title]);
  await loseResponse();
  await wm([...argv, '--resume'], { exit: 8 });
  await wm([...argv, '--resume']);
  assert.deepEqual([(await task(first)).title, (await task(second)).title], ['Renamed', 'Ledger review']);
});

for (const [title, other] of [
  ['Buy the second domain', 'Print the second flyers'],
  ['ledger review', 'Ledger review'],
] as const)
  test(`--resume also continues with ${title} on the command line`, async (context) => {
    const { wm, task, loseResponse } = await titled(context, [title, other]);
    const argv = ['task', 'update', title, third, '--title', 'Q', '--yes', '--concurrency', '1'];
    await loseResponse();
    await wm(argv, { exit: 8 });
    const resumed = await wm([...argv, '--resume', '--verbose'], { exit: 0 });
    assert.deepEqual(
      resumed.errors.match(/PUT \S+\/tasks\/\w+/g)?.map((put) => put.slice(-first.length)),
      [first],
    );
    assert.equal((await task(second)).title, other);
  });
