// Suspending at night, on a terminal: picked from a list, shown in which account, asked, and left as it was where the
// answer is no or Ctrl-C.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sample, sampleTokens } from '../../src/emulator/sample-ids.ts';
import { call, query } from '../emulator/start.ts';
import { type Stage, setStage } from '../transcript/stage.ts';
import { cursorIsShown, key, openTerminal, skip } from './terminal.ts';

interface Hooks {
  readonly first: string;
  readonly second: string;
  readonly suspended: string;
}

async function withHooks(context: TestContext): Promise<{ stage: Stage; hooks: Hooks }> {
  const stage = await setStage(context);
  const create = async (place: string, parameters: Record<string, unknown>): Promise<string> => {
    const { body } = await call(stage.emulator, 'POST', `${place}/webhooks?${query(parameters)}`);
    return body.data[0].id;
  };
  const suspended = await create('', { hookUrl: 'https://hooks.example.com/quiet' });
  await call(stage.emulator, 'PUT', `/webhooks/${suspended}?status=Suspended`);
  const first = await create('', { hookUrl: 'https://hooks.example.com/first' });
  const place = `/folders/${sample.folder}`;
  const second = await create(place, { hookUrl: 'https://hooks.example.com/second', recursive: true });
  return { stage, hooks: { first, second, suspended } };
}

async function statusOf({ emulator }: Stage, id: string): Promise<string> {
  return (await call(emulator, 'GET', `/webhooks/${id}`)).body.data[0].status;
}

/** Says afterwards, as the terminal itself has it, whether lines and echo are on again. */
const thenState = '; code=$?; stty -a | tr " ;" "\\n\\n" | grep -x -e "-*icanon" -e "-*echo"; exit $code';

test('picks with the arrow keys, shows the account, suspends after a yes', { skip }, async (context) => {
  const { stage, hooks } = await withHooks(context);
  const terminal = openTerminal(context, stage, `wm webhook suspend${thenState}`);
  await terminal.shows('Which webhook to suspend?');
  // Those that can be suspended come first; each with its status, scope and URL.
  await terminal.shows(/❯ Active {5}account or space +https:\/\/hooks\.example\.com\/first/);
  await terminal.shows(
    /Active {5}folder IEAAAAAQI4AB5FLD and below {2}https:\/\/hooks\.example\.com\/second/,
  );
  await terminal.shows(/Suspended {2}account or space +https:\/\/hooks\.example\.com\/quiet/);
  terminal.type(key.down);
  await terminal.shows(/❯ Active {5}folder/);
  terminal.type(key.enter);
  await terminal.shows('Account Paper Lantern Studio, as Ada Fields');
  await terminal.shows(`Active  folder ${sample.folder} and below  https://hooks.example.com/second`);
  await terminal.shows(`Suspend webhook ${hooks.second}? (y/N)`);
  assert.equal(await statusOf(stage, hooks.second), 'Active');
  terminal.type(`y${key.enter}`);
  await terminal.shows(`Webhook ${hooks.second} is Suspended: read back from the service.`);
  await terminal.shows(/status: +Suspended/);
  assert.equal(await terminal.ended, 0);
  await terminal.shows(/icanon\necho\n$/);
  assert.equal(await statusOf(stage, hooks.second), 'Suspended');
  assert.equal(await statusOf(stage, hooks.first), 'Active');
});

for (const [name, answer] of [
  ['no', 'n'],
  ['Enter alone', ''],
] as const) {
  test(`${name} changes nothing`, { skip }, async (context) => {
    const { stage, hooks } = await withHooks(context);
    const terminal = openTerminal(context, stage, `wm webhook suspend ${hooks.first}`);
    await terminal.shows(`Suspend webhook ${hooks.first}? (y/N)`);
    terminal.type(`${answer}${key.enter}`);
    await terminal.shows('Not confirmed, so nothing was done');
    assert.equal(await terminal.ended, 2);
    assert.equal(await statusOf(stage, hooks.first), 'Active');
  });
}

for (const where of ['in the list', 'at the question'] as const) {
  test(`Ctrl-C ${where} leaves everything as it was`, { skip }, async (context) => {
    const { stage, hooks } = await withHooks(context);
    const id = where === 'in the list' ? '' : ` ${hooks.first}`;
    const terminal = openTerminal(context, stage, `wm webhook suspend${id}${thenState}`);
    await terminal.shows(where === 'in the list' ? /hooks\.example\.com\/quiet/ : '(y/N)');
    terminal.type(key.interrupt);
    await terminal.shows('wm: Interrupted');
    assert.equal(await terminal.ended, 130);
    await terminal.shows(/icanon\necho\n$/);
    assert.ok(cursorIsShown(terminal.raw));
    assert.equal(await statusOf(stage, hooks.first), 'Active');
    assert.equal(await statusOf(stage, hooks.second), 'Active');
  });
}

test('with the result in a pipe, the questions are on the terminal all the same', {
  skip,
}, async (context) => {
  const { stage, hooks } = await withHooks(context);
  const terminal = openTerminal(context, stage, 'wm webhook suspend > result; cat -A result');
  await terminal.shows('❯ Active');
  terminal.type(key.enter);
  await terminal.shows('(y/N)');
  terminal.type(`y${key.enter}`);
  await terminal.shows(`\n${hooks.first}^ISuspended^Iaccount or space^Ihttps://hooks.example.com/first^I$\n`);
  assert.equal(await terminal.ended, 0);
});

test('nothing to pick from says so', { skip }, async (context) => {
  const stage = await setStage(context);
  const terminal = openTerminal(context, stage, 'wm webhook suspend');
  await terminal.shows('There is no webhook to suspend');
  await terminal.shows('others may exist');
  assert.equal(await terminal.ended, 5);
});

test('the account to use is picked in the same way', { skip }, async (context) => {
  const stage = await setStage(context, { signedOut: true });
  const keep = (name: string, token: string) =>
    `printf %s ${token} | wm login --with-token -q --profile ${name}`;
  const kept = `${keep('ada', sampleTokens.ada)} && ${keep('ben', sampleTokens.ben)}`;
  const terminal = openTerminal(context, stage, `${kept} && wm auth switch && wm whoami`);
  await terminal.shows('Which account?');
  await terminal.shows(/❯ ada {2}Ada Fields {2}Paper Lantern Studio/);
  terminal.type(`${key.down}${key.enter}`);
  await terminal.shows('The profile ben is used from now on.');
  await terminal.shows(/user: +Ben Okafor/);
  assert.equal(await terminal.ended, 0);
});
