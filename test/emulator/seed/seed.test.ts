// Seeds: what a file says is what the service has, a snapshot says it again, and every mistake is named with its place.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readSeed } from '../../../src/emulator/seed/parse-seed.ts';
import { control } from '../control/control.ts';
import { call, query, type Started, started, update } from '../start.ts';
import { receiving } from '../webhooks/receiver.ts';

type Test = Parameters<typeof started>[0];

function seedOf(given: unknown) {
  const read = readSeed(given);
  assert.ok(!('problems' in read), JSON.stringify(read));
  return read;
}

const startedWith = (t: Test, given: unknown): Promise<Started> => started(t, { seed: seedOf(given) });
const snapshot = (emulator: Started) => control(emulator, 'GET', '/seed');

const problemsOf = (given: unknown): readonly string[] => {
  const read = readSeed(given);
  assert.ok('problems' in read, 'there is no problem');
  return read.problems.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

const small = {
  version: 1,
  users: [
    { firstName: 'Mia', email: 'mia@example.org', admin: true },
    { firstName: 'Noa', lastName: 'Levi' },
  ],
  folders: [
    { title: 'Team', kind: 'space' },
    { title: 'Site', parentIds: ['Team'] },
    { title: 'Private', sharedIds: ['mia@example.org'] },
  ],
  customFields: [{ title: 'Risk', type: 'DropDown', values: ['Low', 'High'] }],
  workflows: [
    {
      name: 'Editorial',
      statuses: [
        { name: 'In review', group: 'Active' },
        { name: 'Out', group: 'Completed' },
      ],
    },
  ],
  tasks: [
    {
      title: 'Launch',
      parentIds: ['Site'],
      responsibleIds: ['Noa Levi'],
      customStatusId: 'Out',
      customFields: [{ id: 'Risk', value: 'High' }],
      dates: { type: 'Planned', start: '2026-03-02T09:00:00', due: '2026-03-03T17:00:00', duration: 960 },
    },
    { title: 'Pictures', superTaskIds: ['Launch'] },
    { title: 'Old', scope: 'RbTask' },
  ],
  comments: [{ taskId: 'Launch', text: 'Well done' }],
  timelogs: [{ taskId: 'Launch', hours: 1.5, userId: 'Noa Levi' }],
  applications: [{ clientId: 'mine', clientSecret: 's3cret', redirectUris: ['https://app.example.com/cb'] }],
  tokens: [{ token: 'token-of-noa', userId: 'Noa Levi', scopes: ['wsReadOnly'] }],
};

test('the service has what a seed says, by the names that its records have there', async (t) => {
  const emulator = await startedWith(t, small);
  const { body } = await call(emulator, 'GET', '/tasks');
  const [launch, pictures, ...more] = body.data;
  assert.deepEqual(
    [launch.title, launch.status, pictures.title, more.length],
    ['Launch', 'Completed', 'Pictures', 0],
  );
  const contacts = (await call(emulator, 'GET', '/contacts')).body.data;
  assert.deepEqual(
    contacts.map((one: { firstName: string }) => one.firstName),
    ['Mia', 'Noa'],
  );
  const whole = (await call(emulator, 'GET', `/tasks/${launch.id}`)).body.data[0];
  assert.deepEqual(whole.responsibleIds, [contacts[1].id]);
  assert.deepEqual(whole.subTaskIds, [pictures.id]);
  assert.equal(whole.customFields[0].value, 'High');
  const folders = (await call(emulator, 'GET', '/folders')).body.data;
  const site = folders.find((one: { title: string }) => one.title === 'Site');
  assert.deepEqual(whole.parentIds, [site.id]);
  const asNoa = { headers: { Authorization: 'Bearer token-of-noa' } };
  const seen = (await call(emulator, 'GET', '/folders', asNoa)).body.data;
  assert.ok(!seen.some((one: { title: string }) => one.title === 'Private'));
  const denied = await call(emulator, 'PUT', `/tasks/${launch.id}?title=x`, asNoa);
  assert.equal(denied.status, 403, 'the token has the scopes of the seed');
  assert.equal((await call(emulator, 'GET', `/tasks/${launch.id}/comments`)).body.data[0].text, 'Well done');
  // The same names have the same ids in every run, and whatever else the file says.
  const again = seedOf({ ...small, tasks: [{ title: 'First' }, ...small.tasks] });
  assert.equal(again.tasks.find(({ title }) => title === 'Launch')?.id, launch.id);
  // What works on the sample works on a seed.
  assert.equal((await update(emulator, { title: 'Changed' }, launch.id)).title, 'Changed');
  await control(emulator, 'POST', '/events', { eventType: 'CommentAdded' });
  await control(emulator, 'POST', '/tasks', { count: 2 });
  await control(emulator, 'POST', '/reset', {});
  const reset = (await call(emulator, 'GET', '/tasks')).body.data;
  assert.deepEqual(
    reset.map((one: { title: string }) => one.title),
    ['Launch', 'Pictures'],
  );
});

test('a task alone is a seed: the emulator adds an account, an administrator and a workflow', async (t) => {
  const emulator = await startedWith(t, { version: 1, tasks: [{ title: 'Only' }] });
  const [task] = (await call(emulator, 'GET', '/tasks')).body.data;
  assert.equal((await update(emulator, { status: 'Completed' }, task.id)).status, 'Completed');
  assert.deepEqual([emulator.sampleTask, emulator.sampleFolder, emulator.sampleSpace], [task.id, '', '']);
  const created = await call(
    emulator,
    'POST',
    `/webhooks?${query({ hookUrl: 'https://hooks.example.com/x' })}`,
  );
  assert.equal(created.status, 200);
});

test('a webhook of a seed is delivered to from the start, and after a reset', async (t) => {
  const receiver = await receiving(t);
  const seed = {
    ...small,
    webhooks: [
      {
        hookUrl: 'https://hooks.example.com/seeded',
        spaceId: 'Team',
        recursive: true,
        secret: 'canary',
        events: ['TaskStatusChanged'],
      },
    ],
  };
  const emulator = await started(t, {
    seed: seedOf(seed),
    connectTo: [{ host: 'hooks.example.com', address: '127.0.0.1', port: receiver.port }],
  });
  const launch = emulator.sampleTask;
  for (const _ of ['the start', 'a reset']) {
    await update(emulator, { status: 'Deferred' }, launch);
    const { deliveries } = await control(emulator, 'GET', '/deliveries?settled=true');
    assert.deepEqual(
      deliveries.map((one: { eventType: string }) => one.eventType),
      ['TaskStatusChanged'],
    );
    await control(emulator, 'POST', '/reset', {});
  }
});

test('the sample is its own seed: a snapshot of an emulator that starts with one is the same', async (t) => {
  const emulator = await started(t);
  await update(emulator, { description: '<b>x</b>', addResponsibles: ['KUAAADAQ'] });
  await call(emulator, 'POST', `/webhooks?${query({ hookUrl: 'https://hooks.example.com/x' })}`);
  assert.equal(
    (await call(emulator, 'POST', `/tasks/${emulator.sampleTask}/comments?${query({ text: 'one' })}`)).status,
    200,
  );
  const first = await snapshot(emulator);
  const second = await snapshot(await startedWith(t, first));
  assert.deepEqual(second, first);
  assert.equal(JSON.stringify(second), JSON.stringify(first), 'in the same order');
});

const word = fc.stringMatching(/^[A-Za-z ]{1,8}[a-z]$/);
const optionally = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
const few = <T>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: 4 });
const idEnd = fc.stringMatching(/^[A-Z2-7]{6}$/);
const seeds = fc
  .record({
    people: fc.uniqueArray(
      fc.record({
        end: idEnd,
        firstName: word,
        licence: optionally(fc.constantFrom('full', 'lowest')),
        deleted: optionally(fc.boolean()),
      }),
      { selector: ({ end }) => end, maxLength: 3 },
    ),
    folders: fc.uniqueArray(
      fc.record({
        end: idEnd,
        title: word,
        kind: optionally(fc.constantFrom('folder', 'space', 'project')),
        description: optionally(word),
      }),
      { selector: ({ end }) => end, maxLength: 4 },
    ),
    tasks: fc.uniqueArray(
      fc.record({
        end: idEnd,
        title: word,
        importance: optionally(fc.constantFrom('High', 'Normal', 'Low')),
        status: optionally(fc.constantFrom('Active', 'Completed', 'Deferred', 'Cancelled')),
        description: optionally(word),
        recurrent: optionally(fc.boolean()),
        metadata: optionally(few(fc.record({ key: word, value: word }))),
        dates: optionally(
          fc.constantFrom({ type: 'Backlog' }, { type: 'Milestone', due: '2026-03-02T17:00:00' }),
        ),
        billingType: optionally(fc.constantFrom('Billable', 'NonBillable')),
        parents: few(fc.nat()),
        responsibles: few(fc.nat()),
        subtaskOf: optionally(fc.nat()),
        createdDate: optionally(fc.constant('2025-01-01T00:00:00Z')),
      }),
      { selector: ({ end }) => end, maxLength: 6 },
    ),
    hooks: few(
      fc.record({
        end: idEnd,
        place: optionally(fc.nat()),
        recursive: optionally(fc.boolean()),
        secret: optionally(word),
        status: optionally(fc.constantFrom('Active', 'Suspended')),
        events: optionally(fc.constantFrom(['TaskCreated'], ['TaskDeleted', 'CommentAdded'])),
      }),
    ),
    tokens: few(
      fc.record({
        end: idEnd,
        scopes: optionally(fc.constantFrom(['Default'], ['wsReadOnly', 'amReadOnlyUser'])),
      }),
    ),
  })
  .map(({ people, folders, tasks, hooks, tokens }) => {
    const users = [
      { id: 'KUBOSSAA', firstName: 'Boss', admin: true },
      ...people.map(({ end, ...one }) => ({ id: `KV${end}`, ...one })),
    ];
    const folderIds = folders.map(({ end }) => `IEAAAAAQI4${end}`);
    const taskIds = tasks.map(({ end }) => `IEAAAAAQKQ${end}`);
    const some = (ids: readonly string[], numbers: readonly number[]) =>
      ids.length === 0 ? undefined : [...new Set(numbers.map((one) => ids[one % ids.length]))];
    return {
      version: 1,
      users,
      folders: folders.map(({ end: _, ...one }, at) => ({
        id: folderIds[at],
        ...one,
        ...(at > 0 ? { parentIds: [folderIds[at - 1]] } : {}),
      })),
      tasks: tasks.map(({ end: _, parents, responsibles, subtaskOf, ...one }, at) => ({
        id: taskIds[at],
        ...one,
        parentIds: some(folderIds, parents),
        responsibleIds: some(
          users.map(({ id }) => id),
          responsibles,
        ),
        ...(subtaskOf === undefined || at === 0 ? {} : { superTaskIds: [taskIds[subtaskOf % at]] }),
      })),
      webhooks: [...new Map(hooks.map((one) => [one.end, one])).values()].map(({ end, place, ...one }) => ({
        id: `W${end}`,
        hookUrl: `https://hooks.example.com/${end}`,
        ...one,
        ...(place === undefined || folderIds.length === 0
          ? {}
          : { folderId: folderIds[place % folderIds.length] }),
      })),
      tokens: [...new Map(tokens.map((one) => [one.end, one])).values()].map(({ end, ...one }) => ({
        token: `token-${end}`,
        userId: 'KUBOSSAA',
        ...one,
      })),
    };
  });

