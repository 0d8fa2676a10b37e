// What a row means: cells and members that are no values, the flags of the command line behind those of the row, and how
// much of a long plan is shown.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';

const { task: first, backlog: second } = sample;
const fromInput = ['task', 'update', '--from', '-'];

const invalidLines: readonly (readonly [line: string, id: string, reason: string])[] = [
  ['{"title":"x"}', '', 'the line has no "id"'],
  ['5', '', '5 is not an object'],
  ['null', '', 'null is not an object'],
  [`["${first}"]`, '', `["${first}"] is not an object`],
  ['{"id":5,"title":"x"}', '', 'id: 5 is not text'],
  ['{"id":".","title":"x"}', '.', '"." cannot stand in the path of a URL'],
  ['{"id":"..","title":"x"}', '..', '".." cannot stand in the path of a URL'],
  [`{"id":"${first}","zzzzqq":1}`, first, '"zzzzqq" is not the name of a parameter'],
  [`{"id":"${first}","titel":"x"}`, first, '"titel" is not the name of a parameter; did you mean title?'],
  [`{"id":"${first}","due":"fri"}`, first, '"due" is not the name of a parameter; use dates'],
  [`{"id":"${first}","addResponsibles":[5]}`, first, 'addResponsibles: entry 1: 5 is not text (UserId)'],
  [
    `{"id":"${first}","addResponsibles":[" "]}`,
    first,
    'addResponsibles: entry 1: " " is blank: give the name or the id of a user',
  ],
  [`{"id":"${first}","customStatus":5}`, first, 'customStatus: 5 is not text (CustomStatusId)'],
  [
    `{"id":"${first}","customStatus":" "}`,
    first,
    'customStatus: " " is blank: give the name or the id of a custom status',
  ],
];

test('each line of NDJSON that is not an update is listed with its reason', async (context) => {
  const { wm } = await emulated(context);
  const input = `${invalidLines.map(([line]) => line).join('\n')}\n`;
  const ran = await wm([...fromInput, '--yes'], { input, exit: 2 });
  const rows = ran.output.trimEnd().split('\n');
  assert.equal(rows.length, invalidLines.length, ran.output);
  for (const [at, [, id, reason]] of invalidLines.entries()) {
    const [line, named, outcome, why = ''] = rows[at]?.split('\t') ?? [];
    assert.deepEqual([line, named, outcome], [String(at + 1), id, 'invalid']);
    assert.equal(why, reason);
  }
});

test('in JSON, a row without a known id has the id null', async (context) => {
  const { wm } = await emulated(context);
  const ran = await wm([...fromInput, '--yes', '--json'], { input: '{"title":"x"}\n', exit: 2 });
  assert.deepEqual(JSON.parse(ran.output), {
    line: 1,
    id: null,
    outcome: 'invalid',
    error: { code: 'usage', message: 'the line has no "id"' },
  });
});

for (const input of [`id,title\n${first},x\n,y\n`, `{"id":"${first}","title":"x"}\n{"id":" ","title":"y"}\n`])
  test(`a row without an id says so; ${input.slice(0, 4)}`, async (context) => {
    const { wm } = await emulated(context);
    const ran = await wm([...fromInput, '--dry-run'], { input, exit: 2 });
    assert.match(ran.errors, /^ {2}line [23]: the row has no id$/m);
  });

test('CSV with a quote that is not closed in its header is rejected as a whole', async (context) => {
  const { wm } = await emulated(context);
  const ran = await wm([...fromInput, '--yes'], { input: `id,"title\n${first},x\n`, exit: 2 });
  assert.match(ran.errors, /^wm: standard input, line 1: a quote is opened in this row and never closed\n/);
});

const line = `{"id":"${first}","title":"x"}\n`;
const unreadable: readonly (readonly [name: string, content: readonly string[], says: string])[] = [
  [
    'in its second line',
    [line, '{"id":"\xff"}\n'],
    'line 2: this line is not UTF-8 text\n  Save it as UTF-8 ',
  ],
  ['in its first', ['{"id":"\xff"}\n', line], 'line 1: this line is not UTF-8 text\n  Save it as UTF-8 '],
  [
    'in a line without an end',
    [line, line, `{"id":"${'x'.repeat(16 * 1024 * 1024)}`],
    'line 3: this line is longer than 16777216 bytes\n  Nothing after it can be read, so nothing was sent.\n',
  ],
];

