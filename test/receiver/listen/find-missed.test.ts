// What `wm webhook listen` says about the time in which no receiver ran, and what `wm webhook log --gaps` knows of it.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { firstCells } from '#test/support/program/cells.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { listen, secret } from './running-listener.ts';

const hour = 3_600_000;
const task = 'IEAAAAAQKQAB5BNG';

/** A journal's folder whose last receiver left this line, so long ago. */
async function receiverBefore(context: TestContext, kind: string, agoMs: number, signedOut = false) {
  const service = await emulated(context, {}, { signedOut });
  const folder = join(service.folder, 'config', 'state', 'deliveries');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const time = Date.now() - agoMs;
  await writeFile(join(folder, 'receivers.ndjson'), `${JSON.stringify({ kind, time })}\n`);
  const environment = { ...service.environment, WM_WEBHOOK_SECRET: secret };
  return {
    ...service,
    time,
    listen: () => listen(context, '', { folder: join(service.folder, 'config'), environment }),
  };
}

const second = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`;

test('signed in: warns of missing deliveries, counts the updated tasks, and has a command that lists them', async (context) => {
  const { wm, time, listen: start } = await receiverBefore(context, 'stop', 3 * hour);
  assert.equal((await wm(['task', 'update', task, '--title', 'New'])).status, 0);
  const listener = await start();
  const [, command = ''] = await listener.prints(/1 task was updated since then\. To list them: wm (.*)\n/);
  assert.match(
    listener.errors,
    /No receiver has run with this journal since \S+ \(3 hours ago\)\. Deliveries of that time may be missing: the service tries each 3 times, then suspends the webhook, sends nothing while it is suspended, and does not send those events later\./,
  );
  assert.equal(command, `task list --updated-since ${second(time)}`);
  const { output } = await wm(command.split(' '));
  assert.deepEqual(firstCells(output), [task]);
});

test('signed in, and nothing was updated: says so, and how to check', async (context) => {
  const { listen: start } = await receiverBefore(context, 'stop', 3 * hour);
  const listener = await start();
  await listener.prints(
    /No task that you can see was updated since then\. To check: wm task list --updated-since /,
  );
});

test('signed out: the command alone; also after a killed receiver', async (context) => {
  const { time, listen: start } = await receiverBefore(context, 'start', 2 * hour, true);
  const listener = await start();
  const [, command] = await listener.prints(/To list the tasks that were updated since then: wm (.*)\n/);
  assert.equal(command, `task list --updated-since ${second(time)}`);
  assert.match(listener.errors, /ended without a stop, some time after \S+ \(2 hours ago\)/);
});

test('a restart within a minute prints nothing; the log has each time without a receiver', async (context) => {
  const { wm, time, listen: start } = await receiverBefore(context, 'stop', 20_000);
  const listener = await start();
  const { errors } = await listener.stop();
  assert.doesNotMatch(errors, /updated since|may be missing/);
  const gaps = JSON.parse((await wm(['webhook', 'log', '--gaps', '--json'])).output);
  assert.equal(gaps.length, 2);
  const [first, open] = gaps;
  assert.equal(first.from, new Date(time).toISOString());
  assert.ok(first.to > first.from);
  assert.ok(open.from >= first.to);
  assert.deepEqual([first.began, open.began, open.to], ['stopped', 'stopped', undefined]);
  const lines = (await wm(['webhook', 'log', '--gaps'])).output.trimEnd().split('\n');
  assert.deepEqual(lines, [`${first.from}\t${first.to}\tstopped`, `${open.from}\t\tstopped`]);
});

test('a start that cannot be recorded is a warning', async (context) => {
  const service = await emulated(context, {}, { signedOut: true });
  await mkdir(join(service.folder, 'config', 'state', 'deliveries', 'receivers.ndjson'), { recursive: true });
  const listener = await listen(context, '', {
    folder: join(service.folder, 'config'),
    environment: { ...service.environment, WM_WEBHOOK_SECRET: secret },
  });
  await listener.prints(/could not be recorded, so wm webhook log --gaps will not show it/);
  assert.equal((await listener.stop()).status, 0);
});
