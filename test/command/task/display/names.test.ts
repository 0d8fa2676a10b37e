// A terminal shows names, a pipe shows ids. A name that cannot be looked up never fails a command, and each list is
// requested once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '../../../../src/emulator/state/sample-ids.ts';
import { openTerminal, skip } from '../../../terminal/terminal.ts';
import { setStage } from '../../../transcript/stage.ts';

test('a task on a terminal has names, and ids where a flag needs them', { skip }, async (context) => {
  const stage = await setStage(context);
  const terminal = openTerminal(context, stage, `wm task get ${sample.task} --verbose`);
  assert.equal(await terminal.ended, 0, terminal.text);
  const { text } = terminal;
  assert.match(text, /^title: +Write the launch page$/m);
  assert.match(text, /^status: +New \(Active\)$/m);
  assert.match(text, /^assignees: +Ben Okafor$/m);
  assert.match(text, /^followers: +Ada Fields$/m);
  assert.match(text, new RegExp(`^folders: +Website \\(${sample.folder}\\)$`, 'm'));
  assert.match(text, new RegExp(`^custom status: New \\(${sample.active}\\)$`, 'm'));
  assert.match(text, /^custom fields: Colours=Red and/m);
  assert.match(text, /5d \(2400 min\)$/m);
  for (const path of ['contacts', 'workflows', 'folders', 'customfields'])
    assert.equal(text.match(new RegExp(`GET \\S+/${path} -> 200`, 'g'))?.length, 1, path);
});

test('several tasks need no more requests than one', { skip }, async (context) => {
  const stage = await setStage(context);
  const line = `wm task get ${sample.task} ${sample.bug} ${sample.milestone} --verbose`;
  const terminal = openTerminal(context, stage, line, { columns: 200 });
  assert.equal(await terminal.ended, 0, terminal.text);
  assert.match(terminal.text, /In progress \(Active\) +The form loses its text/);
  assert.equal(terminal.text.match(/GET /g)?.length, 5);
});

test('in JSON on a terminal, and in a pipe, nothing is looked up', { skip }, async (context) => {
  const stage = await setStage(context);
  for (const how of ['--json', '| cat']) {
    const terminal = openTerminal(context, stage, `wm task get --verbose ${sample.task} ${how}`, {
      columns: 5000,
    });
    assert.equal(await terminal.ended, 0, terminal.text);
    assert.ok(terminal.text.includes(sample.ben));
    assert.equal(terminal.text.match(/GET /g)?.length, 1);
  }
});

test('names that cannot be read are ids, and the command succeeds in silence', { skip }, async (context) => {
  const stage = await setStage(context);
  for (const name of ['listContacts', 'listWorkflows', 'listFolders', 'listCustomFields'])
    await control(stage, { call: name, status: 403, times: 1 });
  const terminal = openTerminal(context, stage, `wm task get ${sample.task}`);
  assert.equal(await terminal.ended, 0, terminal.text);
  assert.match(terminal.text, new RegExp(`^assignees: +${sample.ben}$`, 'm'));
  assert.match(terminal.text, /^status: +Active$/m);
  assert.match(terminal.text, new RegExp(`^folders: +${sample.folder}$`, 'm'));
  assert.doesNotMatch(terminal.text, /wm:|403/);
});

test('a change is shown with names, too', { skip }, async (context) => {
  const stage = await setStage(context);
  const line = `wm task update ${sample.task} --add-responsibles ${sample.ada} --custom-status 'In review' --duration 1200 --start 2026-02-02`;
  const terminal = openTerminal(context, stage, line);
  assert.equal(await terminal.ended, 0, terminal.text);
  assert.match(terminal.text, /assignees: +Ben Okafor, .* -> .*Ada Fields/);
  assert.match(terminal.text, /status: +New \(Active\) -> In review/);
  assert.match(terminal.text, /-> Planned,\s.* 2d4h \(1200 min\)/s);
});

async function control({ emulator }: Awaited<ReturnType<typeof setStage>>, fault: object): Promise<void> {
  const response = await fetch(`${emulator.controlUrl}/faults`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${emulator.token}` },
    body: JSON.stringify(fault),
  });
  assert.equal(response.status, 200, await response.text());
}
