// `wm webhook rotate-secret` on a terminal, also one that cannot move the cursor: the plan, the secret for the receiver, and a pause
// until the receiver knows it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { respondRightly, startReceiver } from '../verification/receivers.ts';
import { newSecret, oldSecret } from './rotating.ts';

test('a generated secret, a pause, and the rest, TERM=xterm-256color', async (context) => {
  const stage = await setStage(context, { emulator: { allowLocalHooks: true } });
  const knows = [oldSecret];
  const receiver = await startReceiver(context, async (arrived) => {
    const responses = await Promise.all(knows.map((key) => respondRightly(key)(arrived)));
    return responses.find(({ status }) => status === 200) ?? { status: 401 };
  });
  const setting = { environment: { TERM: 'xterm-256color' }, columns: 160, rows: 60 };
  const wm = (line: string) => openInProcess(context, stage, line, setting);
  const create = wm(`WM_WEBHOOK_SECRET=${oldSecret} wm webhook create ${receiver.url} --events TaskCreated`);
  assert.equal(await create.ended, 0, create.text);

  const line = 'wm webhook rotate-secret hook --generate-secret --within 300';
  const declined = wm(line);
  await declined.shows('Account ');
  await declined.shows('4. wm suspends the old webhook');
  await declined.shows(/Rotate the secret of webhook \w+\?/, key.enter);
  assert.equal(await declined.ended, 2);
  assert.doesNotMatch(declined.text, /^[0-9a-f]{64}$/m);

  const first = wm(line);
  await first.shows(/Rotate the secret of webhook \w+\?/, `y${key.enter}`);
  const [secret] = await first.shows(/^[0-9a-f]{64}$/m);
  await first.shows('know the new secret now?', key.enter);
  assert.equal(await first.ended, 10, first.text);
  assert.match(first.text, /Once it does: wm webhook rotate-secret \w+/);

  const list = wm('wm webhook list -q');
  assert.equal(await list.ended, 0, list.text);
  assert.match(list.text, /^status +url +scope +rotation +id\r?\n.* under way: no successor yet +IEA/m);

  const second = wm(line);
  await second.shows('Continue this rotation?', `y${key.enter}`);
  await second.shows('handshake: ');
  await second.shows('Check the receiver again?');
  knows.push(secret);
  second.type(`y${key.enter}`);
  await second.shows('Created: the successor');
  assert.equal(await second.ended, 0, second.text);
  assert.ok(!second.text.includes(secret), 'it is printed once');
});

test('a typed secret, and a receiver that does not learn it', async (context) => {
  const stage = await setStage(context, { emulator: { allowLocalHooks: true } });
  const receiver = await startReceiver(context, respondRightly(oldSecret));
  const wm = (line: string) =>
    openInProcess(context, stage, line, { environment: { TERM: 'dumb' }, columns: 160 });
  const create = wm(`WM_WEBHOOK_SECRET=${oldSecret} wm webhook create ${receiver.url} --events TaskCreated`);
  assert.equal(await create.ended, 0, create.text);
  const line = 'wm webhook rotate-secret hook --within 300';
  const first = wm(line);
  await first.shows('New secret of the webhook', `${newSecret}${key.enter}`);
  await first.shows(/Rotate the secret of webhook \w+\?/, `y${key.enter}`);
  await first.shows('Check the receiver again?', key.enter);
  assert.equal(await first.ended, 10, first.text);
  assert.match(first.text, /no successor was\s+created/);
  const third = wm(line);
  await third.shows('New secret of the webhook', `something else 1${key.enter}`);
  assert.equal(await third.ended, 2);
  assert.match(third.text, /The secret of the prompt is not the one with which the rotation began/);
  const abort = wm('wm webhook rotate-secret hook --abort');
  await abort.shows('The rotation has no successor yet');
  await abort.shows(/Abort the rotation of webhook \w+\?/, `y${key.enter}`);
  assert.equal(await abort.ended, 0, abort.text);
});
