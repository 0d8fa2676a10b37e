// A folder or a space by its title, as --folder takes it: what is looked up, and what happens where several have the title.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inFront } from '#test/support/service/intercept.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, openTerminal, skip } from '#test/support/terminal/terminal.ts';
import { answering } from '#test/webhooks/records.ts';

const [first, second] = ['IEAAAAAQI4AB5SUB', 'IEAAAAAQI4AB5PRJ'];
const space = 'IEAAAAAQI5AB5SPC';
const folders = {
  kind: 'folders',
  data: [
    { id: 'IEAAAAAQI4AB5FLD', title: 'Marketing', childIds: [second] },
    { id: first, title: 'Launch' },
    { id: second, title: 'launch' },
    // The service may list its spaces as folders too.
    { id: space, title: 'Design team' },
    { id: 'IEAAAAAQI4AB5BIN', title: 'Marketing', scope: 'RbFolder' },
    { id: 'IEAAAAAQI4AB5OLD', title: 'Deleted plans', scope: 'RbFolder' },
  ],
};
const spaces = { kind: 'spaces', data: [{ id: space, title: 'Design team' }] };
const webhook = (id: string, folderId: string) => ({
  id,
  hookUrl: `https://hooks.example.com/${id}`,
  folderId,
  status: 'Active',
});
const hooks = {
  kind: 'webhooks',
  data: [webhook('IEAAAAAQW001', first), webhook('IEAAAAAQW002', second), webhook('IEAAAAAQW003', 'odd.id')],
};

const answers = { 'GET webhooks': [hooks], 'GET folders': [folders], 'GET spaces': [spaces] } as const;

for (const [text, ids, lookUps] of [
  [second, ['IEAAAAAQW002'], []],
  // No id of the service looks like it, but a webhook has it.
  ['odd.id', ['IEAAAAAQW003'], []],
  ['launch', ['IEAAAAAQW002'], ['GET folders', 'GET spaces']],
  ['Launch', ['IEAAAAAQW001'], ['GET folders', 'GET spaces']],
  // The title of a deleted folder too.
  ['Marketing', [], ['GET folders', 'GET spaces']],
  ['Design Team', [], ['GET folders', 'GET spaces']],
  ['not-listed-1', [], ['GET folders', 'GET spaces']],
] as const) {
  test(`--folder ${text}`, async (context) => {
    const { wm, asked } = await answering(context, answers);
    const ran = await wm(['webhook', 'list', '--folder', text], { exit: 0 });
    const shown = ran.output.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0]]));
    assert.deepEqual(shown, ids);
    assert.deepEqual(asked.filter((request) => request !== 'GET webhooks').toSorted(), lookUps);
  });
}

test('an ambiguous title: the error lists the folders with what distinguishes them', async (context) => {
  const { wm, asked } = await answering(context, answers);
  for (const words of [
    ['list', '--folder', 'LAUNCH'],
    ['suspend', '--all', '--folder', 'LAUNCH', '--yes'],
  ]) {
    const ran = await wm(['webhook', ...words], { exit: 2 });
    assert.equal(
      ran.errors,
      `wm: --folder: "LAUNCH" is the name of 2 folders
  Give the id instead:
    ${first}  Launch
    ${second}  launch  in Marketing
`,
    );
  }
  assert.ok(!asked.some((request) => request.startsWith('PUT')), asked.join(', '));
});

test('the title of a deleted folder counts as unknown', async (context) => {
  const { wm } = await answering(context, answers);
  for (const words of [
    ['webhook', 'list', '--folder', 'Deleted plans'],
    ['task', 'create', 'x', '--folder', 'Deleted plans'],
  ]) {
    const ran = await wm(words, { exit: 2 });
    assert.match(ran.errors, /^wm: --folder: "Deleted plans" is not the title of a folder, project or space/);
    assert.doesNotMatch(ran.errors, /Did you mean/);
  }
});

