// For any valid parameters, given by flags, in CSV or in NDJSON, the service gets exactly what was meant: all of Unicode,
// quotes, line breaks, and the characters that URLs and shells treat specially. The raw bytes that arrive are parsed by
// hand. Few runs are quick and many are deep.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { TaskUpdate } from '#contract/task.ts';
import { anyCharacter } from '#test/support/any-character.ts';
import { run } from '#test/support/program/program.ts';
import { jsonReply, type RawServer, startRawServer } from '#test/support/service/raw-server.ts';
import { taskParameters } from '#test/witness/task-update.ts';

const letters = (alphabet: string, from: number, to: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: from, maxLength: to });
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const user = letters(upper, 8, 8);
const sixteen = letters(upper, 16, 16);
const long = letters(`${upper}abcxyz-_:.=`, 1, 40).filter((one) => one !== '.' && one !== '..');
const some = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 1, maxLength: 3 });
const someOf = <T>(one: fc.Arbitrary<T>, key: keyof T) =>
  fc.uniqueArray(one, { minLength: 1, maxLength: 3, selector: (entry) => entry[key] });
/** Any text at all that UTF-8 can carry, with what is dangerous more often than chance would have it. */
const text = (max: number) =>
  fc
    .array(
      fc.oneof(
        fc.string({ unit: anyCharacter, maxLength: 5 }),
        fc.constantFrom(
          '"',
          "'",
          '\\',
          '\n',
          '\r\n',
          '+',
          '%',
          '&',
          '=',
          '#',
          ' ',
          '%20',
          '@',
          '-',
          '[',
          '{',
          '\u2028',
          '\ufeff',
          '😀',
          'é',
        ),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''))
    .filter((one) => [...one].length <= max);
const minutes = fc.integer({ min: 0, max: 100_000 });
const day = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((one) => one.toISOString().slice(0, 10));
const allocation = fc.record({
  dailyAllocation: fc.array(fc.record({ date: day, effortMinutes: minutes }), { maxLength: 2 }),
  userId: user,
});

const customText = text(200).filter((one) => !one.includes('\u0000') && !one.startsWith('\u0011'));

const both = (added: readonly string[] = [], removed: readonly string[] = []) =>
  added.some((one) => removed.includes(one));

/** A folder that is added and removed, a task placed before and after the same one: legal, and a slip. */
const saysTwoThings = (one: TaskUpdate): boolean =>
  both(one.addParents, one.removeParents) ||
  both(one.addShareds, one.removeShareds) ||
  both(one.addResponsibles, one.removeResponsibles) ||
  both(one.addResponsiblePlaceholders, one.removeResponsiblePlaceholders) ||
  both(one.addSuperTasks, one.removeSuperTasks) ||
  (one.priorityBefore !== undefined && one.priorityBefore === one.priorityAfter);

/** Legal values, written here a second time and not taken from the contract's rows. */
/** As JSON has it: without the bare objects that fast-check makes. */
const plain = (one: TaskUpdate): TaskUpdate => JSON.parse(JSON.stringify(one));

const update: fc.Arbitrary<TaskUpdate> = fc
  .record(
    {
      title: text(1000).filter((one) => one !== ''),
      description: text(1000),
      status: fc.constantFrom(
        'Active' as const,
        'Deferred' as const,
        'Completed' as const,
        'Cancelled' as const,
      ),
      importance: fc.constantFrom('High' as const, 'Low' as const, 'Normal' as const),
      dates: fc.oneof(
        fc.record({ type: fc.constant('Milestone' as const), due: day }),
        fc
          .record({ start: day, due: day, workOnWeekends: fc.boolean() })
          .map((one) => (one.due < one.start ? { ...one, start: one.due, due: one.start } : one)),
        fc.record({ start: day, duration: fc.integer({ min: 1, max: 1_799_999 }) }),
        fc.record({ type: fc.constant('Backlog' as const) }),
      ),
      addParents: some(long),
      removeParents: some(long),
      addShareds: some(user),
      removeShareds: some(user),
      addResponsibles: some(user),
      removeResponsibles: some(user),
      addResponsiblePlaceholders: some(sixteen),
      removeResponsiblePlaceholders: some(sixteen),
      addFollowers: some(user),
      follow: fc.boolean(),
      priorityBefore: long,
      priorityAfter: long,
      addSuperTasks: some(long),
      removeSuperTasks: some(long),
      metadata: someOf(fc.record({ key: letters('azAZ09_-', 1, 49), value: fc.option(text(999)) }), 'key'),
      customFields: someOf(fc.record({ id: sixteen, value: fc.option(customText) }), 'id'),
      customStatus: sixteen,
      restore: fc.boolean(),
      effortAllocation: fc.record({
        mode: fc.constantFrom('Basic' as const, 'None' as const),
        totalEffort: minutes,
      }),
      setResponsibleAllocation: some(allocation),
      billingType: fc.constantFrom('Billable' as const, 'NonBillable' as const),
      withInvitations: fc.boolean(),
      convertToCustomItemType: sixteen,
      plainTextCustomFields: fc.boolean(),
      workScheduleId: sixteen,
      fields: some(fc.constantFrom('billingType' as const, 'workScheduleId' as const)),
    },
    { requiredKeys: [] },
  )
  .map(plain)
  .filter((one) => !saysTwoThings(one))
  .filter((one) =>
    Object.keys(one).some((name) => !['withInvitations', 'plainTextCustomFields', 'fields'].includes(name)),
  );

