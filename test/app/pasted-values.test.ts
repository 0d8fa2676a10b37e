// Values as shells, spreadsheets and JSON hand them over: with spaces and quotes around an id, without the quotes of JSON, and
// with a path that Git Bash has rewritten. What has one meaning is read; for the rest, the error names the way out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';

const { task: first, backlog: second } = sample;
const environment = { WM_TOKEN: 'token', WM_HOST: 'api.example.com' };
const dry = (status: number, ...argv: string[]) => run([...argv, '--dry-run'], { exit: status, environment });
const around = [' #', '# ', '#\u00a0', '"#"', "'#", "'#'", ' "#"\t', '"""#"""'];

for (const marks of around)
  test(`an id in ${JSON.stringify(marks)} is that id`, async (context) => {
    const id = marks.replace('#', first);
    for (const argv of [
      ['task', 'get', id],
      ['task', 'update', id, '--title', 'x'],
      ['task', 'update', id, second, '--title', 'x'],
      ['task', 'update', second, '--priority-after', id],
      ['webhook', 'get', id],
      ['task', 'list', '--folder', id],
    ]) {
      const ran = await dry(0, ...argv);
      assert.match(
        decodeURIComponent(ran.output),
        new RegExp(`[/="]${first}(?![^?/&",\\s])`),
        argv.join(' '),
      );
    }
    const { wm, task } = await emulated(context);
    for (const [input, title] of [
      [`id,title\n"${id.replaceAll('"', '""')}",csv\n`, 'csv'],
      [`${JSON.stringify({ id, title: 'json' })}\n`, 'json'],
    ] as const) {
      const ran = await wm(['task', 'update', '--from', '-', '--yes'], { exit: 0, input });
      assert.match(ran.output, new RegExp(`\t${first}\tupdated`));
      assert.equal((await task(first)).title, title);
    }
  });

test('quotes around any other value are part of it', async (context) => {
  const { wm } = await emulated(context);
  for (const title of ['"Launch"', "'ANNOUNCEMENT'"]) {
    const ran = await wm(['task', 'get', title], { exit: 5 });
    assert.ok(ran.errors.includes(`No task has the title ${JSON.stringify(title)}`), ran.errors);
  }
});

test('accepts a list of ids whose quotes were removed by a shell', async () => {
  const { output } = await dry(0, 'task', 'update', first, '--add-parents', '[ab1,cd2 , ef3]');
  assert.match(decodeURIComponent(output), /addParents=\["ab1","cd2","ef3"\]/);
});

for (const [flag, json] of [
  ['--dates', '{type:Planned,due:2026-12-31}'],
  ['--custom-fields', '[{id:IEAAAAAQJUAB5NUM,value:1}]'],
  ['--metadata', ' [{key: a, value: b}]'],
] as const)
  test(`${flag} without the quotes of JSON: the error says what removes them`, async () => {
    const { errors } = await dry(2, 'task', 'update', first, flag, json);
    assert.match(
      errors,
      /is not JSON: it has no quotes\. Windows PowerShell 5 removes them: write \\" for each, or use @FILE/,
    );
  });

test('a status that is not one of the four may be a custom status', async (context) => {
  const { wm } = await emulated(context);
  for (const [argv, input] of [
    [['task', 'update', first, '--status', 'In Progress'], ''],
    [['task', 'create', 'x', '--folder', 'IEAAAAAQI4AB5BNG', '--status', 'In Progress'], ''],
    [['task', 'update', '--from', '-'], `id,status\n${first},In Progress\n`],
    [['task', 'update', '--from', '-'], `{"id":"${first}","status":"In Progress"}\n`],
  ] as const) {
    const { errors } = await wm([...argv, '--yes'], { exit: 2, input });
    assert.match(
      errors,
      /"In Progress" is not one of .* \(custom statuses: --custom-status\); did you mean Active\?/,
    );
  }
});

test("--events '*' selects all", async () => {
  const { errors } = await dry(2, 'webhook', 'create', 'https://hooks.example.com/', '--events', '*');
  assert.match(errors, /^wm: --events: "\*" is not an event\n {2}For every event, write all\.$/m);
});

test('wm api with only a path: the method is missing', async () => {
  for (const argv of [['/tasks'], ['tasks', '-f', 'a=b'], []])
    assert.match((await dry(2, 'api', ...argv)).errors, /^wm: Missing: METHOD\n/);
  assert.match((await dry(2, 'api', 'get')).errors, /^wm: Missing: PATH\n/);
});

test('a path rewritten by Git Bash', async () => {
  for (const path of ['C:/Program Files/Git/tasks', 'D:\\Git\\tasks', 'c:/msys64/folders']) {
    const { errors } = await dry(2, 'api', 'GET', path);
    assert.match(errors, /^wm: PATH is a Windows path: .*\n.*Leave the slash out: wm api GET tasks/m);
  }
  const listen = await run(['webhook', 'listen', '--path', 'C:/Program Files/Git/hook'], { environment });
  assert.match(listen.errors, /Git Bash rewrote it: set MSYS_NO_PATHCONV=1/);
});

for (const end of ['\n', '\r\n'])
  test(`CSV after a #TYPE line, with ${JSON.stringify(end)}: rows keep their line numbers`, async (context) => {
    const { wm, task } = await emulated(context);
    const lines = [
      '#TYPE Selected.System.Management.Automation.PSCustomObject',
      '"id";"title"',
      `"${first}";"x"`,
      '"";""',
    ];
    const input = `\ufeff${lines.join(end)}${end}`;
    const ran = await wm(['task', 'update', '--from', '-', '--yes'], { exit: 0, input });
    assert.match(ran.output, new RegExp(`^3\t${first}\tupdated`, 'm'));
    assert.equal((await task(first)).title, 'x');
  });