test('an unknown title', async (context) => {
  const { wm } = await answering(context, answers);
  const ran = await wm(['webhook', 'list', '--folder', 'Marketin'], { exit: 2 });
  assert.equal(
    ran.errors,
    `wm: --folder: "Marketin" is not the title of a folder, project or space
  Did you mean "Marketing"?
  To list the names that contain it: wm folder list --title Marketin
`,
  );
});

test('a blank title is quoted where the titles are listed', async (context) => {
  const data = [{ id: first, title: '  ' }];
  const { wm } = await answering(context, { ...answers, 'GET folders': [{ kind: 'folders', data }] });
  const unknown = await wm(['webhook', 'list', '--folder', 'no such'], { exit: 2 });
  assert.match(unknown.errors, /Available: .*" {2}"/);
});

test('a title with line breaks adds no line to the message', async (context) => {
  const data = [first, second].map((id) => ({ id, title: 'a\nwm: b\r\n\tc' }));
  const { wm } = await answering(context, { ...answers, 'GET folders': [{ kind: 'folders', data }] });
  const unknown = await wm(['webhook', 'list', '--folder', 'no such'], { exit: 2 });
  const title = 'a wm: b  c';
  assert.match(unknown.errors, new RegExp(`\n  Available: .*${title}.*\n$`));
  const ambiguous = await wm(['webhook', 'list', '--folder', 'a\nwm: b\r\n\tc'], { exit: 2 });
  assert.ok(
    ambiguous.errors.endsWith(`:\n    ${first}  ${title}\n    ${second}  ${title}\n`),
    ambiguous.errors,
  );
});

test('a permalink that the service ignores: finds the folder with its number, or the only one without a link', async (context) => {
  const link = (number: number) => `https://www.example.com/open.htm?id=${number}`;
  const other = { id: first, permalink: link(11) };
  for (const [data, id] of [
    [[other, { id: second, permalink: link(12) }], 'IEAAAAAQW002'],
    [[other, { id: second }], 'IEAAAAAQW002'],
    [[{ id: first }, { id: second }], undefined],
  ] as const) {
    const { wm } = await answering(context, { ...answers, 'GET folders': [{ kind: 'folders', data }] });
    const ran = await wm(['webhook', 'list', '-q', '--folder', link(12)]);
    assert.equal(ran.output.split('\t')[0], id ?? '');
    assert.equal(ran.errors, id ? '' : `wm: --folder: nothing has the link "${link(12)}"\n`);
  }
});

for (const TERM of ['xterm-256color', 'dumb']) {
  test(`an ambiguous title, TERM=${TERM}: the user picks one`, { skip }, async (context) => {
    const stage = await setStage(context);
    const host = await inFront(context, stage.emulator.host, ({ method, url = '' }, response) => {
      const answer = Object.entries(answers).find(([name]) => `${method} ${url}`.endsWith(name.slice(4)));
      if (!answer || method !== 'GET') return false;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer[1][0]));
      return true;
    });
    const environment = { WM_HOST: host, TERM };
    const line = 'wm webhook list --folder LAUNCH';
    const terminal =
      TERM === 'dumb'
        ? openInProcess(context, stage, line, { environment })
        : openTerminal(context, stage, `${line} | cut -f1`, { environment });
    await terminal.shows('2 folders have the title "LAUNCH". Which?');
    await terminal.shows(new RegExp(`Launch +${first}`));
    await terminal.shows(new RegExp(`launch +${second} +in Marketing`));
    // Before this stands there, the terminal itself would show what is typed, above it.
    if (TERM === 'dumb') await terminal.shows(/filter by: $/);
    terminal.type(TERM === 'dumb' ? `2${key.enter}` : `${key.down}${key.enter}`);
    await terminal.shows(TERM === 'dumb' ? /IEAAAAAQW002/ : '\nIEAAAAAQW002\n');
    assert.equal(await terminal.ended, 0);
  });
}
