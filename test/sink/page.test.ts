// `wm webhook listen --sink --ui` and `wm webhook forward --ui`: the page shows what all receivers and forwarders of the sink do.

import assert from 'node:assert/strict';
import { formatTimeOfDay } from '#dates/local-time.ts';
import { countersIn, rowsIn, tableIn, textIn } from '#test/receiver/page/page-html.ts';
import { ask } from '#test/receiver/page/page-request.ts';
import { rowsOf } from '#test/support/program/cells.ts';
import { test } from './bounded.ts';
import { openPageOf, pageUrl } from './page-client.ts';
import { startSmallTrial, startTarget, startTrial, store } from './trial.ts';

const [taskA, taskB] = ['IEAAAAAQKQAAAAAA', 'IEAAAAAQKQAAAAAB'];

test('the page of a receiver shows the deliveries of all receivers, and their outcomes', async (t) => {
  const trial = await startTrial(t);
  const target = await startTarget(t);
  const other = await trial.listen();
  await store(other.port, { key: 'before', title: 'Order paper' });
  const receiver = await trial.listen(trial.sink, '--ui');
  const page = await openPageOf(t, receiver);
  await page.until(() => page.states().join() === '1 waiting');
  assert.match((await ask(page.url)).text, />Deliveries of all receivers of nats:.*\/TRIAL, and what all/);
  assert.equal(countersIn(page.last())['Received'], 0, 'not since the page began');
  await page.until(() => textIn(page.last(), 'stuck') !== '');
  assert.match(textIn(page.last(), 'stuck'), /^No target yet: 1 delivery waits; it came at [\d:]+\.$/);
  await store(other.port, { key: 'elsewhere', task: taskB });
  await store(other.port, { key: 'elsewhere', task: taskB });
  await store(receiver.port, { key: 'here', task: 'IEAAAAAQKQAAAAAC' });
  await page.until(() => page.states().join() === '1 waiting,2 waiting,3 waiting');
  await page.until(() => page.rows()[1]?.duplicates === '×1');
  const [first, second] = page.rows();
  assert.deepEqual([first?.task, first?.signature], ['Order paper', 'valid']);
  assert.equal(second?.event, 'TaskTitleChanged');
  const { Received: received, Unfinished: unfinished = 0 } = countersIn(page.last());
  assert.equal(received, 2);
  assert.ok(unfinished >= 1);
  target.respond(500);
  const forwarder = await trial.forward(target.url, '--max-attempts', '1');
  await page.until(() => page.states().join() === '1 dead,2 dead,3 dead');
  assert.equal(countersIn(page.last())['Dead letters'], 3);
  target.respond(200);
  await store(other.port, { key: 'good' });
  await page.until(() => page.states().at(-1) === '4 forwarded');
  const details = await page.details(2);
  assert.match(details, />dead letter, 500</);
  assert.match(details, new RegExp(`<dt>Task</dt><dd>[^<]*${taskB}`));
  assert.match(details, /<td>Idempotency-Key<\/td><td>elsewhere<\/td>/);
  assert.match(textIn(details, 'body'), /"title": "elsewhere"/);
  const [[, name, result] = []] = tableIn(details, 'Attempts');
  assert.equal(name, target.url);
  assert.match(result ?? '', /^500 dead letter/);
  // Another process replays one of them.
  await trial.ends(0, /^/, 'replay', '2', '--sink', trial.sink, '--forward-to', target.url);
  await page.until(() => page.states()[1] === '2 replayed');
  // This receiver has no target.
  const refused = await page.replay(1);
  assert.equal(refused.status, 409);
  assert.match(refused.text, /start wm webhook listen with --forward-to/);
  assert.equal(await forwarder.end(), 0);
  assert.equal(await receiver.end(), 0);
});

