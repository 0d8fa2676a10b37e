// Tables on a terminal: a header, the terminal's width, colours where they are wanted. In a pipe none of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { displayWidth, graphemes } from '#terminal/width.ts';
import { run } from '#test/support/program/program.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import type { Setting } from '#test/support/terminal/terminal.ts';
import { screenOf } from './screen.ts';

const longUrl = 'https://hooks.example.com/a/rather/long/path/that/needs/much/more/room/than/there/is';

test('columns if they fit, otherwise blocks', async (context) => {
  const stage = await setStage(context);
  const { body } = await call(stage.emulator, 'POST', `/webhooks?${query({ hookUrl: longUrl })}`);
  const id: string = body.data[0].id;
  const screen = async (line: string, columns: number) => {
    const terminal = openInProcess(context, stage, line, { columns });
    assert.equal(await terminal.ended, 0, terminal.text);
    const { lines, isWrapped } = await screenOf(terminal.raw, columns);
    assert.equal(isWrapped, false, `wider than ${columns}:\n${terminal.text}`);
    return lines;
  };
  for (const columns of [20, 60, 80, 200]) {
    const hooks = await screen('wm webhook list --long -q', columns);
    if (columns < 80) {
      assert.ok(hooks.includes(columns === 20 ? id : `id:     ${id}`), hooks.join('\n'));
      assert.ok(hooks.some((line) => line.startsWith('events:')));
    } else {
      assert.match(hooks[0] ?? '', /^id +status +scope +url +events$/);
      assert.ok(hooks[1]?.startsWith(`${id}  Active  account`), hooks[1]);
      // What does not fit goes on below, in its column.
      assert.equal(hooks.length, columns === 80 ? 4 : 2);
      assert.equal(hooks[1]?.includes(longUrl), columns === 200);
    }
    assert.ok(hooks.join('').replaceAll(' ', '').includes(longUrl) || columns === 80, hooks.join('\n'));

    const tasks = await screen(`wm task get ${sample.task} ${sample.bug} ${sample.milestone}`, columns);
    if (columns === 200) assert.match(tasks[0] ?? '', /^id +status +title/);
    assert.ok(
      tasks.some((line) => line.includes(sample.bug)),
      tasks.join('\n'),
    );

    const events = await screen('wm webhook events', columns);
    assert.ok(events.some((line) => line.includes('CreateFromBlueprintComplete')) || columns === 20);
    assert.ok(events.length >= 46);
  }
});

test('a block omits the fields that its record lacks, even if another record has them', async (context) => {
  const stage = await setStage(context);
  const ids: string[] = [];
  for (const path of ['/a', '/b']) {
    const { body } = await call(
      stage.emulator,
      'POST',
      `/webhooks?${query({ hookUrl: `${longUrl}${path}` })}`,
    );
    ids.push(body.data[0].id);
  }
  const label = openInProcess(context, stage, `wm webhook label ${ids[0]} night`);
  assert.equal(await label.ended, 0, label.text);
  const terminal = openInProcess(context, stage, 'wm webhook list --long -q', { columns: 40 });
  assert.equal(await terminal.ended, 0, terminal.text);
  const { lines } = await screenOf(terminal.raw, 40);
  assert.deepEqual(
    lines.filter((line) => /^(?:label|note):/.test(line)).map((line) => line.trimEnd()),
    ['label:  night'],
  );
});

test('ten long URLs take a few lines each', async (context) => {
  const stage = await setStage(context);
  for (let at = 0; at < 10; at++)
    await call(stage.emulator, 'POST', `/webhooks?${query({ hookUrl: `${longUrl}/${at}` })}`);
  for (const [columns, most] of [
    [40, 100],
    [80, 60],
    [120, 40],
  ] as const) {
    const terminal = openInProcess(context, stage, 'wm webhook list --long -q', { columns });
    assert.equal(await terminal.ended, 0, terminal.text);
    const { lines } = await screenOf(terminal.raw, columns);
    assert.ok(lines.length <= most, `${lines.length} lines at ${columns}`);
    // Words stand on a line whole.
    for (const word of ['account', 'space', 'hooks.example.com/', 'needs/'])
      assert.equal(lines.filter((line) => line.includes(word)).length >= 10, true, `${word} at ${columns}`);
  }
});

