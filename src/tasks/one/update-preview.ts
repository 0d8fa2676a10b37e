// The preview of an update: the current values beside the new ones, one line for each parameter. display/diff.ts shows the
// result afterwards.

import { toWords } from '#cli/flags/flag.ts';
import {
  type ShownDates,
  type Task,
  type TaskDates,
  type TaskUpdate,
  type TaskUpdateParameter,
  taskUpdateParameterNames,
} from '#contract/task.ts';
import { movedStart } from '#contract/task-rules.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { TaskNames } from '../display/columns.ts';
import { truncate } from '../display/diff.ts';
import { formatDuration } from '../input/duration.ts';
import { isNamed, type NamedKind, namedParameters, textsIn } from '../input/unresolved-update.ts';
import { currentValue } from '../parts/changed-parts.ts';
import { datesAfter } from '../parts/dates-part.ts';
import { isListParameter, listParameters } from '../parts/list-part.ts';
import { noValueText } from '../parts/part.ts';

interface PreviewLine {
  readonly title: string;
  readonly text: string;
  /** True if the task has this value already. */
  readonly isUnchanged: boolean;
}

/** The texts that were typed, by flag: shown if they differ from the values that are sent. */
type TypedTexts = ReadonlyMap<string, readonly string[]>;

interface Preview {
  readonly update: TaskUpdate;
  readonly task: Task;
  readonly typed: TypedTexts;
  readonly names: TaskNames;
}

export function previewUpdate(preview: Preview): readonly PreviewLine[] {
  const { update, task, typed } = preview;
  return taskUpdateParameterNames.flatMap((name) => {
    if (name === 'dates') return update.dates ? previewDates(update.dates, task.dates, typed) : [];
    if (update[name] === undefined) return [];
    return [previewEntries(name, preview) ?? previewParameter(name, preview)];
  });
}

/** A task with the ids of the update that may have names, to look up their names. */
export function taskWithIdsOf(update: TaskUpdate, { id }: Task): Task {
  const { customStatus, customFields = [] } = update;
  const idsOf = (kind: NamedKind) => textsIn(update, (kindOfId) => kindOfId === kind).map(({ text }) => text);
  return {
    id,
    followerIds: idsOf('user'),
    parentIds: idsOf('folder'),
    customFields: customFields.map((field) => ({ id: field.id, value: '' })),
    ...omitUndefined({ customStatusId: customStatus }),
  };
}

function previewParameter(name: TaskUpdateParameter, { update, task, typed, names }: Preview): PreviewLine {
  const sent = update[name];
  const ids = Array.isArray(sent) ? sent.map(String) : [];
  // Placeholders and tasks have no list of names.
  const kind = isNamed(name) ? namedParameters[name] : 'task';
  const shown = (id: string) => (kind === 'task' ? undefined : names[kind](id)) ?? id;
  if (isListParameter(name)) {
    const { ids: member, adds } = listParameters[name];
    const isUnchanged = ids.every((id) => task[member]?.includes(id) === adds);
    return formatLine(name, { next: ids.map(shown).join(', '), isUnchanged }, typed);
  }
  const next = typeof sent === 'object' ? JSON.stringify(sent) : String(sent);
  const now = currentValue(name, update, task);
  const before = now === undefined ? {} : { now: shown(now) };
  return formatLine(name, { next: shown(next), isUnchanged: now === next, ...before }, typed);
}

function dateText(name: keyof TaskDates, value: ShownDates[keyof TaskDates]): string {
  return name === 'duration' ? formatDuration(Number(value)) : String(value);
}

/** The dates that are sent, and dates that the service drops: a milestone has no start, a backlog task no due date. */
function previewDates(sent: TaskDates, now: ShownDates = {}, typed: TypedTexts): readonly PreviewLine[] {
  const after = datesAfter(now, sent);
  const { monday } = movedStart({ workOnWeekends: now.workOnWeekends, ...sent }) ?? {};
  return (['type', 'start', 'due', 'duration', 'workOnWeekends'] as const).flatMap((name) => {
    // A task without this member works on weekdays only.
    const current = name === 'workOnWeekends' ? (now[name] ?? false) : now[name];
    const before = current === undefined ? {} : { now: dateText(name, current) };
    const next =
      (name === 'start' ? monday : undefined) ?? sent[name] ?? (name === 'type' ? after.type : undefined);
    if (sent[name] === undefined && (next === current || next === undefined)) {
      const isDropped = current !== undefined && name !== 'workOnWeekends' && after[name] === undefined;
      return isDropped ? [formatLine(name, { next: noValueText, isUnchanged: false, ...before }, typed)] : [];
    }
    return [
      formatLine(name, { next: dateText(name, next), isUnchanged: next === current, ...before }, typed),
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

function previewEntries(name: TaskUpdateParameter, { update, task, names }: Preview) {
  const entries = entriesOf(name, update);
  if (!entries) return undefined;
  const values = new Map(entriesOf(name, task));
  const isUnchanged = entries.every(([key, value]) => (values.get(key) ?? null) === value);
  const text = entries.map(([key, value]) => {
    const before = values.get(key) ?? null;
    const label = (name === 'customFields' ? names.customField(key) : undefined) ?? key;
    const next = `${label}=${value ?? noValueText}`;
    return before === value ? next : `${label}=${truncate(before ?? '')} -> ${truncate(next)}`;
  });
  return { title: toWords(name), text: withNote(text.join(', '), isUnchanged), isUnchanged };
}

function formatLine(
  name: string,
  { now, next, isUnchanged }: { now?: string; next: string; isUnchanged: boolean },
  typed: TypedTexts,
): PreviewLine {
  const asTyped = typed.get(name)?.join(', ') ?? next;
  const value = asTyped === next ? truncate(next) : `${truncate(next)} (${truncate(asTyped)})`;
  const text = isUnchanged || now === undefined ? value : `${truncate(now)} -> ${value}`;
  return { title: toWords(name), text: withNote(text, isUnchanged), isUnchanged };
}

const withNote = (text: string, isUnchanged: boolean): string => (isUnchanged ? `${text} (unchanged)` : text);
