// Changes the emulator's records without its API: applications (which the service's console manages), tasks, mass actions, the seed,
// a reset and the clock. Advancing the clock waits for deliveries that become due, since a retry or a suspension may follow from them.

import { timestampSchema } from '#contract/date.ts';
import * as schema from '#contract/schema.ts';
import { taskUpdateParameters, title as titleValue } from '#contract/task.ts';
import { createTaskIn, lastPriority } from '../endpoints/create-items.ts';
import { createCaller } from '../endpoints/endpoint.ts';
import { deleteStoredTask, updateStoredTask } from '../endpoints/tasks.ts';
import { jsonArguments, parseArguments } from '../http/arguments.ts';
import { invalidRequest, notFound } from '../http/error-response.ts';
import { wholeNumber } from '../http/whole-number.ts';
import { registerApplication } from '../seed/initial-data.ts';
import { seedVersion } from '../seed/seed-records.ts';
import { nameInFile, type SeedList, seedLists, storedMembers } from '../seed/seed-rows.ts';
import type { ControlRequest } from '../service/service.ts';
import { requireRecord } from '../state/access.ts';
import { defaults, readyApplication } from '../state/default-members.ts';
import { findAuthor, findTaskFolder } from '../state/example-records.ts';
import { ownApplication } from '../state/redirect-uri.ts';
import { type Application, replaceContents } from '../state/store.ts';
import { isSame } from '../update/apply-effects.ts';

const toRecord = ({ id, secret, name, callbacks, loopback }: Application) => ({
  clientId: id,
  clientSecret: secret,
  name,
  redirectUris: callbacks,
  anyLoopback: loopback,
});

export function listApplications({ service: { store } }: ControlRequest) {
  return { applications: [...store.applications.values()].map(toRecord) };
}

export function addApplication({ service, body }: ControlRequest) {
  const { store } = service;
  const input = ownApplication.validate(body);
  const application = registerApplication(service, store.applications.get(input.clientId), input);
  store.applications.set(application.id, application);
  return { applications: [toRecord(application)] };
}

const createTasksSchema = schema.object('tasks', {
  count: wholeNumber('count', { from: 1, below: 100_001 }),
  title: schema.optional(schema.text('title', { notEmpty: true })),
  folderId: schema.optional(schema.text('FolderId')),
});

export function createTasks({ service, body }: ControlRequest) {
  const { store, clock } = service;
  const input = createTasksSchema.validate(body);
  const { count, title = 'Task', folderId = findTaskFolder(store)?.id ?? '' } = input;
  const folder = requireRecord(store.folders, 'Folder', folderId);
  if (folder.kind === 'bin') throw schema.invalidValue(folderId, 'is the recycle bin');
  // The last task has the longest title.
  titleValue.validate(`${title} ${count}`);
  const taskIds: string[] = [];
  let last = lastPriority(store, folder.accountId);
  for (let i = 1; i <= count; i++) {
    const task = createTaskIn(service, folder, folder.sharedIds[0], clock.timestamp(), `${title} ${i}`, last);
    last = task.priority;
    store.tasks.set(task.id, task);
    taskIds.push(task.id);
  }
  return { taskIds };
}

export function deleteTask({ service, id }: ControlRequest) {
  const task = requireRecord(service.store.tasks, 'Task', id, 'emulator');
  if (task.scope !== 'RbTask')
    deleteStoredTask(service, findAuthor(service.store, task.accountId)?.id ?? task.authorIds[0] ?? '', task);
  return { deleted: id };
}

const massActionSchema = schema.object('mass action', {
  taskIds: schema.list(schema.text('TaskId')),
  parameters: schema.anyJson,
});

/** Updates each task as an administrator of its account. */
export function massActionEndpoint({ service, body }: ControlRequest) {
  const { store } = service;
  const { taskIds, parameters } = massActionSchema.validate(body);
  const update = parseArguments(taskUpdateParameters, jsonArguments(Object(parameters)), {
    because: 'emulator',
    strict: false,
    assume: () => undefined,
  });
  // All tasks must exist before the first is changed.
  const tasks = taskIds.map((id) => {
    const account = store.accounts.get(store.tasks.get(id)?.accountId ?? '');
    const user = [...store.users.values()].find(({ admin, accountId }) => admin && accountId === account?.id);
    if (account === undefined || user === undefined) throw notFound('Task', id, 'emulator');
    return { id, user, account };
  });
  for (const { id, ...author } of tasks) updateStoredTask(createCaller(service, author), id, update, true);
  return { tasks: taskIds.length };
}

