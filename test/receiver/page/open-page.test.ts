// `wm webhook listen --ui` as users run it: the page of a receiver, with deliveries that came over HTTP, a journal on the disk and
// a program behind it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { replaysLockPath } from '#receiver/archive/deliveries/replays-file.ts';
import { objectsIn } from '#test/support/program/cells.ts';
import { freePort } from '#test/support/service/free-port.ts';
import { createWorld } from '#world/create-world.ts';
import {
  deliver,
  type ListenerSetting,
  listen,
  startListener,
  startTarget,
} from '../listen/running-listener.ts';
import {
  countersIn,
  firstUpdate,
  next as nextUpdate,
  rowsIn,
  tableIn,
  textIn,
  updates,
} from './page-html.ts';
import { ask, post } from './page-request.ts';

const task = 'IEAAAAAQKQAB5BNG';
const created = [{ eventType: 'TaskCreated', taskId: task, title: 'Order paper' }];

async function listenWithPage(test: TestContext, typed: string, setting?: ListenerSetting) {
  const listener = await listen(test, `--json --ui ${typed}`, setting);
  const url = String((await listener.next('listening'))['page']);
  return {
    ...listener,
    url,
    details: async (sequence: number) => (await ask(`${url}deliveries/${sequence}`)).text,
    replay: (sequence: number) => post(`${url}deliveries/${sequence}/replay`),
    /** Everything, as a page gets it that is opened now. */
    everything: () => firstUpdate(url),
  };
}

test('a received delivery is on the page with its title, its headers and its outcome', async (t) => {
  const target = await startTarget(t);
  const { url, port, next, details, everything, stop } = await listenWithPage(
    t,
    `--forward-to ${target.url}`,
  );
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/$/);
  assert.notEqual(new URL(url).port, String(port), 'never on the port of the webhook');
  assert.equal(await deliver({ port }, created, { headers: { 'X-Extra': 'yes' } }), 200);
  await next('attempt');
  const shown = await everything();
  const [{ time: _, result, ...row } = { time: '', result: '' }] = rowsIn(shown);
  assert.deepEqual(row, {
    sequence: 1,
    event: 'TaskCreated',
    task: 'Order paper',
    signature: 'valid',
    duplicates: '',
    state: 'forwarded',
  });
  assert.match(result, /^forwarded, 200 [\d.]+ m?s$/);
  const { Received: received, Forwarded: forwarded, Unfinished: unfinished } = countersIn(shown);
  assert.deepEqual([received, forwarded, unfinished], [1, 1, 0]);
  const text = await details(1);
  assert.ok(
    tableIn(text, 'Headers').some(([name, value]) => name?.toLowerCase() === 'x-extra' && value === 'yes'),
  );
  assert.match(text, new RegExp(`<dt>Task</dt><dd>Order paper, ${task}</dd>`));
  assert.deepEqual(JSON.parse(textIn(text, 'body')), created);
  const [[, name, outcome] = []] = tableIn(text, 'Attempts');
  assert.equal(name, target.url);
  assert.match(outcome ?? '', /^200 forwarded/);
  assert.equal((await stop()).status, 0);
  await assert.rejects(ask(url), 'the page ends with the receiver');
});

test('a replay from the page works like wm webhook replay: sent again, recorded, shown by both', async (t) => {
  const target = await startTarget(t, 500);
  const page = await listenWithPage(t, `--forward-to ${target.url} --max-attempts 1`);
  await deliver(page, created);
  await page.next('attempt');
  assert.match(await page.details(1), />dead letter, 500</);
  const failed = (await page.replay(1)).text;
  assert.match(failed, />failed, 500</);
  assert.doesNotMatch(failed, /Not replayed/);
  target.respond(200);
  assert.match((await page.replay(1)).text, />forwarded, 200</);
  assert.deepEqual(
    target.received.map(({ headers, body }) => [headers['x-wm-delivery'], headers['x-wm-replay'], body]),
    [
      ['1', undefined, JSON.stringify(created)],
      ['1', '1', JSON.stringify(created)],
      ['1', '1', JSON.stringify(created)],
    ],
  );
  assert.match(await page.details(1), />replayed, 200</);
  const replays = await readFile(join(page.folder, 'state', 'deliveries', 'replays.ndjson'), 'utf8');
  assert.deepEqual(
    objectsIn(replays).map(({ verdict }) => verdict),
    ['failed', 'forwarded'],
  );
  const log = await page.wm('webhook log --json');
  assert.equal(log.status, 0, log.errors);
  assert.match(log.output, /replayed/);
});

test('while wm webhook replay sends deliveries of this journal, the page sends none', async (t) => {
  const target = await startTarget(t, 500);
  const page = await listenWithPage(t, `--forward-to ${target.url} --max-attempts 1`);
  await deliver(page, created, { key: 'a' });
  await deliver(page, created, { key: 'b' });
  for (let count = 0; count < 2; count++) await page.next('attempt');
  const path = replaysLockPath(join(page.folder, 'state', 'deliveries'));
  const held = await createWorld().lock.acquire(path, { timeoutMs: 0 });
  assert.ok(held);
  const refused = (await page.replay(1)).text;
  assert.doesNotMatch(refused, / in \d+ ms by /);
  assert.match(refused, /Not replayed: .*wm webhook replay is sending/);
  assert.equal(target.received.length, 2);
  await held.release();
  // Two at once from pages wait for each other.
  const both = await Promise.all([page.replay(1), page.replay(2)]);
  assert.deepEqual(
    both.map(({ text }) => text.match(/ by http/g)?.length),
    [1, 1],
  );
});

