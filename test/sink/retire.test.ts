// `wm webhook sink retire`: a target that no forwarder serves any more is given up, so that nothing waits for it; and it can come back.

import assert from 'node:assert/strict';
import { test } from './bounded.ts';
import { startTarget, startTrial, store } from './trial.ts';

test('--stuck says how to retire a target without a forwarder; served again, the target continues where it stopped', async (t) => {
  const trial = await startTrial(t, { count: 1 }, ['--partitions', '2']);
  const [before, now] = [await startTarget(t), await startTarget(t)];
  const refuses = (errors: string, ...words: readonly string[]) =>
    trial.ends(2, new RegExp(`^wm: ${errors}`), 'sink', 'retire', trial.sink, ...words);
  await refuses('Missing: --target\n  No forwarder has served this sink yet.\n$');
  // The only target is not retired: the next would get everything again.
  assert.equal(await (await trial.forward(before.url)).end(), 0);
  const only = `Not retired: ${before.url} is the only target of the sink\n`;
  await refuses(only, '--target', `${before.url}?token=secret`, '--yes');
  await refuses(`Missing: --target\n {2}Give one of its targets: ${before.url}\\.\n`);

  // The first of two deliveries is forwarded to both targets, the second only to the one that is served then.
  const receiver = await trial.listen();
  const first = await trial.forward(before.url);
  await store(receiver.port, { key: 'first' });
  await before.until(() => before.keys.length === 1);
  const second = await trial.forward(now.url);
  const retiring = ['--target', before.url, '--yes'];
  await refuses(`Not retired: ${before.url} is still served by process ${first.pid} on`, ...retiring);

  assert.equal(await first.end(), 0);
  await store(receiver.port, { key: 'second' });
  await now.until(() => now.keys.includes('second'));
  const waiting = await trial.log();
  assert.match(waiting.errors, /1 delivery is not forwarded yet/);
  const stuck = await trial.log('--stuck');
  const said = /^1 delivery waits for (\S+), which no forwarder serves any more\. .*: wm (.+)$/m.exec(
    stuck.errors,
  );
  assert.equal(said?.[1], before.url, stuck.errors);
  const words = said?.[2]?.split(' ') ?? [];
  assert.deepEqual(words, ['webhook', 'sink', 'retire', trial.sink, '--target', before.url]);

  const question = `Retire ${before.url}\\? 1 delivery waits for it, and will not be sent to it\\.\n`;
  await refuses(`Not confirmed: ${question}`, '--target', before.url);
  const retired = await trial.wm(...words, '--yes');
  assert.equal(retired.status, 0, retired.errors);
  assert.match(retired.errors, new RegExp(`^Retired ${before.url}: no delivery waits for it any more\\.`));
  assert.equal(retired.output, '');

  const log = await trial.log();
  assert.doesNotMatch(log.errors, /not forwarded yet/);
  const nothing = await trial.log('--stuck');
  assert.match(nothing.errors, /^Nothing is stuck/m);
  const gone = `The sink has no target ${before.url}\n {2}Give one of its targets: ${now.url}\\.\n`;
  await refuses(gone, ...retiring);

  const back = await trial.forward(before.url);
  await before.until(() => before.keys.length === 2);
  assert.deepEqual(before.keys, ['first', 'second']);
  assert.equal(await back.end(), 0);
  assert.equal(await second.end(), 0);
  assert.deepEqual(now.keys, ['second']);
});
