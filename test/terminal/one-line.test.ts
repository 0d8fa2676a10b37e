// Lists that a tired person reads: at 80 columns each record is one line, and two that differ look different. --long prints all.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, query } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';

const prefix = 'https://integration-gateway.production.eu-west-1.example.com/tenants/4711/webhooks';

test('webhook list: one line per webhook, as wide as the terminal; different URLs look different', async (context) => {
  const stage = await setStage(context);
  const ids: string[] = [];
  for (const hookUrl of [`${prefix}/billing/incoming`, `${prefix}/invoices/incoming`, 'https://a.example/x'])
    ids.push((await call(stage.emulator, 'POST', `/webhooks?${query({ hookUrl })}`)).body.data[0].id);
  const show = async (line: string) => {
    const terminal = openInProcess(context, stage, line, { columns: 80, rows: 60 });
    assert.equal(await terminal.ended, 0);
    return terminal.text.split(/\r?\n/);
  };
  const lines = await show('wm webhook list -q');
  assert.equal(lines.filter(Boolean).length, 4, lines.join('\n'));
  for (const [at, id] of ids.entries()) {
    const line = lines[at + 1] ?? '';
    assert.ok(
      line.length <= 80 && /^Active {2}(?:…|a\.example)/.test(line) && line.trimEnd().endsWith(id),
      line,
    );
  }
  assert.match(lines[1] ?? '', /…\S*billing/);
  assert.match(lines[2] ?? '', /…\S*invoices/);
  const whole = await show('wm webhook list -q --long');
  assert.equal(whole.filter((line) => line.startsWith('events:')).length, 3, whole.join('\n'));
});

test('task list and history: one line per record', async (context) => {
  const stage = await setStage(context);
  const done = openInProcess(
    context,
    stage,
    `wm task update IEAAAAAQKQAB5BNG --title '${'Long '.repeat(30)}'`,
  );
  assert.equal(await done.ended, 0);
  for (const line of ['wm task list', 'wm history']) {
    const terminal = openInProcess(context, stage, `${line} -q`, { columns: 80, rows: 60 });
    assert.equal(await terminal.ended, 0, terminal.text);
    const lines = terminal.text.split(/\r?\n/).filter(Boolean);
    assert.ok(lines.length > 1 && lines.every((text) => text.length <= 80), lines.join('\n'));
    if (line === 'wm history') assert.equal(lines.length, 2, lines.join('\n'));
  }
});

test('every list has one line per record at 80 columns, with the whole id; --long and a pipe show everything', async (context) => {
  const stage = await setStage(context);
  const title = `${'Long title of a folder '.repeat(8)}end`;
  const [made] = (await call(stage.emulator, 'POST', `/folders/IEAAAAAQI4AB5FLD/folders?${query({ title })}`))
    .body.data;
  const lists: readonly (readonly [line: string, least: number])[] = [
    ['wm contact list', 3],
    ['wm contact list --id KUAABENQ,KUAAADAQ', 2],
    ['wm customfield list', 3],
    ['wm workflow list', 1],
    ['wm space list', 1],
    ['wm folder list', 3],
    ['wm audit-log', 0],
    ['wm auth list', 1],
    ['wm emulator requests', 5],
    ['wm emulator deliveries', 0],
    ['wm emulator mails', 0],
  ];
  for (const [line, least] of lists) {
    const show = async (more: string) => {
      const terminal = openInProcess(context, stage, `${line} -q${more}`, { columns: 80, rows: 100 });
      assert.equal(await terminal.ended, 0, `${line}${more}: ${terminal.text}`);
      return terminal.text.split(/\r?\n/).filter(Boolean);
    };
    const lines = await show('');
    const records = JSON.parse((await show(' --json')).join('\n'));
    assert.ok(records.length >= least, line);
    assert.ok(
      lines.every((text) => text.length <= 80),
      lines.join('\n'),
    );
    // A tree has a line for each place of a folder, and a workflow one for each status.
    const isList = !/^wm (?:folder|workflow|emulator requests)/.test(line);
    if (isList && records.length > 0) assert.equal(lines.length, records.length + 1, lines.join('\n'));
    if (line !== 'wm folder list') continue;
    assert.match(lines.join('\n'), new RegExp(`Long title .*….*end {2}${made.id}`));
    assert.match((await show(' --long')).join(' ').replaceAll(/[│├└─ ]+/g, ' '), new RegExp(title));
  }
});

test('--long prints the columns that a narrow terminal leaves out', async (context) => {
  const stage = await setStage(context);
  const show = async (line: string) => {
    const terminal = openInProcess(context, stage, line, { columns: 62, rows: 200 });
    assert.equal(await terminal.ended, 0, terminal.text);
    return terminal.text;
  };
  const spaces = {
    kind: 'spaces',
    data: [{ id: 'IEAAAAAQI5AB5SPC', title: `${'Long title '.repeat(9)}end` }],
  };
  for (const line of [
    `wm emulator fault listSpaces --json-body '${JSON.stringify(spaces)}' --count 2`,
    'wm webhook create https://hooks.example.com/wm --yes',
    'wm emulator emit CommentAdded',
    // The receiver is unreachable: the service suspends the webhook, and sends a mail.
    'wm emulator clock --advance 10d',
  ])
    await show(line);
  for (const list of [
    ...['space list', 'contact list', 'customfield list', 'workflow list', 'audit-log', 'auth list'],
    ...['emulator requests', 'emulator deliveries', 'emulator mails'],
  ]) {
    // First: the list of requests grows with each command.
    const long = await show(`wm ${list} --long -q`);
    const short = await show(`wm ${list} -q`);
    assert.doesNotMatch(long, /…/, list);
    assert.ok(long.split('\n').length > short.split('\n').length, `${list}:\n${short}\n${long}`);
  }
});
