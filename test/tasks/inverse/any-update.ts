// Property: after any updates of any task, undo restores the task as it was before the last one, except for what its
// preview lists. Through the front door, against the emulator. Few cases are quick and many are deep.

import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { sample } from '#emulator/state/sample-ids.ts';
import { anyCharacter } from '#test/support/any-character.ts';
import { type Emulated, emulated } from '#test/support/program/emulated.ts';
import { taskParameters, taskUpdateLines } from '#test/witness/task-update.ts';

const fields = ['billingType', 'workScheduleId', 'effortAllocation', 'responsiblePlaceholderIds'];

const subset = <T>(all: readonly T[]) => fc.subarray([...all], { minLength: 1 });
/** What is added and what is removed; never one id in both, which would be a slip. */
const moved = (all: readonly string[]) =>
  fc
    .tuple(fc.subarray([...all]), fc.subarray([...all]))
    .map(([add, remove]) => ({ add, remove: remove.filter((id) => !add.includes(id)) }));
const text = (longest: number) =>
  fc
    .string({ unit: anyCharacter, maxLength: longest })
    .filter((one) => !one.includes('\u0000') && !one.includes('\u0011') && [...one].length <= longest);
const day = fc
  .integer({ min: 0, max: 400 })
  .map((days) => new Date(Date.UTC(2026, 0, 1 + days)).toISOString().slice(0, 10));
const time = fc.constantFrom('', 'T09:00:00', 'T10:30:00', 'T17:00:00');
const span = fc
  .tuple(day, day, time, time)
  .map(([one, other, from, to]) =>
    one < other ? { start: `${one}${from}`, due: `${other}${to}` } : { start: one, due: one },
  );
const minutes = fc.integer({ min: 1, max: 5000 });
const weekends = { workOnWeekends: fc.boolean() };
const maybe: { requiredKeys: [] } = { requiredKeys: [] };
const some = <T extends object>(more: fc.Arbitrary<T>, optional: Record<string, fc.Arbitrary<unknown>>) =>
  fc.tuple(more, fc.record(optional, maybe)).map(([one, other]) => ({ ...one, ...other }));

const dates = fc.oneof(
  some(span, { duration: fc.oneof(minutes, fc.constant(0)), type: fc.constant('Planned'), ...weekends }),
  some(fc.record({ start: day, duration: minutes }), weekends),
  some(fc.record({ due: day }), { type: fc.constant('Milestone'), ...weekends }),
  some(fc.record({ type: fc.constant('Backlog') }), { duration: minutes, ...weekends }),
  some(fc.record({ duration: minutes }), { due: day, ...weekends }),
  fc.record({ type: fc.constantFrom('Planned', 'Milestone') }),
  fc.record(weekends),
);

const people = [sample.ada, sample.ben, sample.bot, sample.invitation];
const allocation = fc
  .tuple(
    fc.constantFrom({ userId: sample.ben }, { userId: sample.ada }, { placeholderId: sample.placeholder }),
    fc.array(fc.record({ date: day, effortMinutes: fc.integer({ min: 0, max: 480 }) }), { maxLength: 2 }),
  )
  .map(([who, dailyAllocation]) => ({ ...who, dailyAllocation }));
const allocations = fc.uniqueArray(allocation, {
  maxLength: 2,
  selector: (one) => JSON.stringify(Object.values(one)[0]),
});
const customField = fc.oneof(
  fc.record({ id: fc.constant(sample.text), value: fc.option(text(30)) }),
  fc.record({ id: fc.constant(sample.numeric), value: fc.option(fc.constantFrom('', '12', '-1.50')) }),
  fc.record({ id: fc.constant(sample.dropDown), value: fc.option(fc.constantFrom('', 'Low', 'High')) }),
  fc.record({ id: fc.constant(sample.multiple), value: fc.option(fc.constantFrom('[]', '["Web"]')) }),
  fc.record({ id: fc.constant(sample.contacts), value: fc.option(fc.constant(sample.ben)) }),
);
const places = [sample.task, sample.milestone, sample.backlog, sample.bug];
const html = fc.constantFrom(
  '',
  'plain & <b>bold</b>',
  '<h1>a</h1><ul><li>b<li>c</ul>',
  `it's<br><span style="background-color:#c8e6c9">@x > y</span>`,
  '<p>a</p><script>x</script><a href="https://example.com/?a=1&b=2">x</a>',
  '<table><tr><td>a</td></tr><tr><td>b</td><td>c</td></tr></table>',
  `<img src="https://files.example.com/attachments/${sample.attachment}/lantern.png">`,
);

