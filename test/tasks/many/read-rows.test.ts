// Rows beside the flags of the command line, and a terminal in place of rows. test/transcript/task-{read,rows,records,spreadsheet}.txt
// have what a row and a file may look like.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { fault } from '#test/support/disk/memory-disk.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { createFiles } from '#world/files.ts';

const { task: first } = sample;
const fromInput = ['task', 'update', '--from', '-'];

/** The query of each request of a dry run. */
function queries(output: string): readonly object[] {
  return output
    .trimEnd()
    .split('\n')
    .map((line) => Object.fromEntries(new URL(JSON.parse(line).url).searchParams));
}

test('lists from the command line and the row add up; for the same key, the entry of the row applies', async (context) => {
  const { wm } = await emulated(context);
  const allocation = (assignee: object, effortMinutes: number) => ({
    dailyAllocation: [{ date: '2026-02-03', effortMinutes }],
    ...assignee,
  });
  const placeholder = { placeholderId: sample.placeholder };
  const [ben, bot] = [{ userId: sample.ben }, { userId: sample.bot }];
  const defaultAllocations = [ben, placeholder, bot].map((assignee) => allocation(assignee, 30));
  const line = [
    ...['--set-responsible-allocation', JSON.stringify(defaultAllocations)],
    ...['--metadata', 'a=1', '--metadata', 'b=1'],
    ...['--custom-field', `${sample.numeric}=1`, '--custom-field', `${sample.text}=blue`],
    ...['--add-parents', 'IEAONE1,IEATWO2', '--add-responsibles', `${sample.ben},${sample.bot}`],
    ...['--title', 'of the line'],
  ];
  const own = {
    metadata: [{ key: 'b', value: '2' }],
    customFields: [{ id: sample.numeric, value: '2' }],
    addParents: ['IEATWO2', 'IEATHREE3'],
    addResponsibles: [sample.bot, sample.ada],
    setResponsibleAllocation: [allocation(ben, 60), allocation(placeholder, 60)],
    title: 'of the row',
  };
  const expected = {
    metadata: '[{"key":"a","value":"1"},{"key":"b","value":"2"}]',
    customFields: `[{"id":"${sample.text}","value":"blue"},{"id":"${sample.numeric}","value":"2"}]`,
    addParents: '["IEAONE1","IEATWO2","IEATHREE3"]',
    addResponsibles: `["${sample.ben}","${sample.bot}","${sample.ada}"]`,
    setResponsibleAllocation: JSON.stringify([allocation(bot, 30), ...own.setResponsibleAllocation]),
    title: 'of the row',
  };
  const json = `${JSON.stringify({ id: first, ...own })}\n`;
  const allocations = JSON.stringify(own.setResponsibleAllocation);
  const csv = `id,metadata:b,custom-field:${sample.numeric},add-parents,add-responsibles,set-responsible-allocation,title
${first},2,2,"IEATWO2,IEATHREE3","${sample.bot},${sample.ada}","${allocations.replaceAll('"', '""')}",of the row
`;
  for (const input of [json, csv]) {
    const ran = await wm([...fromInput, ...line, '--dry-run', '--json'], { input, exit: 0 });
    assert.deepEqual(queries(ran.output), [expected]);
  }
});

test('without --from, a terminal as standard input is not suggested as rows', async (context) => {
  const { wm } = await emulated(context);
  const { streams, texts } = collectStreams({ input: { isTerminal: true } });
  await wm(['task', 'update', '--yes'], { world: { streams }, exit: 2 });
  assert.equal(
    texts.errors,
    'wm: Missing: ID\n  Give the id of the task, or its title: wm task update ID --yes\n  To list tasks: wm task list\n',
  );
});

test('rows that are invalid from the start: their file is closed', async (context) => {
  const { wm, folder, environment } = await emulated(context);
  const file = join(folder, 'rows');
  const files = createFiles(environment, process.platform, folder);
  for (const [content, ...flags] of [
    ['{"id":"x","title":"a"}\n', '--columns', 'titel'],
    ['{"id":"x","titel":"a"}\n'],
    ['id,titel\nx,a\n'],
    ['name,other\nx,a\n'],
    ['id,title\n"x,a\n'],
    ['\n\n'],
  ] as const) {
    await writeFile(file, content);
    const opened: Readable[] = [];
    const stream = async (path: string, start?: number) => {
      const bytes = await files.stream(path, start);
      if (bytes instanceof Readable) opened.push(bytes);
      return bytes;
    };
    const world = { files: { ...files, stream } };
    await wm(['task', 'update', '--from', file, '--yes', ...flags], { world, exit: 2 });
    assert.deepEqual(
      opened.map(({ destroyed }) => destroyed),
      [true],
      content,
    );
  }
});

test('a file that the user may not read is a usage error', async (context) => {
  const { wm, folder, environment } = await emulated(context);
  const file = join(folder, 'locked.csv');
  await writeFile(file, 'id,title\n');
  const stream = () => Promise.reject(fault('EACCES', `open ${file}`));
  const files = { ...createFiles(environment, process.platform, folder), stream };
  const ran = await wm(['task', 'update', '--from', file], { world: { files }, exit: 2 });
  assert.equal(ran.errors, `wm: --from: cannot read ${file}\n  permission denied (EACCES)\n`);
});