/** What came, as a service reads it: percent-decoded as UTF-8 (fatal), JSON where the parameter is JSON. */
function received(request: string): { id: string; update: Record<string, unknown> } {
  const [head = '', body = ''] = request.split('\r\n\r\n');
  const [, target = ''] = head.split(' ');
  const [path = '', query = ''] = target.split('?');
  assert.match(target, /^[\x21-\x7e]+$/);
  const pairs = [...query.split('&'), ...body.split('&')].filter((pair) => pair !== '');
  const found = pairs.map((pair) => {
    const [name = '', value = ''] = pair.split('=');
    const decoded = decodeURIComponent(value);
    return [name, parsed(name, decoded)] as const;
  });
  assert.equal(new Set(found.map(([name]) => name)).size, found.length);
  return { id: decodeURIComponent(path.split('/').at(-1) ?? ''), update: Object.fromEntries(found) };
}

function parsed(name: string, value: string): unknown {
  const row = taskParameters.find((one) => one.name === name);
  assert.ok(row, name);
  if (row.json) return JSON.parse(value);
  return row.type === 'boolean' ? value === 'true' : value;
}

const environmentOf = (host: string) => ({ WM_TOKEN: 'token', WM_HOST: host, WM_CONFIG_DIR: '/nonexistent' });

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** As flags: text as it is, everything else as JSON. What begins with @, or is a lone -, is doubled or put as JSON. */
function argv(one: TaskUpdate): string[] {
  return Object.entries(one).flatMap(([name, value]) => {
    if (typeof value !== 'string') return [`--${kebab(name)}=${JSON.stringify(value)}`];
    const escaped = name === 'description' && value.startsWith('@') ? `@${value}` : value;
    return [`--${kebab(name)}=${escaped}`];
  });
}

/** A dry run reads the rows as the bulk does, and shows what it would send. */
async function shown(
  host: string,
  input: string,
): Promise<{ id: string; update: Record<string, unknown> }[]> {
  const ran = await run(['task', 'update', '--from', '-', '--dry-run', '--json'], {
    environment: environmentOf(host),
    input,
  });
  assert.equal(ran.status, 0, ran.errors);
  return ran.output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ url, body }) =>
      received(`PUT ${new URL(url).pathname}${new URL(url).search} HTTP/1.1\r\n\r\n${body ?? ''}`),
    );
}

const rows = fc.array(fc.tuple(long, update), { minLength: 1, maxLength: 5 });

/** Declares the tests, each with so many runs. */
export function testAnyUpdate(runs: number): void {
  let server: RawServer;
  before(async () => {
    server = await startRawServer((request) =>
      jsonReply(200, {
        kind: 'tasks',
        data: [{ id: decodeURIComponent(/tasks\/([^ ?]*)/.exec(request)?.[1] ?? '') }],
      }),
    );
  });
  after(() => server.close());

  test('by flags', async () => {
    await fc.assert(
      fc.asyncProperty(update, long, async (meant, task) => {
        // A lone - is standard input, which has no other way to be said.
        fc.pre(meant.description !== '-');
        fc.pre(!task.startsWith('-'));
        const count = server.requests.length;
        const ran = await run(['task', 'update', task, ...argv(meant)], {
          environment: environmentOf(server.host),
        });
        assert.equal(ran.status, 0, ran.errors);
        // A word without the form of the service's ids is read first: it may be a title.
        const isWord = !/^[A-Z0-9]{8}[A-Za-z0-9]{4,}$/.test(task);
        assert.equal(server.requests.length, count + (isWord ? 2 : 1));
        assert.deepEqual(received(server.requests.at(-1) ?? ''), { id: task, update: meant });
      }),
      { numRuns: runs },
    );
  });

  test('in NDJSON', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (meant) => {
        const input = meant.map(([task, one]) => JSON.stringify({ id: task, ...one })).join('\n');
        assert.deepEqual(
          await shown(server.host, input),
          meant.map(([task, one]) => ({ id: task, update: one })),
        );
      }),
      { numRuns: runs },
    );
  });

  test('in CSV', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (given) => {
        // An empty cell says nothing, so nothing empty can be said in one.
        const meant = given.map(
          ([task, one]) =>
            [task, Object.fromEntries(Object.entries(one).filter(([, value]) => value !== ''))] as const,
        );
        fc.pre(
          meant.every(([, one]) =>
            Object.keys(one).some(
              (name) => !['withInvitations', 'plainTextCustomFields', 'fields'].includes(name),
            ),
          ),
        );
        const columns = [...new Set(meant.flatMap(([, one]) => Object.keys(one)))];
        const cell = (value: unknown) =>
          value === undefined
            ? ''
            : `"${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('"', '""')}"`;
        const lines = meant.map(([task, one]) =>
          [`"${task}"`, ...columns.map((name) => cell(one[name]))].join(','),
        );
        const input = `${['id', ...columns.map(kebab)].join(',')}\n${lines.join('\n')}\n`;
        assert.deepEqual(
          await shown(server.host, input),
          meant.map(([task, one]) => ({ id: task, update: one })),
        );
      }),
      { numRuns: runs },
    );
  });
}