type Seed = { readonly version: number } & Readonly<Partial<Record<SeedList, readonly object[]>>>;

/** The current data as a seed, without default values, what a start adds, and what only running adds, such as sign-ins and mails. */
export function seedEndpoint({ service: { store } }: ControlRequest): Seed {
  const defaultAccount = [...store.accounts.keys()][0];
  const lists = seedLists.flatMap((list): [SeedList, object[]][] => {
    const records = [...store[list].values()].filter((record) => !isAdded(list, record));
    const written = records.map((record) => toSeedRecord(list, record, defaultAccount));
    return written.length === 0 ? [] : [[list, written]];
  });
  return { version: seedVersion, ...Object.fromEntries(lists) };
}

/** Members have the order of the schema, so that the same data makes the same text. */
function toSeedRecord(list: SeedList, record: object, defaultAccount: string | undefined): object {
  const members = new Map<string, unknown>(Object.entries(record));
  const written: Record<string, unknown> = {};
  const values: Readonly<Record<string, unknown>> = defaults[list];
  for (const [member, rowSchema] of storedMembers(list)) {
    const value = members.get(member);
    if (value === undefined || isSame(value, values[member])) continue;
    if (member === 'accountId' && value === defaultAccount) continue;
    written[nameInFile(list, member)] = schema.unlessInvalid(() => rowSchema.validate(value)) ?? value;
  }
  return written;
}

function isAdded(list: SeedList, record: object): boolean {
  const members = new Map<string, unknown>(Object.entries(record));
  if (list === 'folders') return ['root', 'bin'].includes(String(members.get('kind')));
  if (list === 'tokens')
    return members.has('sample') || members.get('use') !== 'access' || members.has('expires');
  return list === 'applications' && isSame(record, readyApplication);
}

export function resetEndpoint({ service }: ControlRequest) {
  const { store, initialData, clock, deliveries, faults, stubs, requests, fileContents, pages, rateLimit } =
    service;
  clock.reset();
  for (const part of [deliveries, faults, stubs, requests, fileContents, pages, rateLimit]) part.clear();
  replaceContents(store, initialData);
  return { reset: true };
}

const clockSchema = schema.object('clock', {
  /** Stops the clock, now or at this instant. */
  freeze: schema.optional(schema.boolean),
  at: schema.optional(schema.nullable(timestampSchema)),
  advanceSeconds: schema.optional(schema.number('seconds', { from: 0 })),
  resume: schema.optional(schema.boolean),
});

/** In the last year that a timestamp can express. */
const maxTime = Date.UTC(9999, 11, 31);

function parseInstant(timestamp: string): number {
  const milliseconds = Date.parse(timestamp);
  // The day may not exist, as in 2026-02-30.
  if (!(milliseconds < maxTime)) throw schema.invalidValue(timestamp, 'is not a day in the calendar');
  return milliseconds;
}

export async function clockEndpoint({ service: { clock, deliveries, persistence }, body }: ControlRequest) {
  const { freeze, at, advanceSeconds, resume } = clockSchema.validate(body);
  if (resume === true && (freeze === true || advanceSeconds !== undefined))
    throw new schema.ValidationError('resume', 'cannot be combined with freeze or advanceSeconds');
  if (freeze === true) clock.freeze(typeof at === 'string' ? parseInstant(at) : undefined);
  if (advanceSeconds !== undefined) {
    const milliseconds = advanceSeconds * 1000;
    if (!(clock.now() + milliseconds < maxTime))
      throw schema.invalidValue(advanceSeconds, 'goes beyond the year 9999');
    if (!(await clock.advance(milliseconds, deliveries.whenIdle)))
      throw invalidRequest(
        'The emulator was reset while the clock advanced: it shows the real time again',
        'emulator',
      );
  }
  if (resume === true) clock.resume();
  persistence?.scheduleSave();
  return { now: clock.timestamp(), frozen: clock.frozen };
}