test('a page opened by a later run shows what earlier runs received and did', async (t) => {
  const target = await startTarget(t, 500);
  const first = await listenWithPage(t, `--forward-to ${target.url} --max-attempts 1`);
  for (let count = 1; count <= 3; count++) {
    await deliver(first, created, { key: `key-${count}` });
    await first.next('attempt');
  }
  await first.stop();
  const second = await listenWithPage(t, '', { folder: first.folder });
  const shown = await second.everything();
  assert.deepEqual(
    rowsIn(shown).map(({ sequence, state, result }) => [sequence, state, result.slice(0, 16)]),
    [1, 2, 3].map((sequence) => [sequence, 'dead', 'dead letter, 500']),
  );
  assert.equal(countersIn(shown)['Received'], 0);
  const older = (await ask(`${second.url}deliveries?before=3`)).text;
  assert.deepEqual(
    rowsIn(older).map(({ sequence }) => sequence),
    [1, 2],
  );
  assert.equal(textIn(older, 'older-state'), 'There are no older deliveries.');
  // This run forwards nowhere: a replay goes to where the last one forwarded, as that of `wm webhook replay` does.
  assert.match((await second.replay(1)).text, new RegExp(`>failed, 500</span> in .* by ${target.url}<`));
  assert.equal(target.received.length, 4);
});

test('without a current or an earlier target, a replay is rejected', async (t) => {
  const page = await listenWithPage(t, '');
  const disabled =
    /id="replay"[^>]* aria-disabled="true" title="No target to send it to: start wm webhook listen/;
  assert.match((await ask(page.url)).text, disabled);
  assert.doesNotMatch((await ask((await listenWithPage(t, '--exec true')).url)).text, disabled);
  assert.equal(await deliver(page, created), 200);
  const { status, text } = await page.replay(1);
  assert.equal(status, 409);
  assert.match(text, /--forward-to/);
});

test('a replay to an unreachable target, or without one for its events, says so', async (t) => {
  const dead = await startTarget(t, 500);
  const first = await listenWithPage(t, `--forward-to ${dead.url} --max-attempts 1`);
  await deliver(first, created);
  await first.next('attempt');
  await first.stop();
  const setting = { folder: first.folder };
  const unreachable = await listenWithPage(t, '--forward-to http://127.0.0.1:1/hook', setting);
  assert.match(
    (await unreachable.replay(1)).text,
    /^<div id="replay-state"><div><[^>]*>Not replayed: http:\/\/127\.0\.0\.1:1\/hook cannot be reached: .*ECONNREFUSED/,
  );
  await unreachable.stop();
  const elsewhere = await listenWithPage(t, `--route CommentAdded=${dead.url}`, setting);
  assert.match((await elsewhere.replay(1)).text, />Not replayed: none of the targets takes its events</);
});

test('on a terminal the address is a line; --ui-port sets the port, and reports if it is taken', async (t) => {
  // Not one that the system may give to another program before it is used again.
  const port = String(await freePort());
  const listener = await listen(t, `--ui --ui-port ${port}`);
  const [, url = ''] = await listener.prints(/^ {2}page: {4}(http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/)$/m);
  assert.equal((await ask(url)).status, 200);
  assert.equal(new URL(url).port, port);
  const taken = await startListener(t, `--ui --ui-port ${port}`).ended;
  assert.equal(taken.status, 2);
  assert.match(
    taken.errors,
    new RegExp(
      `^wm: wm cannot listen on 127\\.0\\.0\\.1 port ${port} for the page\n {2}another program listens there\n.*--ui-port`,
      'm',
    ),
  );
  await listener.stop();
  const again = await listen(t, `--ui --ui-port ${port}`);
  await again.prints(new RegExp(`page: {4}http://127\\.0\\.0\\.1:${port}/`));
});

test('without --ui there is no page', async (t) => {
  const listener = await listen(t, '--json');
  assert.equal((await listener.next('listening'))['page'], undefined);
});

test('a replay by another process appears while the page is open, and one from the page appears once', {
  timeout: 60_000,
}, async (t) => {
  const target = await startTarget(t);
  const { url, port, next, details, replay, wm } = await listenWithPage(t, `--forward-to ${target.url}`);
  await deliver({ port }, created);
  await next('attempt');
  const stream = updates(url);
  await nextUpdate(stream);
  assert.equal((await replay(1)).status, 200);
  const { status, errors } = await wm(`webhook replay 1 --forward-to ${target.url}`);
  assert.equal(status, 0, errors);
  for (;;) {
    await nextUpdate(stream);
    const attempts = tableIn(await details(1), 'Attempts');
    if (attempts.length < 3) continue;
    assert.deepEqual(
      attempts.map(([, name]) => name),
      [target.url, `${target.url} (replay)`, `${target.url} (replay)`],
    );
    break;
  }
  await stream.return();
});
