// The preview of an update: what the task shows beside what it is to be, a line for each parameter. What the service makes
// of it is shown afterwards, by diff.ts.

import type { Task, TaskDates, TaskUpdate } from '../../../contract/task.ts';
import { inWords } from '../../flag.ts';
import type { NameOf, TaskNames } from '../columns.ts';
import { inDaysAndHours } from '../short/duration.ts';
import { type ParameterName, parameterNames } from '../short/kinds.ts';
import { rescheduled } from './dates-part.ts';
import { short } from './diff.ts';
import { isList, lists } from './lists.ts';
import { none } from './part.ts';

export interface Ahead {
  readonly title: string;
  readonly text: string;
  /** True where the task shows it already. */
  readonly isThere: boolean;
}

/** What was typed, by flag: where it is not what is sent, a person looks for it. */
export type Typed = ReadonlyMap<string, readonly string[]>;

/** Parameters that stand for one thing which the task shows. */
const single: { readonly [K in ParameterName]?: (task: Task) => string | undefined } = {
  title: (task) => task.title,
  description: (task) => task.description,
  status: (task) => task.status,
  importance: (task) => task.importance,
  customStatus: (task) => task.customStatusId,
  billingType: (task) => task.billingType,
  workScheduleId: (task) => task.workScheduleId,
  convertToCustomItemType: (task) => task.customItemTypeId,
  follow: ({ followedByMe }) => (followedByMe === undefined ? undefined : String(followedByMe)),
};

export function ahead(update: TaskUpdate, task: Task, typed: Typed, names: TaskNames): readonly Ahead[] {
  return parameterNames.flatMap((name) => {
    const sent = update[name];
    if (sent === undefined) return [];
    if (name === 'dates') return datesAhead(update.dates ?? {}, task.dates, typed);
    return [entriesAhead(name, update, task, names) ?? lineOf(name, sent, task, typed, names)];
  });
}

/** Every id of the update that may have a name, as a task that shows them: for who looks the names up. */
export function mentionedIn(update: TaskUpdate, { id }: Task): Task {
  const {
    addResponsibles = [],
    removeResponsibles = [],
    addShareds = [],
    removeShareds = [],
    addFollowers = [],
    addParents = [],
    removeParents = [],
    customStatus,
    customFields = [],
  } = update;
  return {
    id,
    followerIds: [
      ...addResponsibles,
      ...removeResponsibles,
      ...addShareds,
      ...removeShareds,
      ...addFollowers,
    ],
    parentIds: [...addParents, ...removeParents],
    customFields: customFields.map((field) => ({ id: field.id, value: '' })),
    ...(customStatus === undefined ? {} : { customStatusId: customStatus }),
  };
}

/** What names the ids of a parameter; placeholders and tasks have no list of names. */
function nameOfIds(name: ParameterName, names: TaskNames): NameOf {
  if (name === 'customStatus') return names.customStatus;
  if (!isList(name)) return () => undefined;
  const { ids } = lists[name];
  if (ids === 'parentIds') return names.folder;
  return ids === 'responsibleIds' || ids === 'sharedIds' || ids === 'followerIds'
    ? names.person
    : () => undefined;
}

function lineOf(name: ParameterName, sent: unknown, task: Task, typed: Typed, names: TaskNames): Ahead {
  const ids = Array.isArray(sent) ? sent.map(String) : [];
  const nameOf = nameOfIds(name, names);
  const shown = (id: string) => nameOf(id) ?? id;
  if (isList(name)) {
    const { ids: member, adds } = lists[name];
    const list = task[member];
    if (list) {
      const isThere = ids.every((id) => list.includes(id) === adds);
      return said(name, { wanted: ids.map(shown).join(', '), isThere }, typed);
    }
  }
  const wanted = typeof sent === 'object' ? JSON.stringify(sent) : String(sent);
  const now = single[name]?.(task);
  const before = now === undefined ? {} : { now: shown(now) };
  return said(name, { wanted: shown(wanted), isThere: now === wanted, ...before }, typed);
}

function dateText(name: keyof TaskDates, value: TaskDates[keyof TaskDates]): string {
  return name === 'duration' ? inDaysAndHours(Number(value)) : String(value);
}

/** What was sent of them, and what the service drops with it: a milestone has no start, a task without dates no due date. */
function datesAhead(sent: TaskDates, now: TaskDates = {}, typed: Typed): readonly Ahead[] {
  const after = rescheduled(now, sent);
  return (['type', 'start', 'due', 'duration', 'workOnWeekends'] as const).flatMap((name) => {
    // A task that does not show the switch works on working days alone.
    const current = name === 'workOnWeekends' ? (now[name] ?? false) : now[name];
    const before = current === undefined ? {} : { now: dateText(name, current) };
    const next = sent[name] ?? (name === 'type' ? after.type : undefined);
    if (sent[name] === undefined && (next === current || next === undefined)) {
      const isDropped = current !== undefined && name !== 'workOnWeekends' && after[name] === undefined;
      return isDropped ? [said(name, { wanted: none, isThere: false, ...before }, typed)] : [];
    }
    return [said(name, { wanted: dateText(name, next), isThere: next === current, ...before }, typed)];
  });
}

type Entries = readonly (readonly [key: string, value: string | null | undefined])[];

/** Of metadata and custom fields: by key. */
function entriesOf(name: ParameterName, from: Task | TaskUpdate): Entries | undefined {
  if (name === 'metadata') return from.metadata?.map(({ key, value }) => [key, value]);
  if (name === 'customFields') return from.customFields?.map(({ id, value }) => [id, value]);
  return undefined;
}

/** Each entry beside its value now. */
function entriesAhead(
  name: ParameterName,
  update: TaskUpdate,
  task: Task,
  names: TaskNames,
): Ahead | undefined {
  const sent = entriesOf(name, update);
  if (!sent) return undefined;
  const values = new Map(entriesOf(name, task));
  const isThere = sent.every(([key, value]) => (values.get(key) ?? null) === value);
  const text = sent.map(([key, value]) => {
    const before = values.get(key) ?? null;
    const label = (name === 'customFields' ? names.customField(key) : undefined) ?? key;
    const wanted = `${label}=${value ?? none}`;
    return before === value ? wanted : `${label}=${short(before ?? '')} -> ${short(wanted)}`;
  });
  return { title: inWords(name), text: withNote(text.join(', '), isThere), isThere };
}

interface Beside {
  readonly now?: string;
  readonly wanted: string;
  readonly isThere: boolean;
}

function said(name: string, { now, wanted, isThere }: Beside, typed: Typed): Ahead {
  const asTyped = typed.get(name)?.join(', ');
  const what =
    asTyped === undefined || asTyped === wanted ? short(wanted) : `${short(wanted)} (${short(asTyped)})`;
  const text = isThere || now === undefined ? what : `${short(now)} -> ${what}`;
  return { title: inWords(name), text: withNote(text, isThere), isThere };
}

function withNote(text: string, isThere: boolean): string {
  return isThere ? `${text} (as it is already)` : text;
}
