// Suspending at night, on a terminal: picked from a list, shown in which account, asked, and left as it was where the
// answer is no or Ctrl-C.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sample, sampleTokens } from '#emulator/state/sample-ids.ts';
import { run } from '#test/support/program/program.ts';
import { control } from '#test/support/service/control.ts';
import { inFront } from '#test/support/service/intercept.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { type Stage, setStage } from '#test/support/terminal/stage.ts';
import { cursorIsShown, key, openTerminal, skip } from '#test/support/terminal/terminal.ts';

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

test('picks with the arrow keys, shows the account, suspends after confirmation', {
  skip,
}, async (context) => {
  const { stage, hooks } = await withHooks(context);
  const terminal = openTerminal(context, stage, `wm webhook suspend${thenState}`, { columns: 120 });
  // The URL comes first; then what tells two of one URL apart. What is suspended already is not among them.
  const lines = await terminal.screenShows('2 of 2');
  assert.equal(
    lines.slice(0, 3).join('\n'),
    `? Which webhook to suspend?
❯ [ ] https://hooks.example.com/first   ${hooks.first}  Active  account or space
  [ ] https://hooks.example.com/second  ${hooks.second}  Active  folder ${sample.folder} and below`,
  );
  terminal.type(key.down);
  await terminal.screenShows('❯ [ ] https://hooks.example.com/second', key.enter);
  await terminal.shows('Account Paper Lantern Studio, as Ada Fields');
  const named = `https://hooks.example.com/second (${hooks.second})`;
  const sentence = `Suspend ${named}? It delivers events for the folder 'Website' and below. (y/N)`;
  await terminal.shows(new RegExp(sentence.replace(/[?()]/g, '\\$&').replaceAll(' ', '\\s+')));
  assert.equal(await statusOf(stage, hooks.second), 'Active');
  terminal.type(`y${key.enter}`);
  await terminal.shows(
    `Suspended: ${named}, read back from the service. It delivers nothing until you resume it.`,
  );
  await terminal.shows(/status: +Suspended/);
  assert.equal(await terminal.ended, 0);
  await terminal.shows(/icanon\necho\n$/);
  assert.equal(await statusOf(stage, hooks.second), 'Suspended');
  assert.equal(await statusOf(stage, hooks.first), 'Active');
});

test('the filter finds suspended webhooks, labelled as such; picking one sends nothing', async (context) => {
  const { stage, hooks } = await withHooks(context);
  for (const TERM of ['xterm-256color', 'dumb']) {
    const terminal = openInProcess(context, stage, 'wm webhook suspend', {
      columns: 120,
      environment: { TERM },
    });
    await terminal.screenShows('2 of 2', TERM === 'dumb' ? `quiet${key.enter}` : 'quiet');
    const lines = await terminal.screenShows('1 of 3');
    const row = new RegExp(`hooks\\.example\\.com/quiet +${hooks.suspended} +already Suspended`);
    assert.match(lines.join('\n'), row);
    terminal.type(TERM === 'dumb' ? `3${key.enter}` : key.enter);
    await terminal.shows(`is already Suspended. Nothing was changed.`);
    assert.equal(await terminal.ended, 0, terminal.text);
  }
});

test('draws the picker in ASCII on a terminal that is not UTF-8', async (context) => {
  const { stage, hooks } = await withHooks(context);
  for (const environment of [{}, { NO_COLOR: '1' }]) {
    const terminal = openInProcess(context, stage, 'wm webhook suspend', {
      columns: 150,
      environment: { ...environment, LC_ALL: 'C' },
    });
    await terminal.screenShows(/^> \[ \] https.*first[\s\S]*Up\/Down: move/m, key.enter);
    await terminal.screenShows(`? Which webhook to suspend? https://hooks.example.com/first  ${hooks.first}`);
    terminal.type(key.interrupt);
    assert.equal(await terminal.ended, 130);
    assert.doesNotMatch(terminal.text, /[^\0-\x7f]/);
  }
});