/** What a snapshot may leave out. */
const standard: Readonly<Record<string, unknown>> = {
  kind: 'folder',
  importance: 'Normal',
  description: '',
  recurrent: false,
  metadata: [],
  billingType: 'Billable',
  dates: { type: 'Backlog' },
  responsibleIds: [],
  licence: 'full',
  deleted: false,
  recursive: false,
};

test('everything that a seed says is in the snapshot, which starts the same again', async (t) => {
  await fc.assert(
    fc.asyncProperty(seeds, async (given) => {
      const seed = JSON.parse(JSON.stringify(given));
      const emulator = await startedWith(t, seed);
      const shown = await snapshot(emulator);
      for (const [list, records] of Object.entries(seed)) {
        if (!Array.isArray(records)) continue;
        for (const record of records) {
          const key = list === 'tokens' ? 'token' : 'id';
          const found = shown[list]?.find((one: Record<string, unknown>) => one[key] === record[key]);
          assert.ok(found, `${list} ${record[key]}`);
          for (const [name, value] of Object.entries(record)) {
            const isStandard =
              found[name] === undefined &&
              (name === 'status' ? list === 'webhooks' && value === 'Active' : true);
            assert.deepEqual(
              isStandard ? (standard[name] ?? 'Active') : found[name],
              value,
              `${list}.${name}`,
            );
          }
        }
      }
      const again = await startedWith(t, shown);
      assert.deepEqual(await snapshot(again), shown);
      await Promise.all([emulator.close(), again.close()]);
    }),
    { numRuns: 60 },
  );
});

