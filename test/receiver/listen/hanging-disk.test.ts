// The end of `wm webhook listen` while the disk does not respond: it comes in time, and says what is not written.

import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { printWithin, within } from '#receiver/listen/stop-receiver.ts';
import { createTestClock } from '#test/support/clock.ts';
import { createFaultySystem } from '#test/support/disk/faulty-system.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { createFiles } from '#world/files.ts';
import { deliver, listen, startTarget } from './running-listener.ts';

const created = (taskId: string) => [{ eventType: 'TaskCreated', taskId }];

/** A receiver whose disk hangs from the first of such calls after `hang` on. */
async function onHangingDisk(context: TestContext, typed: string) {
  const folder = await ownFolder(context);
  const faulty = createFaultySystem();
  const waiting: (() => void)[] = [];
  context.after(() => {
    faulty.before = () => undefined;
    for (const respond of waiting) respond();
  });
  const files = createFiles({ WM_CONFIG_DIR: folder }, process.platform, folder, undefined, faulty.system);
  const clock = createTestClock();
  const listener = await listen(context, typed, { folder, world: { files, clock } });
  const hang = (calls: RegExp) =>
    new Promise<void>((reached) => {
      faulty.before = (call) => {
        if (!calls.test(call)) return undefined;
        reached();
        return new Promise<void>((respond) => waiting.push(respond));
      };
    });
  /** Until it has ended, whatever it waits for. */
  const pass = async () => {
    let isOver = false;
    void listener.ended.then(() => {
      isOver = true;
    });
    for (let seconds = 0; !isOver; seconds++) {
      clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
      if (seconds > 10_000) assert.fail(`it has not ended: ${listener.errors}`);
    }
    return listener.ended;
  };
  return { listener, hang, pass };
}

const says =
  /wm: Ended by SIGTERM: the disk did not respond, so not everything is written\n {2}No acknowledged delivery is lost, /;

test('SIGTERM while a delivery waits for the disk', async (context) => {
  const { listener, hang, pass } = await onHangingDisk(context, '--forward-to http://127.0.0.1:1/');
  const hanging = hang(/^sync .*\.journal/);
  const response = deliver(listener, created('A1'), { key: 'a' }).catch(() => 0);
  await hanging;
  listener.interrupt('SIGTERM');
  const { status, errors } = await pass();
  assert.equal(status, 143, errors);
  assert.match(errors, says);
  assert.match(errors, /^0 received, 1 rejected \(1 could not be stored\)\.$/m);
  assert.notEqual(await response, 200);
});

test('SIGTERM while the disk hangs on the record of a forwarded delivery', async (context) => {
  const target = await startTarget(context);
  target.hold();
  const { listener, hang, pass } = await onHangingDisk(context, `--forward-to ${target.url}`);
  await deliver(listener, created('A1'), { key: 'a' });
  await target.has(1);
  void hang(/^sync .*\.journal/);
  target.release();
  listener.interrupt('SIGTERM');
  const { status, errors } = await pass();
  assert.equal(status, 143, errors);
  assert.match(errors, says);
});

test('reports whether work finishes in time', async () => {
  const clock = createTestClock();
  assert.equal(await within({ clock }, 1_000, Promise.resolve()), true);
  const late = within({ clock }, 1_000, new Promise(() => {}));
  clock.advance(1_000);
  assert.equal(await late, false);
  await assert.rejects(within({ clock }, 1_000, Promise.reject(new Error('no disk'))), /no disk/);
});

test('an output written in time is not given up', async () => {
  const clock = createTestClock();
  let givenUp = 0;
  const output = {
    isTerminal: false,
    columns: undefined,
    write: async () => {},
    raw: new PassThrough(),
    abandon: () => void givenUp++,
  };
  await printWithin({ clock }, output, Promise.resolve());
  assert.equal(givenUp, 0);
});