test('80 columns show which of two webhooks with one URL is suspended, whatever other URLs exist', async (context) => {
  const { stage, hooks } = await withHooks(context);
  const hookUrl = 'https://hooks.example.com/quiet';
  const long = `https://hooks.example.com/${'other/'.repeat(8)}`;
  const ids: string[] = [];
  for (const parameters of [{ hookUrl }, { hookUrl: long }])
    ids.push((await call(stage.emulator, 'POST', `/webhooks?${query(parameters)}`)).body.data[0].id);
  for (const environment of [{}, { TERM: 'dumb' }, { ACCESSIBLE: '1' }]) {
    const terminal = openInProcess(context, stage, 'wm webhook suspend', { columns: 80, environment });
    await terminal.screenShows('4 of 4');
    terminal.type('TERM' in environment || 'ACCESSIBLE' in environment ? `quiet${key.enter}` : 'quiet');
    const lines = (await terminal.screenShows('2 of 5')).join('\n');
    assert.match(lines, new RegExp(`h\\S+quiet +${ids[0]}  Active`));
    assert.match(lines, new RegExp(`h\\S+quiet +${hooks.suspended}  already Suspended`));
    terminal.type(key.interrupt);
    assert.equal(await terminal.ended, 130);
  }
});

test('resume lists suspended webhooks, even a single one, and confirms the pick', async (context) => {
  const { stage, hooks } = await withHooks(context);
  const named = `https://hooks.example.com/quiet (${hooks.suspended})`;
  for (const [answer, ends, status] of [
    ['n', 2, 'Suspended'],
    ['y', 0, 'Active'],
  ] as const) {
    const terminal = openInProcess(context, stage, 'wm webhook resume --no-verify', { columns: 200 });
    const lines = await terminal.screenShows('1 of 1');
    assert.match(lines.join('\n'), /❯ \[ \] https:\/\/hooks\.example\.com\/quiet/);
    assert.doesNotMatch(lines.join('\n'), /first|second/);
    terminal.type(key.enter);
    await terminal.shows(`Resume ${named}? It will deliver events for the account or a space. (y/N)`);
    terminal.type(`${answer}${key.enter}`);
    assert.equal(await terminal.ended, ends);
    assert.equal(await statusOf(stage, hooks.suspended), status);
  }
  // The answer that was given in advance.
  await call(stage.emulator, 'PUT', `/webhooks/${hooks.suspended}?status=Suspended`);
  const yes = openInProcess(context, stage, 'wm webhook resume --yes');
  await yes.screenShows('1 of 1', key.enter);
  await yes.shows(`Resumed: ${named}, read back from the service.`);
  assert.equal(await yes.ended, 0);
  // Who names an id is not asked.
  await call(stage.emulator, 'PUT', `/webhooks/${hooks.suspended}?status=Suspended`);
  const secondTerminal = openInProcess(context, stage, `wm webhook resume ${hooks.suspended} --no-verify`);
  await secondTerminal.shows('Resumed: ');
  assert.equal(await secondTerminal.ended, 0);
});

test('with no webhook to suspend, the error gives their statuses', async (context) => {
  const { stage, hooks } = await withHooks(context);
  for (const id of [hooks.first, hooks.second])
    await call(stage.emulator, 'PUT', `/webhooks/${id}?status=Suspended`);
  const terminal = openInProcess(context, stage, 'wm webhook suspend');
  await terminal.shows('wm: No webhook to suspend\n  all 3 are already Suspended\n');
  await terminal.shows('application are listed');
  assert.equal(await terminal.ended, 5);
});

test('suspends and resumes a webhook with an unknown status', async (context) => {
  const { stage, hooks } = await withHooks(context);
  const host = await inFront(context, stage.emulator.host, ({ method, url }, response) => {
    if (method !== 'GET' || !url?.endsWith('/webhooks')) return false;
    const hookUrl = 'https://hooks.example.com/odd';
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ kind: 'webhooks', data: [{ id: hooks.first, hookUrl, status: 'Throttled' }] }),
    );
    return true;
  });
  for (const verb of ['suspend', 'resume']) {
    const terminal = openInProcess(context, stage, `wm webhook ${verb}`, { environment: { WM_HOST: host } });
    await terminal.screenShows(/❯ \[ \] https:\/\/hooks\.example\.com\/odd {2}\w+ {2}Throttled/);
    terminal.type(key.interrupt);
    assert.equal(await terminal.ended, 130);
  }
});

