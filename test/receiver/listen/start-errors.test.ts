// What `wm webhook listen` cannot start with, each with what to do instead.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { startListener } from './running-listener.ts';

test('an invalid URL, a journal that is a file or below one, an unknown stored secret', async (context) => {
  const folder = await ownFolder(context);
  const file = join(folder, 'file');
  await writeFile(file, '');
  const journalHint =
    'Give a folder that you can write to: --journal DIR. wm creates it if it does not exist.';
  const rows: readonly (readonly [
    typed: readonly string[],
    status: number,
    message: string,
    hint: string,
  ])[] = [
    [
      ['--public-url', 'foo'],
      2,
      '--public-url: "foo" is not an http or https URL',
      'Give the whole URL: --public-url https://hooks.example.com/wm',
    ],
    [
      ['--public-url', 'ftp://hooks.example.com/'],
      2,
      '--public-url: "ftp://hooks.example.com/" is not an http or https URL',
      'Give the whole URL: --public-url https://hooks.example.com/wm',
    ],
    [['--journal', file], 2, `The journal ${file} is not a folder`, journalHint],
    [['--journal', join(file, 'below')], 1, `Cannot`, journalHint],
    [
      ['--secret-of', 'nobody'],
      5,
      'No webhook with the id, label or URL "nobody" is known on this machine',
      'To list the webhooks with their ids: wm webhook list',
    ],
  ];
  for (const [typed, expected, message, hint] of rows) {
    const { status, errors } = await startListener(context, ['--port', '0', ...typed], { folder }).ended;
    assert.equal(status, expected, errors);
    assert.ok(errors.startsWith(`wm: ${message}`), errors);
    assert.ok(errors.trimEnd().endsWith(hint), errors);
  }
});
