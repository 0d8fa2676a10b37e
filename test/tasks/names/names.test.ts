// Users, custom fields and statuses given by name, where a name is not unique or the service shows little of its records.
// test/transcript/task-names.txt shows names that are found, and names that are not.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { clockAt, emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';

const update = ['task', 'update', sample.backlog];
const fieldOf = (task: { customFields: { id: string; value: string }[] }, id: string) =>
  task.customFields.find((one) => one.id === id)?.value;

/** A service in which names are not unique, as the sample account has none such. */
async function withDoubles(context: TestContext) {
  const server = await startRawServer((request) => {
    if (request.startsWith('GET /api/v4/customfields')) {
      const data = [1, 2].map((n) => ({
        id: `IEAAAAAQJUAAAAA${n}`,
        title: 'Budget',
        type: n === 1 ? 'Numeric' : 'Text',
      }));
      return jsonReply(200, { kind: 'customfields', data });
    }
    if (request.startsWith('GET /api/v4/workflows')) {
      const data = ['A', 'B'].map((name, n) => ({
        id: `IEAAAAAQK4AAAAA${n}`,
        name: `Flow ${name}`,
        customStatuses: [{ id: `IEAAAAAQJMAAAAA${n}`, name: 'Done', group: 'Completed' }],
      }));
      return jsonReply(200, { kind: 'workflows', data });
    }
    const data = ['KUAAAAA1', 'KUAAAAA2'].map((one) => ({
      id: one,
      firstName: 'Ana',
      profiles: [{ email: 'ana@example.com' }],
    }));
    return jsonReply(200, { kind: 'contacts', data });
  });
  context.after(() => server.close());
  return server;
}

for (const [argv, names] of [
  [
    ['--custom-field', 'Budget=3'],
    ['IEAAAAAQJUAAAAA1', 'IEAAAAAQJUAAAAA2', 'Numeric'],
  ],
  [
    ['--custom-status', 'Done'],
    ['IEAAAAAQJMAAAAA0', 'IEAAAAAQJMAAAAA1', 'Flow B'],
  ],
  [
    ['--add-responsibles', 'ana@example.com'],
    ['KUAAAAA1', 'KUAAAAA2'],
  ],
] as const) {
  test(`ambiguous: ${argv.join(' ')} is an error that lists the candidates`, async (context) => {
    const server = await withDoubles(context);
    const ran = await run([...update, ...argv], { environment: { WM_TOKEN: 'token', WM_HOST: server.host } });
    assert.equal(ran.status, 2, ran.errors);
    for (const one of names) assert.ok(ran.errors.includes(one), `${one} in ${ran.errors}`);
    assert.deepEqual(
      server.requests.filter((request) => !request.startsWith('GET ')),
      [],
    );
  });
}

for (const [count, says] of [
  [0, 'None that you can see has a name. Give the id.'],
  [1, 'Available: Field 1\n'],
  [20, ', Field 19, Field 20\n'],
  [21, 'None of the 21 that you can see is similar.'],
] as const) {
  test(`a title like none of ${count}: lists them all if there are only a few`, async (context) => {
    const data = Array.from({ length: count }, (_, n) => ({
      id: `IEAAAAAQJUAAAA${String(n).padStart(2, '0')}`,
      title: `Field ${n + 1}`,
      type: 'Text',
    }));
    const server = await startRawServer(() => jsonReply(200, { kind: 'customfields', data }));
    context.after(() => server.close());
    const environment = { WM_TOKEN: 'token', WM_HOST: server.host };
    const ran = await run([...update, '--custom-field', 'zzzzzzzz=1'], { environment });
    assert.equal(ran.status, 2, ran.output);
    assert.ok(ran.errors.includes(says), ran.errors);
    assert.equal(ran.errors.includes('Available: '), count > 0 && count <= 20);
  });
}

/** A service that leaves out of its records whatever is not an id. */
async function withGaps(context: TestContext, me: readonly object[] = []) {
  const lists: Readonly<Record<string, readonly object[]>> = {
    customfields: [
      { id: 'IEAAAAAQJUAAAAA0' },
      {
        id: 'IEAAAAAQJUAAAAA1',
        title: 'Stage',
        type: 'DropDown',
        settings: { values: ['Low', 7], allowOtherValues: false },
      },
      {
        id: 'IEAAAAAQJUAAAAA2',
        title: 'Area',
        type: 'DropDown',
        settings: { values: ['x'], allowOtherValues: true },
      },
      { id: 'IEAAAAAQJUAAAAA3', title: 'Shade', type: 'DropDown', settings: { values: 'any' } },
      { id: 'IEAAAAAQJUAAAAA4', title: 'Free' },
      { id: 'IEAAAAAQJUAAAAA5', title: 'Twin' },
      { id: 'IEAAAAAQJUAAAAA6', title: 'Twin', type: 'Text' },
      { id: 'IEAAAAAQJUAAAAA7', title: 'Tags', type: 'Multiple' },
    ],
    workflows: [
      { id: 'IEAAAAAQK4AAAAA0' },
      {
        id: 'IEAAAAAQK4AAAAA1',
        customStatuses: [{ id: 'IEAAAAAQJMAAAAA0' }, { id: 'IEAAAAAQJMAAAAA1', name: 'Done' }],
      },
      {
        id: 'IEAAAAAQK4AAAAA2',
        name: 'Flow',
        customStatuses: [
          { id: 'IEAAAAAQJMAAAAA2', name: 'Done', group: 'Completed' },
          { id: 'IEAAAAAQJMAAAAA3', name: 'Open' },
        ],
      },
    ],
    contacts: [
      { id: 'KUAAAAA1', profiles: [null, 'ana@example.com', { role: 'User' }, { email: 5 }] },
      { id: 'KUAAAAA2', firstName: 'Bo', profiles: [{ email: 'Bo@example.com' }] },
      { id: 'KUAAAAA3', lastName: 'Cy' },
    ],
  };
  const server = await startRawServer((request) => {
    const [, name = '', query = ''] = /^GET \/api\/v4\/(\w+)\??(\S*)/.exec(request) ?? [];
    const all = lists[name] ?? [];
    // The search by address finds the user whose name it begins with.
    const [, email] = /email=(\w+)/.exec(query) ?? [];
    const found = all.filter((_, at) => email === ['ana', 'bo', 'cy'][at]);
    const data = query.includes('me=true') ? me : email === undefined ? all : found;
    return jsonReply(200, { kind: name, data });
  });
  context.after(() => server.close());
  return (argv: readonly string[]) =>
    run([...update, ...argv, '--dry-run'], {
      environment: { WM_TOKEN: 'token', WM_HOST: server.host },
    });
}