for (const [how, title, faults] of [
  ['answered', `'Website'`, []],
  ['forbidden', sample.folder, [{ request: 'listFolders', status: 403, error: 'access_forbidden' }]],
  ['cut off', sample.folder, [{ request: 'listFolders', cutAfter: 0, times: 9 }]],
  ['never answered', sample.folder, [{ request: 'listFolders', silence: true, times: 9 }]],
] as const) {
  test(`the folder title lookup is ${how}: the webhook can be suspended`, async (context) => {
    const { stage, hooks } = await withHooks(context);
    for (const fault of faults) await control(stage.emulator, 'POST', '/faults', fault);
    const terminal = openInProcess(context, stage, `wm webhook suspend ${hooks.second}`, { columns: 200 });
    await terminal.shows(`It delivers events for the folder ${title} and below. (y/N)`, `y${key.enter}`);
    assert.equal(await terminal.ended, 0);
    assert.equal(await statusOf(stage, hooks.second), 'Suspended');
  });
}

for (const [name, answer] of [
  ['no', 'n'],
  ['Enter alone', ''],
] as const) {
  test(`${name} changes nothing`, async (context) => {
    const { stage, hooks } = await withHooks(context);
    const terminal = openInProcess(context, stage, `wm webhook suspend ${hooks.first}`);
    await terminal.shows(`Suspend https://hooks.example.com/first (${hooks.first})?`);
    await terminal.shows('(y/N)', `${answer}${key.enter}`);
    await terminal.shows('Not confirmed; nothing was done');
    assert.equal(await terminal.ended, 2);
    assert.equal(await statusOf(stage, hooks.first), 'Active');
  });
}

test('Ctrl-C in the list changes nothing', { skip }, async (context) => {
  const { stage, hooks } = await withHooks(context);
  const terminal = openTerminal(context, stage, `wm webhook suspend${thenState}`);
  await terminal.shows(/hooks\.example\.com\/second/, key.interrupt);
  await terminal.shows('wm: Interrupted');
  assert.equal(await terminal.ended, 130);
  await terminal.shows(/icanon\necho\n$/);
  assert.ok(cursorIsShown(terminal.raw));
  assert.equal(await statusOf(stage, hooks.first), 'Active');
  assert.equal(await statusOf(stage, hooks.second), 'Active');
});

test('Ctrl-C at the confirmation changes nothing', async (context) => {
  const { stage, hooks } = await withHooks(context);
  const terminal = openInProcess(context, stage, `wm webhook suspend ${hooks.first}`);
  await terminal.shows('(y/N)', key.interrupt);
  await terminal.shows('wm: Interrupted');
  assert.equal(await terminal.ended, 130);
  assert.ok(cursorIsShown(terminal.raw));
  assert.equal(await statusOf(stage, hooks.first), 'Active');
});

test('prompts on the terminal while the result goes to a pipe', {
  skip,
}, async (context) => {
  const { stage, hooks } = await withHooks(context);
  const terminal = openTerminal(context, stage, 'wm webhook suspend > result; cat -A result');
  await terminal.shows('❯ [ ] https://hooks.example.com/first', key.enter);
  await terminal.shows('(y/N)', `y${key.enter}`);
  await terminal.shows(`\n${hooks.first}^ISuspended^Iaccount or space^Ihttps://hooks.example.com/first^I`);
  assert.equal(await terminal.ended, 0);
});

test('reports that there is nothing to pick from', async (context) => {
  const stage = await setStage(context);
  const terminal = openInProcess(context, stage, 'wm webhook suspend');
  await terminal.shows('No webhook to suspend');
  await terminal.shows('application are listed');
  assert.equal(await terminal.ended, 5);
});

test('picks the account in the same way', async (context) => {
  const stage = await setStage(context, { signedOut: true });
  const { environment } = stage;
  for (const name of ['ada', 'ben'] as const) {
    const words = ['login', '--with-token', '-q', '--profile', name];
    const { status, errors } = await run(words, { environment, input: sampleTokens[name] });
    assert.equal(status, 0, errors);
  }
  const terminal = openInProcess(context, stage, 'wm auth switch');
  await terminal.shows('Which account?');
  await terminal.screenShows(/❯ ada {2}Ada Fields {2}Paper Lantern Studio/, 'okafor');
  await terminal.screenShows(/❯ ben {2}Ben Okafor.*\n {2}1 of 2/, key.enter);
  await terminal.shows('wm now uses the profile ben.');
  assert.equal(await terminal.ended, 0);
  const whoami = await run(['whoami', '--json'], { environment });
  assert.match(whoami.output, /Ben Okafor/);
});
