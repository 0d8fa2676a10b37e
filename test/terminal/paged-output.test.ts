// Long tables through the user's pager, mostly on a real terminal: when it starts, who waits for whom, and what happens if it is
// quit, interrupted, or missing. The pagers are scripts, since not every system has `less`.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { type Stage, setStage } from '#test/support/terminal/stage.ts';
import { key, type Setting, skip } from '#test/support/terminal/terminal.ts';
import { startPagedService, tasksFrom } from '../tasks/query/paged-service.ts';
import { lastEvent, openWithPager, stageWithPagers, trapped } from './pagers.ts';

const thenStatus = '; echo "status $?"';

/** What `wm`, in this process, has its pager show: one that writes a file, and whatever the terminal shows beside it. */
async function paged(context: TestContext, stage: Stage, line: string, environment: Setting['environment']) {
  const terminal = openInProcess(context, stage, line, { environment: { NO_COLOR: '1', ...environment } });
  assert.equal(await terminal.ended, 0, terminal.text);
  return { pager: await readFile(join(stage.folder, 'paged'), 'utf8'), terminal: terminal.text };
}

test('shows the table in the pager and waits for it to end', { skip }, async (context) => {
  const stage = await stageWithPagers(context);
  const said = 'PAGER FRX -c\n';
  const terminal = openWithPager(context, stage, `wm webhook events${thenStatus}`, { PAGER: 'whole' });
  await terminal.shows('key? ');
  assert.ok(!terminal.text.includes('status 0'), terminal.text);
  terminal.type(`x${key.enter}`);
  await terminal.shows('bye x\n');
  await terminal.shows('status 0\n');
  assert.equal(await terminal.ended, 0);
  assert.ok(terminal.text.includes(said), terminal.text);
  assert.ok(terminal.text.indexOf(said) < terminal.text.indexOf(lastEvent), terminal.text);
  assert.equal(terminal.text.split(lastEvent).length, 2, terminal.text);

  for (const [environment, begin] of [
    [{ PAGER: 'broken', WM_PAGER: 'filed', LESS: 'S', LV: '' }, 'PAGER S \n'],
    // A line for the shell.
    [{ WM_PAGER: 'LESS="$HOME" filed | cat' }, `PAGER ${stage.folder} -c\n`],
  ] as const) {
    const shown = await paged(context, stage, 'wm webhook events', environment);
    assert.ok(shown.pager.startsWith(begin), shown.pager);
    assert.equal(shown.pager.split(lastEvent).length, 2, shown.pager);
    assert.equal(shown.terminal, '');
  }
});

test('pages help: the first page, all of it, and a topic; --no-pager prints it', {
  skip,
}, async (context) => {
  const stage = await stageWithPagers(context);
  for (const line of ['wm --help', 'wm task update --help all', 'wm webhook', 'wm help exit-codes']) {
    const { pager, terminal } = await paged(context, stage, line, { PAGER: 'filed' });
    const plain = openInProcess(context, stage, `${line} --no-pager`, {
      environment: { NO_COLOR: '1', PAGER: 'broken' },
    });
    assert.equal(await plain.ended, 0);
    assert.deepEqual([pager, terminal], [`PAGER FRX -c\n${plain.text}`, '']);
  }
  for (const [environment, begin] of [
    [{ CI: 'true' }, /^Usage: wm COMMAND /],
    [{}, /^The pager "broken" failed with status 3\.[\s\S]*\nUsage: wm COMMAND /],
  ] as const) {
    const help = openInProcess(context, stage, 'wm --help', {
      environment: { PAGER: 'broken', ...environment },
    });
    assert.equal(await help.ended, 0);
    assert.match(help.text, begin);
  }
});

test('keeps secrets out of the environment of the pager', { skip }, async (context) => {
  const stage = await stageWithPagers(context);
  const { pager } = await paged(context, stage, 'wm webhook events', {
    WM_PAGER: 'env > "$HOME/paged"; cat > /dev/null',
    WM_TOKEN: 'canary-token',
    WM_CLIENT_SECRET: 'canary-client',
    WM_WEBHOOK_SECRET: 'canary-webhook',
  });
  assert.match(pager, /^WM_PAGER=/m);
  assert.doesNotMatch(pager, /canary/);
});

test('pages a folder tree', { skip }, async (context) => {
  const stage = await stageWithPagers(context);
  const { pager } = await paged(context, stage, 'wm folder list', { PAGER: 'filed' });
  assert.match(pager, /^PAGER FRX -c\n[\s\S]*└─/);
});