/**
 * Wide characters, marks, two directions. What the model of a terminal and the width tables disagree on (emoji with
 * joiners) is in layout.deep.test.ts.
 */
const wideTitle =
  '日本語のタイトルはとても長いので一行には収まりません cafe\u0301 a\u0300\u0301\u0302 שלום עולם مرحبا بالعالم 한국어 ﾊﾝｶｸ';

test('shows every character of a wide title on a terminal', async (context) => {
  const stage = await setStage(context);
  for (const id of [sample.task, sample.bug])
    await call(stage.emulator, 'PUT', `/tasks/${id}?${query({ title: wideTitle })}`);
  for (const columns of [20, 64, 80, 200]) {
    for (const ids of [sample.task, `${sample.task} ${sample.bug}`]) {
      const terminal = openInProcess(context, stage, `wm task get ${ids}`, { columns });
      assert.equal(await terminal.ended, 0, terminal.text);
      const { lines, isWrapped } = await screenOf(terminal.raw, columns);
      assert.equal(isWrapped, false, `wider than ${columns}:\n${terminal.text}`);
      const shown = titlesOn(lines);
      assert.equal(shown.length, ids.split(' ').length);
      for (const title of shown) assert.equal(title, wideTitle.replaceAll(' ', ''), `at ${columns}`);
    }
  }
});

/** The titles of tasks, without their spaces: from the column of that name, or from the blocks. */
function titlesOn(lines: readonly string[]): string[] {
  const [header = ''] = lines;
  const from = header.indexOf('title');
  if (!header.startsWith('id ')) {
    const blocks = lines.join('\n').matchAll(/^title:([\s\S]*?)^(?:id|importance):/gm);
    return Array.from(blocks, ([, title = '']) => title.replaceAll(/[ \n]/g, ''));
  }
  const to = header.indexOf('importance');
  const titles: string[] = [];
  for (const line of lines.slice(1)) {
    const cell = inCells(line, from, to);
    if (line.startsWith('IEAA')) titles.push(cell);
    else titles.push(`${titles.pop() ?? ''}${cell}`);
  }
  return titles.map((title) => title.replaceAll(' ', ''));
}

/** What stands between two places of a line, counted in cells. */
function inCells(line: string, from: number, to: number): string {
  let at = 0;
  let found = '';
  for (const character of graphemes(line)) {
    if (at >= from && at < to) found += character;
    at += displayWidth(character);
  }
  return found;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
const introducer = /\x1b/;

test('uses colours on a terminal that supports them, unless disabled', async (context) => {
  const stage = await setStage(context);
  const coloured = async (line: string, environment: Setting['environment'] = {}) => {
    const terminal = openInProcess(context, stage, line, { environment });
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

test('in a pipe, no header; no colour unless forced', async (context) => {
  const stage = await setStage(context);
  const piped = (words: string, environment: Setting['environment'] = {}) =>
    run(words.split(' '), {
      environment: { TERM: 'xterm-256color', ...stage.environment, ...environment },
    });
  const { output } = await piped(`task get ${sample.task}`);
  assert.match(output, /^IEAAAAAQKQAB5BNG\tActive\tWrite the launch page\t[^\n]*\n$/);
  assert.doesNotMatch(output, introducer);
  const several = await piped(`task get ${sample.task} ${sample.bug}`);
  assert.match(several.output, /^IEAAAAAQKQAB5BNG\t[^\n]*\nIEAAAAAQKQAB5BUG\t[^\n]*\n$/);
  assert.doesNotMatch((await piped('nonsense')).errors, introducer);
  assert.match((await piped('nonsense', { CLICOLOR_FORCE: '1' })).errors, introducer);
  // Tab-separated lines are for programs, whatever is forced.
  assert.doesNotMatch((await piped(`task get ${sample.task}`, { CLICOLOR_FORCE: '1' })).output, introducer);
});
