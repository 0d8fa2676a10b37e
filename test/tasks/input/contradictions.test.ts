// An update that contradicts itself is invalid: one field, folder or user in two ways, whether typed, in JSON or in a row
// of a file. The same value twice is no contradiction, and is sent once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { wordsOf } from '#test/support/program/printed.ts';
import { run } from '#test/support/program/program.ts';

const environment = { WM_TOKEN: 'token', WM_HOST: 'api.example.com' };
const dry = (...more: string[]) =>
  run(['task', 'update', 'IEAAAAAQKQAB5BNG', ...more, '--dry-run', '--json'], { environment });
const field = 'IEAAAAAQJUAB5NUM';

const contradictory: readonly [flags: string, names: readonly string[]][] = [
  [
    `--custom-field ${field}=1 --custom-field ${field}=2`,
    [field, 'set to "1" and set to "2"', 'FIELD[]=a,b'],
  ],
  [`--custom-field ${field}=1 --remove-custom-field ${field}`, [field, 'set to "1" and removed']],
  ['--custom-field Budget=1 --custom-field Budget=2', ['"Budget"', 'set to "1" and set to "2"']],
  ['--custom-field Budget=1 --remove-custom-field Budget', ['"Budget"', 'removed']],
  [
    `--custom-fields '[{"id":"${field}","value":"1"}]' --custom-field ${field}=2`,
    [field, 'set to "1" and set to "2"'],
  ],
  [
    `--custom-fields '[{"id":"${field}","value":"1"},{"id":"${field}","value":null}]'`,
    [field, 'set to "1" and removed'],
  ],
  ['--metadata a=1 --metadata b=1 --metadata a=2', ['"a"', 'set to "1" and set to "2"']],
  ['--metadata a=1 --remove-metadata a', ['"a"', 'set to "1" and removed']],
  [`--metadata '[{"key":"a","value":null}]' --metadata a=1`, ['"a"', 'set to "1"', 'removed']],
  ['--follow=false --add-followers @me', ['@me', 'follow']],
  ['--priority-before IEAAB --priority-after IEAAB', ['IEAAB', 'before', 'after']],
  // The last of two members would win, and the first be lost.
  [`--dates '{"start":"2026-12-01","due":"2026-12-04","due":"2026-12-05"}'`, ['--dates', '"due"', 'twice']],
  [`--metadata '[{"key":"a","value":"1","value":"2"}]'`, ['--metadata', '"value"', 'twice']],
  [`--custom-fields '[{"id":"${field}","id":"${field}","value":"2"}]'`, ['--custom-fields', '"id"']],
];

const lists: readonly [add: string, remove: string, id: string][] = [
  ['parents', 'add parents and in remove parents', 'IEAAFOLD'],
  ['shareds', 'add shareds and in remove shareds', 'KUAABENQ'],
  ['responsibles', 'add responsibles and in remove responsibles', 'KUAABENQ'],
  [
    'responsible-placeholders',
    'add responsible placeholders and in remove responsible placeholders',
    'IEAAAAAQPLAAAAAA',
  ],
  ['super-tasks', 'add super tasks and in remove super tasks', 'IEAASUPER'],
];

for (const [list, typedValue, id] of lists) {
  const one = id.slice(0, -1);
  for (const typed of [id, JSON.stringify([`${one}Z`, id])]) {
    test(`invalid: --add-${list} ${typed} with --remove-${list} ${id}`, async () => {
      const ran = await dry(`--add-${list}`, typed, `--remove-${list}`, `${one}Y,${id}`);
      assert.equal(ran.status, 2, ran.output);
      assert.equal(ran.output, '');
      const { message, hint } = JSON.parse(ran.errors).error;
      assert.equal(message, `"${id}" is both in ${typedValue}`);
      assert.equal(hint, 'Choose one.');
    });
  }
  test(`--add-${list} and --remove-${list} of different items are sent`, async () => {
    assert.equal((await dry(`--add-${list}`, id, `--remove-${list}`, `${one}Z`)).status, 0);
  });
}

for (const [flags, names] of contradictory) {
  test(`invalid: ${flags}`, async () => {
    const ran = await dry(...wordsOf(flags));
    assert.equal(ran.status, 2, ran.output);
    assert.equal(ran.output, '');
    const { message, hint } = JSON.parse(ran.errors).error;
    for (const name of names) assert.ok(`${message}\n${hint}`.includes(name), `${name} in ${ran.errors}`);
  });
}

test('the same value twice is sent once', async () => {
  const ran = await dry(
    ...['--custom-field', `${field}=1`, '--custom-field', `${field}=1`],
    ...['--metadata', 'a=1', '--metadata', '[{"key":"a","value":"1"},{"key":"b","value":null}]'],
    ...['--remove-metadata', 'b', '--remove-custom-field', 'IEAAAAAQJUAB5NUN,IEAAAAAQJUAB5NUN'],
    ...['--priority-before', 'A', '--priority-after', 'B', '--follow', '--add-followers', 'KUAABENQ'],
  );
  assert.equal(ran.status, 0, ran.errors);
  const query = new URL(JSON.parse(ran.output).url).searchParams;
  assert.deepEqual(JSON.parse(query.get('customFields') ?? ''), [
    { id: field, value: '1' },
    { id: 'IEAAAAAQJUAB5NUN', value: null },
  ]);
  assert.deepEqual(JSON.parse(query.get('metadata') ?? ''), [
    { key: 'a', value: '1' },
    { key: 'b', value: null },
  ]);
});

test('in a row of a file, alone and together with the command line', async (context) => {
  const { wm, task } = await emulated(context);
  const before = await task(sample.backlog);
  const rows = async (input: string, ...line: string[]) => {
    const ran = await wm(['task', 'update', '--from', '-', '--yes', ...line], { input, exit: 2 });
    return ran.errors;
  };
  const csv = (header: string, cells: string) => `id,${header}\n${sample.backlog},${cells}\n`;
  assert.match(await rows(csv('metadata:a,remove-metadata', '1,a')), /"a" is both set to "1" and removed/);
  assert.match(
    await rows(csv('add-parents,remove-parents', 'IEAAF,IEAAF')),
    /"IEAAF" is both in add parents/,
  );
  assert.match(
    await rows(csv('remove-parents', 'IEAAF'), '--add-parents', 'IEAAF'),
    /"IEAAF" is both in add/,
  );
  assert.match(
    await rows(csv(`custom-field:${field},custom-field:${field}`, '1,2')),
    /set to "1" and set to "2"/,
  );
  const json = (members: object) => `${JSON.stringify({ id: sample.backlog, ...members })}\n`;
  assert.match(
    await rows(json({ addShareds: [sample.ben], removeShareds: [sample.ben] })),
    /is both in add shareds/,
  );
  assert.match(await rows(json({ follow: false, addFollowers: ['@me'] })), /stops you from following/);
  assert.match(
    await rows(
      json({
        metadata: [
          { key: 'a', value: '1' },
          { key: 'a', value: null },
        ],
      }),
    ),
    /removed/,
  );
  assert.deepEqual(await task(sample.backlog), before);
});