test('page and command replay a dead letter, one at a time, and show the response of the target', async (t) => {
  const { trial, target, receiver } = await startSmallTrial(t);
  target.respond(500);
  const forwarder = await trial.forward(target.url, '--max-attempts', '1', '--ui');
  const page = await openPageOf(t, forwarder);
  await store(receiver.port, { key: 'bad' });
  await page.until(() => page.states().join() === '1 dead');
  const failed = (await page.replay(1)).text;
  assert.match(failed, />failed, 500</);
  assert.doesNotMatch(failed, /Not replayed/);
  const replaying = ['replay', '1', '--sink', trial.sink, '--forward-to', target.url];
  const { output } = await trial.ends(8, /^/, ...replaying);
  assert.match(output, /\t500\t.*\tfailed$/m);
  const dead = await trial.log('--dead-letters');
  assert.match(dead.output, /^1\t(?:[^\t]*\t){7}dead\t.*\n$/);
  target.hold();
  const slow = trial.wm('webhook', ...replaying);
  await target.until(() => target.keys.length === 4);
  await trial.ends(1, /Another wm webhook replay is sending deliveries of this sink/, ...replaying);
  const second = (await page.replay(1)).text;
  assert.match(second, /Another wm webhook replay is sending deliveries of this sink/);
  target.respond(200);
  target.release();
  await slow;
  assert.equal(target.keys.length, 4);
  const good = (await page.replay(1)).text;
  assert.match(good, />forwarded, 200</);
  assert.doesNotMatch(good, /Not replayed/);
  assert.equal(target.headers.at(-1)?.['x-wm-replay'], '1');
  await page.until(() => page.states().join() === '1 replayed');
  // One from the page is in the stream too, and is shown once.
  for (;;) {
    const [update, details] = await Promise.all([page.next(), page.details(1)]);
    const attempts = tableIn(details, 'Attempts');
    assert.equal(countersIn(update)['Dead letters'], 1);
    assert.ok(attempts.length <= 5);
    if (attempts.length === 5) break;
  }
  const log = await trial.log();
  assert.match(log.output, /\treplayed\t/);
  const words = ['forward', '--sink', trial.sink, '--forward-to', target.url, '--ui-port'];
  await trial.ends(2, /--ui-port needs --ui/, ...words, '4030');
  const { port } = new URL(await pageUrl(forwarder));
  await trial.ends(2, /another program listens there/, ...words, port, '--ui');
  assert.equal(await forwarder.end(), 0);
});

test('the page shows waiting deliveries per target, since when and why; after a kill, another forwarder takes over', async (t) => {
  const { trial, target, receiver } = await startSmallTrial(t);
  target.respond(503);
  const before = Date.now();
  for (const key of ['one', 'two', 'three']) await store(receiver.port, { key, task: taskA });
  const forwarder = await trial.forward(target.url);
  await target.until(() => target.keys.length >= 1);
  // It dies in a later attempt, by which the first is recorded. If it ended between two, its last request for a message would be left,
  // and for a message that is due again then, a server of version 2.9.10 counts one that waits too many until the next forwarder.
  target.hold();
  const had = target.keys.length;
  await target.until(() => target.keys.length > had);
  await forwarder.kill();
  target.release();
  const late = await trial.listen(trial.sink, '--ui');
  const page = await openPageOf(t, late);
  const stuck = () => textIn(page.last(), 'stuck');
  await page.until(() => stuck().includes('Last failure'));
  const [, oldest = ''] =
    /: 3 deliveries wait, 1 of them after a failure; the oldest came at (.*)\. Last failure: 503\.$/.exec(
      stuck(),
    ) ?? [];
  assert.ok(stuck().startsWith(`${target.url}: `));
  assert.ok(oldest >= formatTimeOfDay(before - 1000) && oldest <= formatTimeOfDay(Date.now() + 1000), oldest);
  assert.deepEqual(page.states(), ['1 retrying', '2 waiting', '3 waiting']);
  const refused = await page.replay(1);
  assert.equal(refused.status, 409);
  target.respond(200);
  const start = performance.now();
  const again = await trial.forward(target.url);
  await page.until(() => page.states().join() === '1 forwarded,2 forwarded,3 forwarded');
  const tookMs = performance.now() - start;
  assert.ok(tookMs < 30_000, `${tookMs} ms`);
  // The attempts of the one that died count.
  assert.ok(Number(target.headers[target.keys.lastIndexOf('one')]?.['x-wm-attempt']) >= 2);
  await page.until(() => stuck() === '');
  assert.equal(await again.end(), 0);
});

