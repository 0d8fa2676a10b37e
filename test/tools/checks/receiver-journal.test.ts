// What `wm doctor` says about the receiver's journal.

import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { deliver, listen, startTarget } from '#test/receiver/listen/running-listener.ts';
import { emulated } from '#test/support/program/emulated.ts';

test('reports the size, pending deliveries, owner and damage of a journal; nothing without one', async (context) => {
  const { wm, folder, environment } = await emulated(context);
  const doctor = async () => {
    const { output } = await wm(['doctor', '--json']);
    const findings: { check: string; result: string; found: string }[] = JSON.parse(output);
    return findings.find(({ check }) => check === 'deliveries');
  };
  assert.equal(await doctor(), undefined);
  const setting = { folder: join(folder, 'config'), environment: {} };
  assert.equal(environment['WM_CONFIG_DIR'], setting.folder);
  const down = ['--forward-to', 'http://127.0.0.1:1/', '--drain', '0', '--port', '0', '--json'];
  const listener = await listen(context, down, setting);
  await deliver(listener, [{ eventType: 'TaskCreated' }]);
  const running = await doctor();
  assert.match(
    running?.found ?? '',
    new RegExp(`; 1 delivery not forwarded yet; process ${process.pid} is receiving$`),
  );
  await listener.stop();
  const { url } = await startTarget(context);
  const next = await listen(context, ['--forward-to', url, '--port', '0', '--json'], setting);
  await next.next('attempt');
  await deliver(next, [{ eventType: 'TaskDeleted' }]);
  await next.next('attempt');
  await next.stop();
  const ended = await doctor();
  assert.deepEqual(ended?.result, 'good');
  assert.match(ended?.found ?? '', /deliveries \([\d.]+ k?B?(?:bytes)?\); no receiver is running$/);
  const journal = join(setting.folder, 'state/deliveries');
  const [first = ''] = (await readdir(journal)).filter((name) => name.endsWith('.journal'));
  const bytes = await readFile(join(journal, first));
  bytes.write('X', bytes.indexOf('TaskCreated'));
  await writeFile(join(journal, first), bytes);
  const damaged = await doctor();
  assert.equal(damaged?.result, 'bad');
  assert.match(damaged?.found ?? '', new RegExp(`damaged or missing: ${first}`));
});