for (const [name, content, says] of unreadable) {
  test(`NDJSON that cannot be read, ${name}: it is rejected as a whole`, async (context) => {
    const { wm, folder } = await emulated(context);
    const path = join(folder, 'tasks.ndjson');
    await writeFile(path, Buffer.from(content.join(''), 'latin1'));
    const ran = await wm(['task', 'update', '--from', path, '--yes', '--verbose'], { exit: 2 });
    assert.ok(ran.errors.startsWith(`wm: ${path}, ${says}`), ran.errors);
    assert.ok(ran.errors.endsWith('\n  Nothing after it can be read, so nothing was sent.\n'), ran.errors);
  });
}

/** The query of each request of a dry run. */
function queries(output: string): readonly object[] {
  return output
    .trimEnd()
    .split('\n')
    .map((line) => Object.fromEntries(new URL(JSON.parse(line).url).searchParams));
}

test('CSV: true and false ignore case; false for a flag without a --no form leaves the field unchanged', async (context) => {
  const { wm } = await emulated(context);
  const input = `id,title,due,milestone,follow,work-on-weekends
${first},a,2026-12-24,TRUE,False,
${first},b,,false, true ,
${first},c,,,,maybe
${first},d,,x,,
`;
  const ran = await wm([...fromInput, '--dry-run', '--json'], { input, exit: 2 });
  assert.deepEqual(queries(ran.output), [
    { title: 'a', dates: '{"type":"Milestone","due":"2026-12-24"}', follow: 'false' },
    { title: 'b', follow: 'true' },
  ]);
  assert.match(ran.errors, /^ {2}line 4 \(\w+\): work-on-weekends: "maybe" is not one of true, false$/m);
  assert.match(ran.errors, /^ {2}line 5 \(\w+\): milestone: "x" is not one of true, false$/m);
});

test('CSV: a column that matches no flag is an error that says where the names are', async (context) => {
  const { wm } = await emulated(context);
  const ran = await wm([...fromInput, '--yes'], { input: `id,zzzzqqqq\n${first},x\n`, exit: 2 });
  assert.match(ran.errors, /"zzzzqqqq" is not the name of a flag[\s\S]*wm task update --help all\n/);
});

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
    ...['--add-parents', 'IEAONE,IEATWO', '--add-responsibles', `${sample.ben},${sample.bot}`],
    ...['--title', 'of the line'],
  ];
  const own = {
    metadata: [{ key: 'b', value: '2' }],
    customFields: [{ id: sample.numeric, value: '2' }],
    addParents: ['IEATWO', 'IEATHREE'],
    addResponsibles: [sample.bot, sample.ada],
    setResponsibleAllocation: [allocation(ben, 60), allocation(placeholder, 60)],
    title: 'of the row',
  };
  const expected = {
    metadata: '[{"key":"a","value":"1"},{"key":"b","value":"2"}]',
    customFields: `[{"id":"${sample.text}","value":"blue"},{"id":"${sample.numeric}","value":"2"}]`,
    addParents: '["IEAONE","IEATWO","IEATHREE"]',
    addResponsibles: `["${sample.ben}","${sample.bot}","${sample.ada}"]`,
    setResponsibleAllocation: JSON.stringify([allocation(bot, 30), ...own.setResponsibleAllocation]),
    title: 'of the row',
  };
  const json = `${JSON.stringify({ id: first, ...own })}\n`;
  const allocations = JSON.stringify(own.setResponsibleAllocation);
  const csv = `id,metadata:b,custom-field:${sample.numeric},add-parents,add-responsibles,set-responsible-allocation,title
${first},2,2,"IEATWO,IEATHREE","${sample.bot},${sample.ada}","${allocations.replaceAll('"', '""')}",of the row
`;
  for (const input of [json, csv]) {
    const ran = await wm([...fromInput, ...line, '--dry-run', '--json'], { input, exit: 0 });
    assert.deepEqual(queries(ran.output), [expected]);
  }
});

test('by name, too: the title of a field, the name of a user', async (context) => {
  const { wm } = await emulated(context);
  const line = ['--custom-field', 'Colours=a', '--custom-field', 'Copies=1', '--add-responsibles', '@me'];
  const input = `id,custom-field:Copies,add-responsibles\n${first},2,"Ben Okafor,@me"\n`;
  const ran = await wm([...fromInput, ...line, '--dry-run', '--json'], { input, exit: 0 });
  assert.deepEqual(queries(ran.output), [
    {
      customFields: `[{"id":"${sample.text}","value":"a"},{"id":"${sample.numeric}","value":"2"}]`,
      addResponsibles: `["${sample.ben}","${sample.ada}"]`,
    },
  ]);
});

