// `wm webhook list` and `get` name folders by their titles on a terminal, and by their ids alone where programs read. A
// title that cannot be read is left out in silence, and one that is hostile does no harm.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { fail, inFront } from '#test/support/service/intercept.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { openTerminal, skip } from '#test/support/terminal/terminal.ts';

const scope = `folder Website (${sample.folder})`;
const create = `wm webhook create https://hooks.example.com/a --folder ${sample.folder} --events TaskCreated --yes`;
const made = `id=$(${create} | cut -f1) && test -n "$id"`;

test('shows a folder title only on a terminal: beside the id, and in a list instead of it', {
  skip,
}, async (context) => {
  const stage = await setStage(context);
  const line = `${made} && wm webhook list && wm webhook get $id && wm webhook list | cat && wm webhook get $id --json`;
  const terminal = openTerminal(context, stage, line, { columns: 200 });
  assert.equal(await terminal.ended, 0, terminal.text);
  assert.equal(terminal.text.split(scope).length - 1, 1, terminal.text);
  assert.match(terminal.text, /^Active +hooks.example.com\/a +Website +IEA/m);
  assert.match(terminal.text, new RegExp(`\\tfolder ${sample.folder}\\t|folder ${sample.folder} +https`));
});

test('an unreadable or hostile title does no harm', { skip }, async (context) => {
  const stage = await setStage(context);
  for (const [answer, shown] of [
    [undefined, `folder ${sample.folder}`],
    ['\u001b[2JEvil\u202e', `(${sample.folder})`],
  ] as const) {
    const host = await inFront(context, stage.environment['WM_HOST'], (request, response) => {
      if (!request.url?.endsWith('/folders')) return false;
      if (answer === undefined) return fail(response, 403, 'access_forbidden');
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ kind: 'folders', data: [{ id: sample.folder, title: answer }] }));
      return true;
    });
    const line = `${made} && WM_HOST=${host} wm webhook get $id`;
    const terminal = openTerminal(context, stage, line, { columns: 200 });
    assert.equal(await terminal.ended, 0, terminal.text);
    assert.ok(terminal.text.includes(shown), terminal.text);
    assert.ok(!terminal.raw.includes('\u001b[2J') && !terminal.raw.includes('\u202e'));
    assert.doesNotMatch(terminal.text, /403|wm:/);
    assert.equal(terminal.text.includes('Evil'), answer !== undefined);
  }
});
