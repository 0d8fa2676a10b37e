// What `wm webhook listen` says while its end waits: what for, and how to end it at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TerminalInput } from '#world/world.ts';
import { deliver, listen, startTarget } from './running-listener.ts';

const created = (taskId: string) => [{ eventType: 'TaskCreated', taskId }];

test('Ctrl-C: says at once what it is waiting for', async (context) => {
  const target = await startTarget(context);
  target.hold();
  const listener = await listen(context, `--forward-to ${target.url} --drain 300`);
  for (const [at, id] of ['A1', 'A2', 'A1'].entries())
    await deliver(listener, created(id), { key: `key-${at}` });
  await target.has(2);
  listener.interrupt();
  const [says] = await listener.prints(/^Finishing: .*$/m);
  assert.match(
    says,
    /^Finishing: 2 deliveries are being forwarded(, 1 more waits)? \(for at most [\d.]+ (s|min)\); Ctrl-C again ends now\.$/,
  );
  target.release();
  await target.has(3);
  const { status, errors } = await listener.ended;
  assert.equal(status, 0);
  assert.match(errors, /3 received, 3 forwarded\.\n$/);
});

test('nothing to wait for: prints nothing, even if a target is unreachable', async (context) => {
  const listener = await listen(context, '--forward-to http://127.0.0.1:1/ --drain 600');
  await deliver(listener, created('A1'));
  await listener.prints(/127\.0\.0\.1:1\/ cannot be reached/);
  const { status, errors } = await listener.stop();
  assert.equal(status, 0);
  assert.doesNotMatch(errors, /Finishing/);
  assert.match(errors, /1 waiting\. The next wm webhook listen forwards/);
});

test('q, then one Ctrl-C: ends at once', async (context) => {
  let press = (_text: string) => {};
  const terminal: TerminalInput = {
    takePending: async () => '',
    unread: () => {},
    listen(hear) {
      press = hear;
      return () => {};
    },
    setRaw: () => {},
  };
  const target = await startTarget(context);
  target.hold();
  const listener = await listen(context, `--forward-to ${target.url} --drain 300`, {
    columns: 200,
    input: { isTerminal: true, terminal },
  });
  await deliver(listener, created('A1'));
  await target.has(1);
  press('q');
  await listener.prints(
    /Finishing: 1 delivery is being forwarded \(for at most [\d.]+ (s|min)\); Ctrl-C again ends now\./,
  );
  press('\x03');
  const { status, errors } = await listener.ended;
  assert.equal(status, 130, errors);
});
