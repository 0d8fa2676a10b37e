// The preview of an update: the current values beside the new ones, one line for each parameter. display/diff.ts shows the
// result afterwards.

import { toWords } from '#cli/flags/flag.ts';
import type { Task, TaskDates, TaskUpdate } from '#contract/task.ts';
import { type TaskUpdateParameter, taskUpdateParameterNames } from '#contract/task.ts';
import type { NameOf, TaskNames } from '../display/columns.ts';
import { truncate } from '../display/diff.ts';
import { formatDuration } from '../input/duration.ts';
import { currentValue } from '../parts/changed-parts.ts';
import { datesAfter } from '../parts/dates-part.ts';
import { isListParameter, listParameters } from '../parts/list-part.ts';
import { noValueText } from '../parts/part.ts';

export interface PreviewLine {
  readonly title: string;
  readonly text: string;
  /** True if the task has this value already. */
  readonly isUnchanged: boolean;
}

/** The texts that were typed, by flag: shown where they differ from what is sent. */
export type TypedTexts = ReadonlyMap<string, readonly string[]>;

export function previewUpdate(
  update: TaskUpdate,
  task: Task,
  typed: TypedTexts,
  names: TaskNames,
): readonly PreviewLine[] {
  return taskUpdateParameterNames.flatMap((name) => {
    if (name === 'dates') return update.dates ? previewDates(update.dates, task.dates, typed) : [];
    if (update[name] === undefined) return [];
    return [previewEntries(name, update, task, names) ?? previewParameter(name, update, task, typed, names)];
  });
}

/** The ids of the update that may have names, as a task that has them, for the lookup of names. */
export function taskWithIdsOf(update: TaskUpdate, { id }: Task): Task {
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

/** The names for the ids of a parameter; placeholders and tasks have no list of names. */
function nameOfIds(name: TaskUpdateParameter, names: TaskNames): NameOf {
  if (name === 'customStatus') return names.customStatus;
  if (!isListParameter(name)) return () => undefined;
  const { ids } = listParameters[name];
  if (ids === 'parentIds') return names.folder;
  return ids === 'responsibleIds' || ids === 'sharedIds' || ids === 'followerIds'
    ? names.user
    : () => undefined;
}

function previewParameter(
  name: TaskUpdateParameter,
  update: TaskUpdate,
  task: Task,
  typed: TypedTexts,
  names: TaskNames,
): PreviewLine {
  const sent = update[name];
  const ids = Array.isArray(sent) ? sent.map(String) : [];
  const nameOf = nameOfIds(name, names);
  const shown = (id: string) => nameOf(id) ?? id;
  if (isListParameter(name)) {
    const { ids: member, adds } = listParameters[name];
    const isUnchanged = ids.every((id) => task[member]?.includes(id) === adds);
    return formatLine(name, { wanted: ids.map(shown).join(', '), isUnchanged }, typed);
  }
  const wanted = typeof sent === 'object' ? JSON.stringify(sent) : String(sent);
  const now = currentValue(name, update, task);
  const before = now === undefined ? {} : { now: shown(now) };
  return formatLine(name, { wanted: shown(wanted), isUnchanged: now === wanted, ...before }, typed);
}

function dateText(name: keyof TaskDates, value: TaskDates[keyof TaskDates]): string {
  return name === 'duration' ? formatDuration(Number(value)) : String(value);
}

/** The dates that are sent, and the ones the service drops: a milestone has no start, a backlog task no due date. */
function previewDates(sent: TaskDates, now: TaskDates = {}, typed: TypedTexts): readonly PreviewLine[] {
  const after = datesAfter(now, sent);
  return (['type', 'start', 'due', 'duration', 'workOnWeekends'] as const).flatMap((name) => {
    // A task without this member works on weekdays only.
    const current = name === 'workOnWeekends' ? (now[name] ?? false) : now[name];
    const before = current === undefined ? {} : { now: dateText(name, current) };
    const next = sent[name] ?? (name === 'type' ? after.type : undefined);
    if (sent[name] === undefined && (next === current || next === undefined)) {
      const isDropped = current !== undefined && name !== 'workOnWeekends' && after[name] === undefined;
      return isDropped
        ? [formatLine(name, { wanted: noValueText, isUnchanged: false, ...before }, typed)]
        : [];
    }
    return [
      formatLine(name, { wanted: dateText(name, next), isUnchanged: next === current, ...before }, typed),
    ];
  });
}

type Entries = readonly (readonly [key: string, value: string | null | undefined])[];

/** The entries of metadata and custom fields, by key. */
function entriesOf(name: TaskUpdateParameter, from: Task | TaskUpdate): Entries | undefined {
  if (name === 'metadata') return from.metadata?.map(({ key, value }) => [key, value]);
  if (name === 'customFields') return from.customFields?.map(({ id, value }) => [id, value]);
  return undefined;
}

/** Each entry with its current value. */
function previewEntries(
  name: TaskUpdateParameter,
  update: TaskUpdate,
  task: Task,
  names: TaskNames,
): PreviewLine | undefined {
  const sent = entriesOf(name, update);
  if (!sent) return undefined;
  const values = new Map(entriesOf(name, task));
  const isUnchanged = sent.every(([key, value]) => (values.get(key) ?? null) === value);
  const text = sent.map(([key, value]) => {
    const before = values.get(key) ?? null;
    const label = (name === 'customFields' ? names.customField(key) : undefined) ?? key;
    const wanted = `${label}=${value ?? noValueText}`;
    return before === value ? wanted : `${label}=${truncate(before ?? '')} -> ${truncate(wanted)}`;
  });
  return { title: toWords(name), text: withNote(text.join(', '), isUnchanged), isUnchanged: isUnchanged };
}

interface Comparison {
  readonly now?: string;
  readonly wanted: string;
  readonly isUnchanged: boolean;
}

function formatLine(name: string, { now, wanted, isUnchanged }: Comparison, typed: TypedTexts): PreviewLine {
  const asTyped = typed.get(name)?.join(', ');
  const what =
    asTyped === undefined || asTyped === wanted
      ? truncate(wanted)
      : `${truncate(wanted)} (${truncate(asTyped)})`;
  const text = isUnchanged || now === undefined ? what : `${truncate(now)} -> ${what}`;
  return { title: toWords(name), text: withNote(text, isUnchanged), isUnchanged };
}

function withNote(text: string, isUnchanged: boolean): string {
  return isUnchanged ? `${text} (unchanged)` : text;
}