test('records with gaps: missing data restricts no value', async (context) => {
  const dry = await withGaps(context, [{ id: 'KUAAAAA2' }]);
  const field = (n: number, value: string) =>
    `customFields=${JSON.stringify([{ id: `IEAAAAAQJUAAAAA${n}`, value }])}`;
  for (const [argv, sent] of [
    [['--custom-field', 'Stage=Low'], field(1, 'Low')],
    [['--custom-field', 'Area=anything'], field(2, 'anything')],
    [['--custom-field', 'Shade=anything'], field(3, 'anything')],
    [['--custom-field', 'Free=a,b'], field(4, 'a,b')],
    [['--custom-field', 'Free[]=a,b'], field(4, '["a","b"]')],
    [['--custom-field', 'Tags=["a","b,c"]'], field(7, '["a","b,c"]')],
    [['--custom-field', 'Tags=[a, b'], field(7, '["[a","b"]')],
    [['--custom-status', 'Open'], 'customStatus=IEAAAAAQJMAAAAA3'],
    [['--add-followers', '@me'], 'addFollowers=["KUAAAAA2"]'],
    // One that shows no addresses is taken at the service's word.
    [['--add-followers', 'ana@example.com,cy@example.com'], 'addFollowers=["KUAAAAA1","KUAAAAA3"]'],
    [['--add-followers', 'bo,cy'], 'addFollowers=["KUAAAAA2","KUAAAAA3"]'],
  ] as const) {
    const ran = await dry(argv);
    assert.equal(ran.status, 0, ran.errors);
    assert.ok(decodeURIComponent(ran.output).includes(`?${sent}\nAuthorization`), ran.output);
  }
});

test('records with gaps: an error names the available data', async (context) => {
  const dry = await withGaps(context);
  for (const [argv, says] of [
    [
      ['--custom-field', 'zzzzzz=1'],
      'wm: --custom-field: "zzzzzz" is not the title of a custom field\n  Available: Stage, Area, Shade, Free, Twin, Twin, Tags\n',
    ],
    [
      ['--custom-field', 'Stage=7'],
      'wm: --custom-field Stage: "7" is not one of its choices\n  Available: Low\n',
    ],
    [
      ['--custom-field', 'Twin=1'],
      'wm: --custom-field: "Twin" is the name of 2 custom fields\n  Give the id instead:\n    IEAAAAAQJUAAAAA5  Twin (unknown type)\n    IEAAAAAQJUAAAAA6  Twin (Text)\n',
    ],
    [
      ['--remove-custom-field', 'zzzzzz'],
      'wm: --remove-custom-field: "zzzzzz" is not the title of a custom field\n  Available: Stage, Area, Shade, Free, Twin, Twin, Tags\n',
    ],
    [
      ['--remove-custom-field', 'Twin'],
      'wm: --remove-custom-field: "Twin" is the name of 2 custom fields\n  Give the id instead:\n    IEAAAAAQJUAAAAA5  Twin (unknown type)\n    IEAAAAAQJUAAAAA6  Twin (Text)\n',
    ],
    [
      ['--custom-status', 'Done'],
      'wm: --custom-status: "Done" is the name of 2 custom statuses\n  Give the id instead:\n    IEAAAAAQJMAAAAA1  Done, workflow IEAAAAAQK4AAAAA1\n    IEAAAAAQJMAAAAA2  Done (Completed), workflow Flow\n',
    ],
    [
      ['--custom-status', 'zzzzzz'],
      'wm: --custom-status: "zzzzzz" is not a custom status\n  Available: Done, Done, Open\n',
    ],
    [
      ['--add-followers', '@me'],
      'wm: --add-followers: the service does not say which user @me is\n  See: wm whoami\n',
    ],
  ] as const) {
    const ran = await dry(argv);
    assert.equal(ran.status, 2, ran.output);
    assert.equal(ran.errors, says);
  }
});

test('a custom field date has no range limit, and accepts the same forms as every other date', async (context) => {
  const { wm, task } = await emulated(context);
  for (const [typedValue, date] of [
    ['1950-01-01', '1950-01-01'],
    ['2150-12-31 9:00', '2150-12-31T09:00:00'],
    ['in 2 weeks', '2026-12-05'],
  ]) {
    await wm([...update, '--custom-field', `Goes to print=${typedValue}`], {
      world: { clock: clockAt(new Date(2026, 10, 21).getTime()) },
      exit: 0,
    });
    assert.equal(fieldOf(await task(sample.backlog), sample.date), date);
  }
  await wm([...update, '--custom-field', 'Goes to print=2100-02-29'], { exit: 2 });
});