for (const [invalid, more] of [
  [20, ''],
  [21, '  and 1 more\n'],
  [1025, '  and 1,005 more\n'],
] as const) {
  test(`a plan with ${invalid} invalid rows shows the first 20`, async (context) => {
    const { wm } = await emulated(context);
    const input = `id,status\n${first},Active\n${`${first},Nope\n`.repeat(invalid)}`;
    const ran = await wm([...fromInput, '--dry-run'], { input, exit: 2 });
    const [, shown = ''] = /invalid:\n((?: {2}.*\n)*)/.exec(ran.errors) ?? [];
    const lines = Array.from({ length: 20 }, (_, at) => `  line ${at + 3} (${first}): `);
    assert.deepEqual(shown.match(/^ {2}line \d+ \(\w+\): /gm), lines);
    assert.ok(shown.endsWith(`${more}`), shown);
    assert.equal(shown.split('\n').length - 1, more === '' ? 20 : 21);
  });
}

test('shows the meaning of the first ten relative dates', async (context) => {
  const { wm } = await emulated(context);
  const rows = Array.from({ length: 12 }, (_, n) => `${first},today,+${n + 1}d\n`);
  const ran = await wm([...fromInput, '--dry-run'], { input: `id,start,due\n${rows.join('')}`, exit: 0 });
  const shown = ran.errors.match(/^ {2}(\S+) is \d{4}-\d\d-\d\d$/gm) ?? [];
  assert.deepEqual(
    shown.map((line) => line.trim().split(' ')[0]),
    ['today', ...Array.from({ length: 9 }, (_, n) => `+${n + 1}d`)],
  );
});

test('names ten kinds that the service drops from descriptions, and counts fifty', async (context) => {
  const { wm } = await emulated(context);
  const tags = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => `<x${from + n}>a</x${from + n}>`).join('');
  const rows = [tags(0, 30), tags(0, 60), tags(0, 1) + tags(100, 110)];
  const input = `id,description\n${rows.map((html) => `${first},${html}\n`).join('')}`;
  const ran = await wm([...fromInput, '--dry-run'], { input, exit: 0 });
  const named = Array.from({ length: 10 }, (_, n) => `<x${n}> (${n === 0 ? 3 : 2} rows)`).join(', ');
  assert.ok(
    ran.errors.includes(
      `The service drops from descriptions: ${named}, and 40 more. See wm task update --help html\n`,
    ),
    ran.errors,
  );
  // A row that says it once more still counts.
  const one = await wm(['task', 'update', first, '--description', tags(0, 11), '--dry-run']);
  assert.match(one.errors, /<x9> \(1\), and 1 more\. See wm/);
});

test('looks up names in a dry run of many tasks, and requests nothing else', async (context) => {
  const { wm } = await emulated(context);
  const argv = ['task', 'update', first, second, '--custom-status', 'In review', '--custom-field'];
  const ran = await wm([...argv, 'INVOICINGNUMBERS=1', '--dry-run', '--json', '--verbose'], { exit: 0 });
  const query = {
    customStatus: sample.inReview,
    customFields: '[{"id":"INVOICINGNUMBERS","value":"1"}]',
  };
  assert.deepEqual(queries(ran.output), [query, query]);
  assert.deepEqual(
    ran.errors.match(/(?:GET|PUT) \S+/g)?.map((line) => line.split('/').at(-1)),
    ['workflows', 'spaces', 'workflows', 'workflows'],
  );
});

test('names that cannot be looked up because of a rejected token end the run, with its own exit status', async (context) => {
  const { wm } = await emulated(context);
  const ran = await wm(['task', 'update', first, second, '--custom-status', 'In review', '--yes'], {
    environment: { WM_TOKEN: 'nonsense' },
    exit: 4,
  });
  assert.equal(ran.output, '');
});

test('a link without an id among ids on the command line is an invalid row', async (context) => {
  const { wm } = await emulated(context);
  const wrong = 'https://workspace.example.com/tasks/12';
  const ran = await wm(['task', 'update', first, wrong, wrong, '--title', 'x', '--dry-run'], { exit: 2 });
  assert.ok(
    ran.errors.startsWith(`Given more than once, and updated once: ${wrong}\n1 of 2 rows `),
    ran.errors,
  );
  assert.match(ran.errors, /^ {2}line 2 \(https:\S+\): "https:\S+" is not a permalink with an id: /m);
});
