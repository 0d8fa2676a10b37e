// Seeds of any contents, and helpers of their tests. Few runs and few tasks are quick, many are deep.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readSeed } from '#emulator/seed/parse-seed.ts';
import { control } from '#test/support/service/control.ts';
import { type Started, started } from '#test/support/service/start-emulator.ts';

type Test = Parameters<typeof started>[0];

export function seedOf(seed: unknown) {
  const read = readSeed(seed);
  assert.ok(!('problems' in read), JSON.stringify(read));
  return read;
}

export const startedWith = (t: Test, seed: unknown): Promise<Started> => started(t, { seed: seedOf(seed) });
export const snapshot = (emulator: Started) => control(emulator, 'GET', '/seed');

export const problemsOf = (seed: unknown): readonly string[] => {
  const read = readSeed(seed);
  assert.ok('problems' in read, 'there is no problem');
  return read.problems.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

const word = fc.stringMatching(/^[A-Za-z ]{1,8}[a-z]$/);
const optionally = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const few = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 4 });
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
        metadata: optionally(few(fc.record({ key: fc.stringMatching(/^[\w-]{1,8}$/), value: word }))),
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
      ...people.map(({ end, ...members }) => ({ id: `KV${end}`, ...members })),
    ];
    const folderIds = folders.map(({ end }) => `IEAAAAAQI4${end}`);
    const taskIds = tasks.map(({ end }) => `IEAAAAAQKQ${end}`);
    const some = (ids: readonly string[], numbers: readonly number[]) =>
      ids.length === 0 ? undefined : [...new Set(numbers.map((number) => ids[number % ids.length]))];
    return {
      version: 1,
      users,
      folders: folders.map(({ end: _, ...members }, at) => ({
        id: folderIds[at],
        ...members,
        ...(at > 0 ? { parentIds: [folderIds[at - 1]] } : {}),
      })),
      tasks: tasks.map(({ end: _, parents, responsibles, subtaskOf, ...members }, at) => ({
        id: taskIds[at],
        ...members,
        parentIds: some(folderIds, parents),
        responsibleIds: some(
          users.map(({ id }) => id),
          responsibles,
        ),
        ...(subtaskOf === undefined || at === 0 ? {} : { superTaskIds: [taskIds[subtaskOf % at]] }),
      })),
      webhooks: [...new Map(hooks.map((hook) => [hook.end, hook])).values()].map(
        ({ end, place, ...members }) => ({
          id: `W${end}`,
          hookUrl: `https://hooks.example.com/${end}`,
          ...members,
          ...(place === undefined || folderIds.length === 0
            ? {}
            : { folderId: folderIds[place % folderIds.length] }),
        }),
      ),
      tokens: [...new Map(tokens.map((token) => [token.end, token])).values()].map(({ end, ...members }) => ({
        token: `token-${end}`,
        userId: 'KUBOSSAA',
        ...members,
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
  billingType: 'NonBillable',
  dates: { type: 'Backlog' },
  responsibleIds: [],
  licence: 'full',
  deleted: false,
  recursive: false,
};

/** Declares the tests of properties, with so many runs. */
export function testAnySeed(runs: { readonly valid: number; readonly any: number }): void {
  test('a snapshot has everything in its seed, and starts the same again', async (t) => {
    await fc.assert(
      fc.asyncProperty(seeds, async (anySeed) => {
        const seed = JSON.parse(JSON.stringify(anySeed));
        const emulator = await startedWith(t, seed);
        const shown = await snapshot(emulator);
        for (const [list, records] of Object.entries(seed)) {
          if (!Array.isArray(records)) continue;
          for (const record of records) {
            const key = list === 'tokens' ? 'token' : 'id';
            const found = shown[list]?.find((row: Record<string, unknown>) => row[key] === record[key]);
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
      { numRuns: runs.valid },
    );
  });

  test('any seed is either data or a list of problems', () => {
    const lists = [
      ...'users folders tasks webhooks workflows tokens customFields comments accounts dependencies'.split(
        ' ',
      ),
    ];
    const names = [
      ...'id title parentIds superTaskIds firstName admin accountId statuses customFields hookUrl'.split(' '),
      ...'userId token name taskId text customStatusId type'.split(' '),
    ];
    const value = fc.oneof(
      fc.constantFrom<unknown>(
        ...['A', 'New', 'IEAAAAAQ', null, true, 1, '', [], ['A'], {}, ['IEAAAAAQI7777777']],
        ...[[{ name: 'A', group: 'Active' }], [{ id: 'A', value: 'x' }]],
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
        (someLists) => {
          const read = readSeed({ version: 1, ...someLists });
          if ('problems' in read) assert.ok(read.problems.length > 0);
          else assert.ok(read.accounts.length > 0);
        },
      ),
      { numRuns: runs.any },
    );
  });
}

export function assertOwnIds(count: number): void {
  const tasks = Array.from({ length: count }, (_, at) => ({ title: `Task ${at}` }));
  const [first, second] = [0, 1].map(() => seedOf({ version: 1, tasks }).tasks.map(({ id }) => id));
  assert.equal(new Set(first).size, tasks.length);
  assert.deepEqual(first, second);
}