test('each mistake is named with its place and with what to do', () => {
  assert.deepEqual(problemsOf([]), [
    ': is not a map of lists: accounts, users, invitations, folders, tasks, comments, timelogs, dependencies, customFields, workflows, customItemTypes, workSchedules, placeholders, applications, webhooks, tokens',
  ]);
  assert.deepEqual(problemsOf({}), [': has no version: write version: 1']);
  assert.deepEqual(problemsOf({ version: 2 }), [
    'version: version is not 1, the only one that this emulator reads',
  ]);
  const one = (more: object) => problemsOf({ version: 1, ...more });
  assert.deepEqual(one({ task: [] }), ['task: "task" is no list of a seed. Did you mean tasks?']);
  assert.deepEqual(one({ tasks: {} }), ['tasks: tasks is not a list']);
  assert.deepEqual(one({ tasks: [{}] }), ['tasks.0: has no title, which a task needs']);
  assert.deepEqual(
    one({ tasks: [{ title: 'a', dueDate: 1 }] })[0]?.slice(0, 40),
    'tasks.0.dueDate: a task has no "dueDate"',
  );
  assert.deepEqual(one({ tasks: [{ title: 'a', importance: 'Huge' }] }), [
    'tasks.0.importance: importance: "Huge" is not one of High, Low, Normal; did you mean High?',
  ]);
  assert.deepEqual(one({ folders: [{ title: 'Site' }], tasks: [{ title: 'a', parentIds: ['Sitee'] }] }), [
    'tasks.0.parentIds.0: "Sitee" is no folder of this file. Did you mean Site?',
  ]);
  assert.deepEqual(
    one({ folders: [{ title: 'A' }, { title: 'A' }], tasks: [{ title: 'a', parentIds: ['A'] }] }),
    ['tasks.0.parentIds.0: "A" is the name of several: write the id of the folder'],
  );
  const nothing = { accountId: null, parentIds: null, customFields: null };
  assert.deepEqual(
    one({
      tasks: [{ title: 'a', ...nothing }],
      webhooks: [{ hookUrl: 'https://x.example', folderId: null }],
    }),
    [
      'tasks.0.accountId: null is not an id or a name',
      'tasks.0.parentIds: null is not a list',
      'tasks.0.customFields: null is not a list',
      'webhooks.0.folderId: null is not an id or a name',
    ],
  );
  assert.deepEqual(one({ users: [{ firstName: 'A' }] }), [
    'users: the account "Seed" has no administrator: write admin: true for one of its users',
  ]);
  assert.deepEqual(
    one({
      tasks: [
        { id: 'X1', title: 'a' },
        { id: 'X1', title: 'b' },
      ],
    }),
    ['tasks.1: has the id "X1", as the task "a" has'],
  );
  assert.deepEqual(
    one({
      folders: [
        { id: 'F1', title: 'a', parentIds: ['F2'] },
        { id: 'F2', title: 'b', parentIds: ['F1'] },
      ],
    }),
    [
      'folders.0.parentIds: leads back to this folder itself',
      'folders.1.parentIds: leads back to this folder itself',
    ],
  );
  assert.deepEqual(one({ tasks: [{ title: 'a', customStatusId: 'Nwe' }] }), [
    'tasks.0.customStatusId: "Nwe" is no status of this file. Did you mean New?',
  ]);
  assert.deepEqual(one({ tasks: [{ title: 'a', customStatusId: 'New', status: 'Completed' }] }), [
    'tasks.0.status: "Completed" is not the group of New, which is Active: leave status out',
  ]);
  assert.match(
    one({ webhooks: [{ hookUrl: 'http://10.0.0.1/' }] })[0] ?? '',
    /^webhooks\.0\.hookUrl: hookUrl: "http:\/\/10\.0\.0\.1\/"/,
  );
});