/** Each parameter on its own; the names stand in test/witness/. */
const parameters = {
  title: text(60).filter((one) => one !== ''),
  description: fc.oneof(html, text(60)),
  status: fc.constantFrom('Active', 'Deferred', 'Completed', 'Cancelled'),
  importance: fc.constantFrom('High', 'Low', 'Normal'),
  dates,
  addFollowers: subset(people.slice(0, 3)),
  follow: fc.boolean(),
  priorityBefore: fc.constantFrom(...places),
  priorityAfter: fc.constantFrom(...places),
  metadata: fc.uniqueArray(
    fc.record({ key: fc.constantFrom('source', 'new', 'A-1_'), value: fc.option(text(20)) }),
    { minLength: 1, selector: ({ key }) => key },
  ),
  customFields: fc.uniqueArray(customField, { minLength: 1, selector: ({ id }) => id }),
  customStatus: fc.constantFrom(sample.inReview, sample.inProgress, sample.completedStatus, sample.onHold),
  restore: fc.boolean(),
  effortAllocation: some(fc.record({ mode: fc.constantFrom('Basic', 'Flexible', 'FullTime', 'None') }), {
    totalEffort: minutes,
    allocatedEffort: minutes,
    dailyAllocationPercentage: fc.integer({ min: 0, max: 100 }),
    responsibleAllocation: allocations,
  }),
  setResponsibleAllocation: allocations.filter((one) => one.length > 0),
  billingType: fc.constantFrom('Billable', 'NonBillable'),
  withInvitations: fc.boolean(),
  convertToCustomItemType: fc.constantFrom(sample.bugType, sample.storyType),
  plainTextCustomFields: fc.boolean(),
  workScheduleId: fc.constantFrom(sample.workSchedule, sample.nightShift),
  fields: subset(fields),
} as const;

/** Those that come as two: what is added to a list, and what is removed from it. */
const pairs = {
  Parents: moved([sample.folder, sample.subfolder, sample.project]),
  Shareds: moved(people.slice(1)),
  Responsibles: moved(people),
  ResponsiblePlaceholders: moved([sample.placeholder, sample.secondPlaceholder]),
  SuperTasks: moved([sample.milestone, sample.completed, sample.task]),
} as const;

type Update = Readonly<Record<string, unknown>>;

/** The others: with the values that the witness has for them. */
const others = Object.fromEntries(
  taskParameters
    .filter(({ name }) => !(name in parameters) && !/^(?:add|remove)/.test(name))
    .map(({ name, json }) => {
      const values = taskUpdateLines.filter((line) => line.parameter === name).map(({ value }) => value);
      return [name, fc.constantFrom(...values.map((value) => (json ? JSON.parse(value) : value)))];
    }),
);

const names = [...Object.keys(parameters), ...Object.keys(pairs), ...Object.keys(others)];
/** Now a few parameters, now nearly all of them. */
const chosen = fc.oneof(
  fc.subarray(names, { minLength: 1, maxLength: 3 }),
  fc.subarray(names, { minLength: 1 }),
);

const update: fc.Arbitrary<Update> = fc
  .tuple(fc.record({ ...parameters, ...others }), fc.record(pairs), chosen)
  .map(([single, lists, kept]) => {
    const given: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(single)) if (kept.includes(name)) given[name] = value;
    for (const [name, { add, remove }] of Object.entries(lists)) {
      if (!kept.includes(name)) continue;
      if (add.length > 0) given[`add${name}`] = add;
      if (remove.length > 0) given[`remove${name}`] = remove;
    }
    return JSON.parse(JSON.stringify(given)) as Update;
  });

/** Without what the service would reject for this task: most random updates contradict themselves somewhere. */
function valid(task: string, { ...given }: Record<string, unknown>): Update {
  if ('customStatus' in given) delete given['status'];
  if ('priorityBefore' in given) delete given['priorityAfter'];
  for (const name of ['priorityBefore', 'priorityAfter']) if (given[name] === task) delete given[name];
  for (const name of ['addSuperTasks', 'removeSuperTasks']) {
    const ids = given[name];
    if (!Array.isArray(ids)) continue;
    // A task is below neither itself nor its own subtask.
    const others = ids.filter((id) => id !== task && !(task === sample.task && name === 'addSuperTasks'));
    if (others.length === 0) delete given[name];
    else given[name] = others;
  }
  if (task === sample.deletedTask) given['restore'] = true;
  return given;
}

const shaping = ['withInvitations', 'plainTextCustomFields', 'fields'];

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function argv(one: Update): string[] {
  return Object.entries(one).map(([name, value]) => {
    const typed = typeof value === 'string' ? value : JSON.stringify(value);
    const isRead = name === 'description' && (typed.startsWith('@') || typed === '-');
    return `--${kebab(name)}=${isRead ? `@${typed}` : typed}`;
  });
}

/** As a person does it, one at a time; or as a bulk run, all of them. */
const made = fc.record({
  task: fc.constantFrom(
    sample.task,
    sample.subtask,
    sample.milestone,
    sample.backlog,
    sample.completed,
    sample.recurrent,
    sample.bug,
    sample.withImage,
    sample.deletedTask,
  ),
  updates: fc.array(update, { minLength: 1, maxLength: 3 }),
  isBulk: fc.boolean(),
});

// biome-ignore lint/suspicious/noExplicitAny: a task in every shape
type AnyTask = any;

