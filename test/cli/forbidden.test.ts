// A 403 has several causes, and each its own remedy: every command in a hint is run as it was printed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { printedCommand } from '#test/support/program/printed.ts';
import { signedOut } from '#test/support/program/signed-out.ts';

const usualHint = /^ {2}Ask an administrator of the account for access;/m;
const inTheBin = 'IEAAAAAQKQAB5BIN';
const task = 'IEAAAAAQKQAB5BNG';

test('a task in the recycle bin: restore it', async (context) => {
  const { wm, task: read } = await emulated(context);
  assert.equal((await read(inTheBin)).scope, 'RbTask');
  const update = ['task', 'update', inTheBin, '--title', 'Back again'];
  for (const more of [[], ['--undoable']]) {
    const denied = await wm([...update, ...more], { exit: 3 });
    assert.match(
      denied.errors,
      /^ {2}The task is in the recycle bin\. Add --restore, or restore it first: /m,
    );
    assert.doesNotMatch(denied.errors, usualHint);
    assert.deepEqual(printedCommand(denied.errors, 'first: '), ['task', 'update', inTheBin, '--restore']);
  }
  await wm([...update, '--restore'], { exit: 0 });
  assert.equal((await read(inTheBin)).title, 'Back again');
});

test('a task in the recycle bin: the command in the hint restores it', async (context) => {
  const { wm, task: read } = await emulated(context);
  const denied = await wm(['task', 'update', inTheBin, '--title', 'x']);
  await wm(printedCommand(denied.errors, 'first: '), { exit: 0 });
  assert.equal((await read(inTheBin)).scope, 'WsTask');
});

test('a licence that is too low: names the action that it does not include', async (context) => {
  const { wm, control } = await emulated(context);
  const { userId } = JSON.parse((await wm(['whoami', '--json'])).output);
  await control(`users/${userId}`, { licence: 'lowest' });
  const denied = await wm(['task', 'update', task, '--status', 'Completed'], { exit: 3 });
  assert.match(
    denied.errors,
    /^ {2}The licence may not include setting the status Completed\. The lowest one allows only Active; /m,
  );
  assert.doesNotMatch(denied.errors, usualHint);
});

test('another 403: suggests asking an administrator', async (context) => {
  const { wm, control } = await emulated(context);
  const { userId } = JSON.parse((await wm(['whoami', '--json'])).output);
  await control(`users/${userId}`, { denied: [task] });
  const denied = await wm(['task', 'get', task], { exit: 3 });
  assert.match(denied.errors, usualHint);
});

test('a missing scope: names it and the command that requests it', async (context) => {
  const { signIn, wm } = await signedOut(context);
  await signIn('login', '--profile', 'work', '--scope', 'amReadOnlyUser,wsReadOnly');
  const update = ['task', 'update', task, '--title', 'x', '--profile', 'work'];
  const denied = await wm(update, { exit: 3 });
  assert.match(
    denied.errors,
    /^ {2}This needs one of the scopes Default, wsReadWrite; your sign-in has amReadOnlyUser, wsReadOnly\.$/m,
  );
  const byPath = await wm(['api', 'PUT', `/tasks/${task}`, '-f', 'title=x', '--yes', '--profile', 'work']);
  assert.match(byPath.errors, /^ {2}This needs one of the scopes Default, wsReadWrite; /m);
  const again = printedCommand(denied.errors, 'with more: ');
  const scopes = 'amReadOnlyUser,wsReadOnly,wsReadWrite';
  assert.deepEqual(again, ['login', '--profile', 'work', '--scope', scopes]);
  await signIn(...again);
  await wm(update, { exit: 0 });
});

test('a sign-in without requested scopes has the default scope', async (context) => {
  const { signIn, wm } = await signedOut(context);
  await signIn('login');
  const update = ['task', 'update', task, '--status', 'Completed'];
  await wm(update, { exit: 0 });
});