test('whatever a seed is, it is data or a list of problems', () => {
  const lists = [
    'users',
    'folders',
    'tasks',
    'webhooks',
    'workflows',
    'tokens',
    'customFields',
    'comments',
    'accounts',
    'dependencies',
  ];
  const names = [
    'id',
    'title',
    'parentIds',
    'superTaskIds',
    'firstName',
    'admin',
    'accountId',
    'statuses',
    'customFields',
    'hookUrl',
    'userId',
    'token',
    'name',
    'taskId',
    'text',
    'customStatusId',
    'type',
  ];
  const value = fc.oneof(
    fc.constantFrom<unknown>(
      'A',
      'New',
      'IEAAAAAQ',
      null,
      true,
      1,
      '',
      [],
      ['A'],
      {},
      [{ name: 'A', group: 'Active' }],
      [{ id: 'A', value: 'x' }],
      ['IEAAAAAQI7777777'],
    ),
    fc.jsonValue(),
  );
  const records = fc.array(fc.dictionary(fc.constantFrom(...names), value), { maxLength: 3 });
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.constantFrom(...lists),
        fc.oneof({ weight: 5, arbitrary: records as fc.Arbitrary<unknown> }, value),
      ),
      (given) => {
        const read = readSeed({ version: 1, ...given });
        if ('problems' in read) assert.ok(read.problems.length > 0);
        else assert.ok(read.accounts.length > 0);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('200,000 tasks have ids of their own, the same at each start; the message for a given id names the record', () => {
  const tasks = Array.from({ length: 200_000 }, (_, at) => ({ title: `Task ${at}` }));
  const [one, other] = [0, 1].map(() => seedOf({ version: 1, tasks }).tasks.map(({ id }) => id));
  assert.equal(new Set(one).size, tasks.length);
  assert.deepEqual(one, other);
  const id = 'IEAAAAAQKQAB5BNG';
  const twice = problemsOf({
    version: 1,
    tasks: [
      { title: 'First', id },
      { title: 'Second', id },
    ],
  });
  assert.deepEqual(twice, [`tasks.1: has the id "${id}", as the task "First" has`]);
});

test('the root comes before the recycle bin, as in the sample', async (t) => {
  const orders = await Promise.all(
    [await started(t), await startedWith(t, { version: 1 })].map(async (emulator) =>
      (await call(emulator, 'GET', '/folders')).body.data.map(({ scope }: { scope: string }) => scope),
    ),
  );
  for (const [first, ...rest] of orders) {
    assert.equal(first, 'WsRoot');
    assert.ok(!rest.includes('WsRoot'));
  }
});
