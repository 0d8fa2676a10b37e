// Waiting for another wm: what the user reads meanwhile and afterwards, and for how long a helper process is waited for
// that shows a prompt, or does not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lockTimeoutFailure, lockWaitMessage, waitForHelper } from '#login/lock-wait.ts';
import { createTestClock } from '#test/support/clock.ts';
import type { LockHolder } from '#world/world.ts';

const holder: LockHolder = { pid: 7, isPrompting: false, continueCommand: undefined };
const activity = 'using the sign-in work';

const messages: readonly (readonly [LockHolder | undefined, waiting: string, failed: string])[] = [
  [
    undefined,
    'Waiting for another wm, which is using the sign-in work (up to 60 s).',
    'Another wm is still using the sign-in work: it did not end in time | Unchanged. Wait until it ends, then run the command again.',
  ],
  [
    holder,
    'Waiting for process 7, which is using the sign-in work (up to 60 s).',
    'Another wm (process 7) is still using the sign-in work: it did not end in time | Unchanged. Wait until it ends, then run the command again.',
  ],
  [
    { ...holder, continueCommand: 'kill -CONT 7' },
    'Waiting for process 7, which is using the sign-in work (up to 60 s).',
    'Another wm (process 7) is still using the sign-in work: it did not end in time | Unchanged. If it was stopped, continue it: kill -CONT 7\nThen run the command again.',
  ],
  [
    { ...holder, isPrompting: true },
    'Waiting for process 7, which is using the sign-in work and is showing a prompt to unlock the keychain (up to 150 s).',
    'Another wm (process 7) is still using the sign-in work: it is showing a prompt to unlock the keychain | Unchanged. Answer the prompt, then run the command again.',
  ],
];

for (const [of, waiting, failed] of messages) {
  test(`the messages for ${JSON.stringify(of)}`, () => {
    assert.equal(lockWaitMessage(of, activity), waiting);
    const failure = lockTimeoutFailure(of, activity, 'Unchanged.');
    assert.equal(failure.code, 'other');
    assert.equal(`${failure.sentence} | ${failure.hint}`, failed);
  });
}

test('the messages for the helper of this command, which is not another process', () => {
  const words = (isPrompting: boolean) => lockWaitMessage({ ...holder, isPrompting }, activity, holder.pid);
  assert.equal(words(false), 'Still using the sign-in work (up to 60 s).');
  assert.equal(
    words(true),
    'Still using the sign-in work. The keychain shows a prompt: unlock it (up to 150 s).',
  );
});

/** Moves the clock on by half a second at a time; `promptMs`: until when a prompt is shown; `endMs`: when the helper ends. */
async function wait(promptMs: number, endMs: number) {
  const clock = createTestClock();
  const began = clock.now();
  const elapsed = () => clock.now() - began;
  let end = () => {};
  const ended = new Promise<number>((resolve) => {
    end = () => resolve(0);
  });
  const notices: number[] = [];
  let result: boolean | undefined;
  const waiting = waitForHelper(
    { clock, lock: { holder: async () => ({ ...holder, isPrompting: elapsed() < promptMs }) } },
    { ended },
    '/lock',
    () => notices.push(elapsed()),
  ).then((hasEnded) => {
    result = hasEnded;
  });
  while (result === undefined) {
    await new Promise(setImmediate);
    if (elapsed() >= endMs) end();
    await new Promise(setImmediate);
    if (result === undefined) clock.advance(500);
  }
  await waiting;
  return { result, notices, seconds: elapsed() / 1000 };
}

test('waits for a helper that ends, silently for the first three seconds', async () => {
  assert.deepEqual(await wait(0, 2500), { result: true, notices: [], seconds: 2.5 });
  const late = await wait(0, 59_000);
  assert.deepEqual([late.result, late.notices.length, late.seconds], [true, 1, 59]);
});

test('gives up on a helper that does not end after a minute, or later when its prompt is gone', async () => {
  assert.equal((await wait(0, Number.POSITIVE_INFINITY)).result, false);
  const { result, seconds } = await wait(90_000, Number.POSITIVE_INFINITY);
  assert.equal(result, false);
  assert.ok(seconds >= 90 && seconds < 92, `${seconds}`);
});

test('waits for a prompt until it is answered, or for two and a half minutes', async () => {
  const answered = await wait(140_000, 120_000);
  assert.equal(answered.result, true);
  assert.ok(answered.seconds >= 120 && answered.seconds < 122, `${answered.seconds}`);
  const never = await wait(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  assert.equal(never.result, false);
  assert.ok(never.seconds >= 150 && never.seconds < 152, `${never.seconds}`);
});