test('a target that has not received a delivery keeps it unfinished, on the page and in the log', async (t) => {
  const trial = await startTrial(t, { count: 1 }, ['--partitions', '2']);
  const bad = await startTarget(t);
  bad.respond(500);
  const receiver = await trial.listen(trial.sink, '--ui');
  const page = await openPageOf(t, receiver);
  const forwarder = await trial.forward(bad.url, '--exec', 'cat > /dev/null');
  await store(receiver.port, { key: 'one' });
  await forwarder.says(/\tforwarded\t/);
  await page.until(() => {
    const { Forwarded: forwarded, 'Failed attempts': failed = 0 } = countersIn(page.last());
    return forwarded === 1 && failed >= 1;
  });
  assert.deepEqual(page.states(), ['1 retrying']);
  assert.match((await trial.log()).output, /^1\t(?:[^\t]*\t){7}retrying\t.*\n$/);
  const [stuck = []] = rowsOf((await trial.log('--stuck')).output);
  assert.deepEqual(stuck.slice(0, 5), [bad.url, '0', '1', '0', '1']);
  bad.respond(200);
  await page.until(() => page.states().join() === '1 forwarded');
  assert.equal(await forwarder.end(), 0);
});

test('a page that is opened late reads only the end of the sink, and older parts on request', async (t) => {
  const trial = await startTrial(t, { count: 1 }, ['--partitions', '4']);
  const target = await startTarget(t);
  const receiver = await trial.listen();
  const total = 2_000;
  const title = 'x'.repeat(1_000);
  for (let at = 0; at < total; at += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, more) =>
        store(receiver.port, {
          title,
          key: `k${at + more}`,
          task: `IEAAAAAQKQAA${String(at + more).padStart(4, '0')}`,
        }),
      ),
    );
  const forwarder = await trial.forward(target.url);
  await target.until(() => target.keys.length === total);
  assert.equal(await forwarder.end(), 0);
  const [node] = trial.cluster.nodes;
  assert.ok(node);
  const before = await node.sent();
  const late = await trial.listen(trial.sink, '--ui');
  const page = await openPageOf(t, late);
  await page.until(() => page.rows().length === 500);
  const opened = (await node.sent()) - before;
  // Both streams together are 4 MB: a body is sent as base64.
  assert.ok(opened > 500 * title.length && opened < total * title.length, `${opened} bytes`);
  assert.deepEqual([page.rows()[0]?.sequence, page.rows().at(-1)?.sequence], [total - 499, total]);
  assert.deepEqual([...new Set(page.rows().map(({ state }) => state))], ['forwarded']);
  const older = await page.older(total - 499);
  const more = (await node.sent()) - before - opened;
  assert.ok(more < 1_000_000, `${more} bytes`);
  t.diagnostic(`${opened} bytes for the page, ${more} for older ones`);
  const olderRows = rowsIn(older);
  assert.deepEqual(
    [olderRows.length, olderRows[0]?.sequence, olderRows.at(-1)?.sequence, textIn(older, 'older-state')],
    [100, total - 599, total - 500, ''],
  );
  assert.deepEqual([...new Set(olderRows.map(({ state }) => state))], ['forwarded']);
  const rest = await page.older(51);
  assert.deepEqual(
    [rowsIn(rest).length, textIn(rest, 'older-state')],
    [50, 'There are no older deliveries.'],
  );
  const details = await page.details(7);
  assert.match(details, />forwarded, 200</);
  assert.equal(tableIn(details, 'Attempts').length, 1);
});
