// The folder or space of a new webhook may be given by its title.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonReply } from '#test/support/service/raw-server.ts';
import { ask, hook, hooks } from '#test/support/service/scripted-service.ts';
import { answering } from '../records.ts';

const create = ['webhook', 'create', 'https://hooks.example.com/x', '-q'];
const folders = {
  kind: 'folders',
  data: [
    { id: 'IEAAAAAQI4AB5FLD', title: 'Marketing' },
    { id: 'IEAAAAAQI4AB5SUB', title: 'Twice' },
    { id: 'IEAAAAAQI4AB5PRJ', title: 'twice' },
    { id: 'IEAAAAAQI4AB5PRV', title: 'TWICE' },
    { id: 'odd.id' },
  ],
};
const spaces = { kind: 'spaces', data: [{ id: 'IEAAAAAQI5AB5SPC', title: 'Design team' }] };
const made = { kind: 'webhooks', data: [{ id: 'IEAAAAAQW1234', hookUrl: create[2], status: 'Active' }] };

test('resolves a title to an id, ignoring case; keeps a listed id', async (context) => {
  for (const [flag, text, id] of [
    ['--folder', 'Marketing', 'folders/IEAAAAAQI4AB5FLD'],
    ['--folder', 'marketing', 'folders/IEAAAAAQI4AB5FLD'],
    ['--folder', 'Twice', 'folders/IEAAAAAQI4AB5SUB'],
    ['--folder', 'odd.id', 'folders/odd.id'],
    ['--folder', 'not-listed-1', 'folders/not-listed-1'],
    ['--space', 'design team', 'spaces/IEAAAAAQI5AB5SPC'],
  ] as const) {
    const { wm, asked } = await answering(context, {
      'GET folders': [folders],
      'GET spaces': [spaces],
      'GET webhooks': [{ kind: 'webhooks', data: [] }],
      [`POST ${id}/webhooks`]: [made],
    });
    const ran = await wm([...create, flag, text]);
    assert.equal(ran.status, 0, `${text}: ${ran.errors} ${asked.join(', ')}`);
  }
});

test('a title without a match or with several is a usage error; nothing is created', async (context) => {
  const { wm, asked } = await answering(context, { 'GET folders': [folders], 'GET spaces': [spaces] });
  for (const [flag, text, message] of [
    [
      '--folder',
      'Marketin',
      /^wm: --folder: "Marketin" is not the title of a folder or project\n {2}Did you mean "Marketing"/,
    ],
    [
      '--folder',
      'tWICE',
      /^wm: --folder: "tWICE" is the name of 3 folders\n {2}Give the id instead:\n {4}IEAAAAAQI4AB5SUB {2}Twice/,
    ],
    ['--space', 'Marketing', /^wm: --space: "Marketing" is not the title of a space\n/],
  ] as const) {
    const ran = await wm([...create, flag, text]);
    assert.equal(ran.status, 2, ran.errors);
    assert.match(ran.errors, message);
  }
  assert.ok(!asked.some((request) => request.startsWith('POST')), asked.join(', '));
});

test('does not look up an id', async () => {
  const asked = await ask([...create, '--folder', 'IEAAAAAQI4AB5FLD'], [jsonReply(200, hooks(hook))]);
  assert.equal(asked.status, 0, asked.errors);
  assert.equal(asked.requests.length, 1);
});
