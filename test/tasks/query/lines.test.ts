// Each line of the witness: the request that it sends, and what it finds in the emulator's sample.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';
import { taskListLines } from '#test/witness/task-lists.ts';
import { startPagedService } from './paged-service.ts';

for (const { argv, target, finds } of taskListLines) {
  test(`wm task list ${argv.join(' ')}`, async (context) => {
    const service = await startPagedService(context, () => undefined);
    const sent = await run(['task', 'list', ...argv], { environment: service.environment });
    assert.equal(sent.status, 0, sent.errors);
    assert.deepEqual(service.targets, [target]);

    const { wm } = await emulated(context);
    const found = await wm(['task', 'list', ...argv], { exit: 0 });
    const ids = found.output.split('\n').flatMap((line) => line.split('\t')[0] || []);
    assert.deepEqual(ids, finds);
  });
}

test('--dry-run prints the request for the first page, and does not request tasks', async (context) => {
  const service = await startPagedService(context, () => undefined);
  const ran = await run(
    ['task', 'list', '--folder', 'IEAAAAAQI4AB5SUB', '--limit', '7', '--dry-run', '--json'],
    {
      environment: service.environment,
    },
  );
  assert.equal(ran.status, 0, ran.errors);
  assert.equal(
    JSON.parse(ran.output).url,
    `http://${service.environment['WM_HOST']}/api/v4/folders/IEAAAAAQI4AB5SUB/tasks?fields=%5B%22responsibleIds%22%5D&pageSize=7`,
  );
  assert.deepEqual(service.targets, []);
});
