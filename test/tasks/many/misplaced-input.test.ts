// What was given in the place of rows, or beside them, and what wm says to do instead.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { createWorld } from '#world/create-world.ts';

const { task: first } = sample;

test('--from names a folder', async (context) => {
  const { wm, folder } = await emulated(context);
  for (const more of [['--yes'], ['--dry-run']]) {
    const ran = await wm(['task', 'update', '--from', folder, ...more], { exit: 2 });
    assert.equal(ran.errors, `wm: --from: ${folder} is a folder\n  Name a file in it.\n`);
  }
});

test('rows on standard input without --from: says how to read them', async (context) => {
  const { wm } = await emulated(context);
  const argv = ['task', 'update', '--yes'];
  const piped = await wm(argv, { input: `id,title\n${first},a\n`, exit: 2 });
  assert.match(
    piped.errors,
    /^wm: Missing: ID\n {2}Give the id of the task.*\n {2}To list tasks: wm task list\n {2}To read rows from standard input, add --from -/,
  );
  const { streams } = createWorld();
  let errors = '';
  const output = { ...streams.output, isTerminal: false, write: async () => {} };
  await wm(argv, {
    world: {
      streams: {
        input: { ...streams.input, isTerminal: true },
        output,
        errors: {
          ...output,
          write: async (text) => {
            errors += text;
          },
        },
      },
    },
    exit: 2,
  });
  assert.equal(
    errors,
    'wm: Missing: ID\n  Give the id of the task, or its title: wm task update ID --yes\n  To list tasks: wm task list\n',
  );
});

test('--from names a workbook', async (context) => {
  const { wm, folder } = await emulated(context);
  const zip = (name: string) =>
    Buffer.from(
      `PK\x03\x04\x14\x00\x06\x00\x08\x00\x00\x00!\x00${'\xff'.repeat(12)}${name}\n\xff\n`,
      'latin1',
    );
  for (const [bytes, kind] of [
    [zip('[Content_Types].xml'), 'an Excel workbook (.xlsx)'],
    [zip('_rels/.rels'), 'an Excel workbook (.xlsx)'],
    [zip('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'), 'a workbook (.ods)'],
    [zip('photo.png'), 'a ZIP archive, such as .xlsx'],
    [Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1', 'latin1'), 'an Excel workbook (.xls)'],
  ] as const) {
    const path = join(folder, 'tasks.xlsx');
    await writeFile(path, bytes);
    const ran = await wm(['task', 'update', '--from', path, '--yes'], { exit: 2 });
    assert.equal(
      ran.errors,
      `wm: ${path}, line 1: this is ${kind}, not CSV\n  Save the sheet as CSV (in Excel: "CSV UTF-8")\n  Nothing after it can be read, so nothing was sent.\n`,
    );
  }
});

test('accepts column titles ignoring case and spelling, and suggests the nearest for an unknown one', async (context) => {
  const { wm, folder, task } = await emulated(context);
  const path = join(folder, 'tasks.csv');
  const update = async (header: string, row: string) => {
    await writeFile(path, `${header}\n${row}\n`);
    return wm(['task', 'update', '--from', path, '--yes']);
  };
  const header =
    'Title, ID ,ADD-RESPONSIBLES,add_followers,Custom Field:Colours,METADATA:Build,Work on weekends';
  const ran = await update(header, `New,${first},@me,@me,red,7,`);
  assert.equal(ran.status, 0, ran.errors);
  const one = await task(first);
  assert.equal(one.title, 'New');
  assert.deepEqual(one.metadata.at(-1), { key: 'Build', value: '7' });
  for (const [wrong, message] of [
    [
      'ID,Titel',
      /column "Titel" is not the name of a flag\n {2}Unknown columns are.*\n {2}Did you mean title\?/,
    ],
    ['ID,Add responsible', /Did you mean add-responsibles/],
    ['ID,title,TITLE', /The column TITLE appears twice/],
    ['ID,title,id', /The column id appears twice/],
    ['key,title', /no column "id": "key,title"/],
  ] as const) {
    const invalid = await update(wrong, `${first},x,y`);
    assert.equal(invalid.status, 2, wrong);
    assert.match(invalid.errors, message);
  }
});

test('NDJSON with the name of a short form: the error names the parameter', async (context) => {
  const { wm } = await emulated(context);
  for (const [name, parameter] of [
    ['start', 'dates'],
    ['workOnWeekends', 'dates'],
    ['milestone', 'dates'],
    ['totalEffort', 'effortAllocation'],
    ['customField', 'customFields'],
    ['removeMetadata', 'metadata'],
  ]) {
    const input = `{"id":"${first}","${name}":"x"}\n`;
    const ran = await wm(['task', 'update', '--from', '-', '--yes'], { input, exit: 2 });
    assert.ok(
      ran.errors.includes(`"${name}" is not the name of a parameter; use ${parameter}\n`),
      ran.errors,
    );
  }
});
