// Tables on a terminal: a header, the terminal's width, colours where they are wanted. In a pipe none of it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '../../src/emulator/sample-ids.ts';
import { call, query } from '../emulator/start.ts';
import { setStage } from '../transcript/stage.ts';
import { openTerminal, type Setting, skip } from './terminal.ts';

const longUrl = 'https://hooks.example.com/a/rather/long/path/that/needs/much/more/room/than/there/is';

test('no line is longer than the terminal, and an id is whole', { skip }, async (context) => {
  const stage = await setStage(context);
  const { body } = await call(stage.emulator, 'POST', `/webhooks?${query({ hookUrl: longUrl })}`);
  const id: string = body.data[0].id;
  const lines = async (line: string, columns: number) => {
    const terminal = openTerminal(context, stage, line, { columns });
    assert.equal(await terminal.ended, 0, terminal.text);
    return terminal.text.trimEnd().split('\n');
  };
  for (const columns of [60, 80, 200]) {
    const hooks = await lines('wm webhook list -q', columns);
    assert.match(hooks[0] ?? '', /^id +status +scope +url/);
    assert.ok(hooks[1]?.startsWith(`${id}  Active`), hooks[1]);
    // What does not fit goes on below, in its column.
    assert.equal(hooks.length > 2, columns < 200);
    assert.equal(hooks[1]?.includes(longUrl), columns === 200);

    const tasks = await lines(`wm task get ${sample.task} ${sample.bug} ${sample.milestone}`, columns);
    assert.match(tasks[0] ?? '', /^id +status +title/);
    assert.ok(
      tasks.some((line) => line.startsWith(`${sample.bug}  Active  The `)),
      tasks.join('\n'),
    );
    assert.ok(tasks.length >= 4);

    const events = await lines('wm webhook events', columns);
    assert.ok(events.some((line) => line.startsWith('CreateFromBlueprintCompleted  ')));
    assert.ok(events.length >= 46);
    for (const line of [...hooks, ...tasks, ...events])
      assert.ok(line.length <= columns, `${line.length}: ${line}`);
  }
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
const introducer = /\x1b/;

test('colours where a terminal shows them, and nobody asked for none', { skip }, async (context) => {
  const stage = await setStage(context);
  const coloured = async (line: string, environment: Setting['environment'] = {}) => {
    const terminal = openTerminal(context, stage, line, { environment });
    await terminal.ended;
    return introducer.test(terminal.raw);
  };
  const get = `wm task get ${sample.task}`;
  for (const line of [get, `${get} ${sample.bug}`, 'wm nonsense']) {
    assert.equal(await coloured(line), true, line);
    assert.equal(await coloured(`${line} --no-color`), false, line);
    assert.equal(await coloured(line, { NO_COLOR: '1' }), false, line);
    assert.equal(await coloured(line, { NO_COLOR: '1', CLICOLOR_FORCE: '1' }), false, line);
    assert.equal(await coloured(line, { TERM: 'dumb' }), false, line);
  }
  assert.equal(await coloured(`${get} --json`), false);
});

test('in a pipe no header and no colour, unless colour is forced', { skip }, async (context) => {
  const stage = await setStage(context);
  const piped = async (line: string, environment: Setting['environment'] = {}) => {
    const terminal = openTerminal(context, stage, `${line} > out 2> err`, { environment });
    await terminal.ended;
    const read = (name: string) => readFile(join(stage.folder, name), 'utf8');
    return { output: await read('out'), errors: await read('err') };
  };
  const { output } = await piped(`wm task get ${sample.task}`);
  assert.match(output, /^IEAAAAAQKQAB5BNG\tActive\tWrite the launch page\t[^\n]*\n$/);
  assert.doesNotMatch(output, introducer);
  const several = await piped(`wm task get ${sample.task} ${sample.bug}`);
  assert.match(several.output, /^IEAAAAAQKQAB5BNG\t[^\n]*\nIEAAAAAQKQAB5BUG\t[^\n]*\n$/);
  assert.doesNotMatch((await piped('wm nonsense')).errors, introducer);
  assert.match((await piped('wm nonsense', { CLICOLOR_FORCE: '1' })).errors, introducer);
  // Tab-separated lines are for programs, whatever is forced.
  assert.doesNotMatch(
    (await piped(`wm task get ${sample.task}`, { CLICOLOR_FORCE: '1' })).output,
    introducer,
  );
});

test('the picker has no colours either, where they are not wanted', { skip }, async (context) => {
  const stage = await setStage(context);
  await call(stage.emulator, 'POST', `/webhooks?${query({ hookUrl: longUrl })}`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
  const colour = /\x1b\[(?:3[0-9]|9[0-7]|[12])m/;
  const picker = async (line: string, environment: Setting['environment'] = {}) => {
    const terminal = openTerminal(context, stage, line, { environment });
    await terminal.shows('❯ Active');
    await terminal.shows('select');
    const { raw } = terminal;
    terminal.type('\x03');
    await terminal.ended;
    return colour.test(raw);
  };
  assert.equal(await picker('wm webhook suspend'), true);
  assert.equal(await picker('wm webhook suspend --no-color'), false);
  assert.equal(await picker('wm webhook suspend', { NO_COLOR: '1' }), false);
});