for (const [how, line, environment] of [
  ['--no-pager', 'wm webhook events --no-pager', {}],
  ['WM_PAGER=cat', 'wm webhook events', { WM_PAGER: 'cat' }],
  ['an empty PAGER', 'wm webhook events', { PAGER: '' }],
  ['TERM=dumb', 'wm webhook events', { TERM: 'dumb' }],
  ['a screen reader', 'wm webhook events', { ACCESSIBLE: '1' }],
  ['CI', 'wm webhook events', { CI: 'true' }],
  ['--no-input', 'wm webhook events --no-input', {}],
  ['JSON', 'wm webhook events --json', {}],
  ['no rows', 'wm webhook list', {}],
  ['a single record', `wm task get ${sample.task}`, {}],
] as const) {
  test(`${how}: no pager`, async (context) => {
    const stage = await stageWithPagers(context);
    const terminal = openInProcess(context, stage, line, {
      environment: { NO_COLOR: '1', PAGER: 'whole', ...environment },
    });
    assert.equal(await terminal.ended, 0, terminal.text);
    assert.ok(!terminal.text.includes('PAGER'), terminal.text);
    if (line.includes('events')) assert.ok(terminal.text.includes(lastEvent), terminal.text);
  });
}

for (const [pager, why] of [
  ['no-such-pager', 'Cannot start the pager "no-such-pager".'],
  ['no-such-pager -R', 'The pager "no-such-pager -R" failed with status 127.'],
  ['broken', 'The pager "broken" failed with status 3.'],
  ['exit 128', 'The pager "exit 128" failed with status 128.'],
  ['exit 255', 'The pager "exit 255" failed with status 255.'],
  ['kill -SEGV $$', 'The pager "kill -SEGV $$" failed with status 139.'],
] as const) {
  test(`${pager}: a warning, and the table without a pager`, { skip }, async (context) => {
    const stage = await stageWithPagers(context);
    const service = await startPagedService(
      context,
      (index) => [{ tasks: tasksFrom(1, 2) }, { tasks: tasksFrom(3, 1) }][index],
    );
    const environment = { ...service.environment, WM_PAGER: pager };
    // A shell writes its own error on the real terminal.
    const terminal =
      pager === 'no-such-pager -R'
        ? openWithPager(context, stage, 'wm task list', environment)
        : openInProcess(context, stage, 'wm task list', { environment: { NO_COLOR: '1', ...environment } });
    await terminal.shows(`${why} Set WM_PAGER to another program, or use --no-pager.`);
    for (const title of ['Task 1', 'Task 2', 'Task 3']) await terminal.shows(title);
    assert.equal(await terminal.ended, 0);
    assert.equal(terminal.text.split('Task 2').length, 2, terminal.text);
  });
}

test('quitting before the last page: no further requests, and status 0', { skip }, async (context) => {
  const stage = await stageWithPagers(context);
  let answer = () => {};
  const gate = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const service = await startPagedService(
    context,
    (index) => [{ tasks: tasksFrom(1, 2) }, { tasks: tasksFrom(3, 2), gate }, { tasks: [] }][index],
  );
  const terminal = openWithPager(context, stage, 'wm task list', { ...service.environment, PAGER: 'lines' });
  await terminal.shows('key? ');
  await service.arrived(2);
  terminal.type(`q${key.enter}`);
  await terminal.shows('quit\n');
  answer();
  assert.equal(await terminal.ended, 0);
  assert.equal(service.targets.length, 2);
  assert.match(terminal.text, /quit\n$/);
});

test('prints messages and errors after the pager ends', { skip }, async (context) => {
  const stage = await stageWithPagers(context);
  const service = await startPagedService(
    context,
    (index) => [{ tasks: tasksFrom(1, 2) }, { tasks: tasksFrom(3, 1) }, { tasks: [], status: 400 }][index],
  );
  const terminal = openWithPager(context, stage, 'wm task list --verbose', {
    ...service.environment,
    PAGER: 'lines',
  });
  await terminal.shows('key? ');
  // By then the response before it has been reported.
  await service.arrived(3);
  assert.ok(!terminal.text.includes('nextPageToken=p1'), terminal.text);
  terminal.type(`x${key.enter}`);
  await terminal.shows('Task 3');
  await terminal.shows('bye x\n');
  await terminal.shows('nextPageToken=p1');
  await terminal.shows('wm: ');
  await terminal.shows('A fault of the test');
  assert.notEqual(await terminal.ended, 0);
});

test('leaves Ctrl-C to the pager: if the pager continues, so does wm', { skip }, async (context) => {
  const stage = await stageWithPagers(context);
  const terminal = openWithPager(context, stage, `${trapped}wm webhook events${thenStatus}`, {
    PAGER: 'deaf',
  });
  await terminal.shows('key? ', key.interrupt);
  terminal.type(`x${key.enter}`);
  await terminal.shows('bye x\n');
  await terminal.shows('status 0\n');
  assert.equal(await terminal.ended, 0);
});

test('uses less without PAGER, like git', { skip }, async (context) => {
  const commands = { less: '{ printf "PAGER less %s\\n" "$LESS"; cat; } > "$HOME/paged"' };
  const stage = await setStage(context, { commands });
  const { pager, terminal } = await paged(context, stage, 'env -u PAGER wm webhook events', {});
  assert.match(pager, /^PAGER less FRX\n/);
  assert.equal(terminal, '');
});