/**
 * What undo may leave otherwise without a word, and why:
 * - updatedDate: undoing is an update.
 * - completedDate: the service sets it, and no parameter changes it; the help says so.
 * - the order of lists of ids, metadata and custom fields: they are sets.
 * - workOnWeekends false or not shown, an empty list of allocations or none, 0 minutes allocated or none: they mean the same,
 *   and no parameter removes a member once it is shown.
 */
function comparable(task: AnyTask): AnyTask {
  const { updatedDate: _, completedDate: _completed, effortAllocation, ...rest } = task;
  const sorted = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((one) => JSON.stringify(one)).toSorted() : value,
    ]),
  );
  const effort = effortAllocation && { responsibleAllocation: [], allocatedEffort: 0, ...effortAllocation };
  return { ...sorted, dates: { workOnWeekends: false, ...task.dates }, effortAllocation: effort };
}

/** Which members a sentence of the preview excuses. */
const excuses: readonly (readonly [says: RegExp, members: readonly string[]])[] = [
  [/^the place in the list: /, ['priority']],
  [/^the recycle bin: /, ['scope', 'parentIds', 'superParentIds']],
  [/^the effort: there was none before/, ['effortAllocation']],
  [/^the work schedule: there was none before/, ['workScheduleId']],
  [/^the item type: there was none before/, ['customItemTypeId']],
];

/** The record without what the preview has named; of followers only those that it names. */
function without(task: AnyTask, named: readonly string[]): AnyTask {
  const rest = comparable(task);
  for (const one of named) {
    const follower = /^the follower (\w+)(?:, unless that is you)?: /.exec(one)?.[1];
    if (follower) {
      rest.followerIds = rest.followerIds.filter((id: string) => JSON.parse(id) !== follower);
      if (follower === sample.ada) delete rest.followedByMe;
      continue;
    }
    const excuse = excuses.find(([says]) => says.test(one));
    assert.ok(excuse, `an excuse that the contract does not give: ${one}`);
    for (const member of excuse[1]) delete rest[member];
  }
  return rest;
}

interface Count {
  updates: number;
  undone: number;
  rejected: number;
  readonly parameters: Set<string>;
  readonly types: Set<string>;
}

async function apply({ wm }: Emulated, task: string, updates: readonly Update[], isBulk: boolean) {
  if (!isBulk) {
    const [only = {}] = updates;
    return wm(['task', 'update', task, ...argv(only), '--undoable', '--allow-clearing-dates']);
  }
  const input = updates.map((one) => JSON.stringify({ id: task, ...one })).join('\n');
  return wm(
    ['task', 'update', '--from', '-', '--undoable', '--yes', '--concurrency', '1', '--allow-clearing-dates'],
    { input },
  );
}

/** Every case makes up to three updates, undoes each, and redoes it before the next. */
export async function undoAnyUpdates(context: TestContext, cases: number): Promise<Count> {
  const service = await emulated(context);
  const { wm, control, folder } = service;
  const count: Count = { updates: 0, undone: 0, rejected: 0, parameters: new Set(), types: new Set() };
  const property = fc.asyncProperty(made, async ({ task, updates, isBulk }) => {
    await control('reset');
    await rm(join(folder, 'config', 'state'), { recursive: true, force: true });
    const changing = updates
      .map((one) => valid(task, one))
      .filter((one) => Object.keys(one).some((name) => !shaping.includes(name)));
    if (changing.length === 0) return;
    const steps = isBulk ? [changing] : changing.map((one) => [one]);
    for (const [index, step] of steps.entries()) {
      const before = await service.task(task, fields);
      const ran = await apply(service, task, step, isBulk);
      const isRejected = isBulk ? !ran.output.includes('\tupdated\t') : ran.status !== 0;
      if (isRejected) {
        count.rejected++;
        continue;
      }
      count.updates += step.length;
      count.types.add(before.dates.type);
      for (const one of step) for (const name of Object.keys(one)) count.parameters.add(name);
      const preview = await wm(['task', 'undo', task], { exit: 2 });
      const named = [...preview.errors.matchAll(/^Cannot be undone: (.*)$/gm)].map(([, one = '']) => one);
      const undone = await wm(['task', 'undo', task, '--yes']);
      if (undone.status !== 0)
        assert.match(preview.errors, /No part of the last update|Nothing to undo/, undone.errors);
      const after = await service.task(task, fields);
      assert.deepEqual(without(after, named), without(before, named), undone.errors);
      count.undone++;
      // The next update is made of the task as this one had left it.
      if (undone.status !== 0 || index === steps.length - 1) continue;
      const redone = await wm(['task', 'undo', task, '--yes']);
      assert.ok([0, 2].includes(redone.status), redone.errors);
    }
  });
  await fc.assert(property, { numRuns: cases, includeErrorInReport: true });
  context.diagnostic(`${count.updates} updates, ${count.undone} undone, ${count.rejected} rejected`);
  return count;
}
