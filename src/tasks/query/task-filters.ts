// The filters of a list of tasks: what the service is asked for, and what wm checks of each record.

import { parseJsonIfValid } from '#contract/json.ts';
import type { Task } from '#contract/task.ts';
import type { TaskFilters } from '#contract/task-list.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { CustomField } from '../input/unresolved-update.ts';
import type { ListFlags } from './list-flags.ts';
import type { StatusFilter } from './resolve-statuses.ts';

export interface Filters {
  readonly statuses: StatusFilter | undefined;
  readonly responsibles: readonly string[] | undefined;
  readonly unassigned: boolean;
  /** A date, or a date and a time. */
  readonly dueBefore: string | undefined;
  readonly dueAfter: string | undefined;
  readonly metadata: NonNullable<ListFlags['metadata']>;
  /** A value of null is any. */
  readonly fields: readonly CustomField[];
  /** A timestamp. */
  readonly updatedSince: string | undefined;
  readonly hasTitle: (title: string | undefined) => boolean;
}

/** What the service is assumed to know. Where it would leave out tasks that match, it gets a wider filter. */
export function serviceFilters({
  statuses,
  responsibles,
  dueBefore,
  dueAfter,
  metadata: [entry],
  fields: [field],
  updatedSince,
}: Filters): TaskFilters {
  const dueDate = omitUndefined({ start: dueAfter, end: dueBefore });
  return {
    ...(entry === undefined ? {} : { metadata: entry }),
    ...(field === undefined ? {} : { customField: fieldFilter(field) }),
    ...(statuses?.groups === undefined ? {} : { status: statuses.groups }),
    ...(responsibles === undefined ? {} : { responsibles }),
    ...(updatedSince === undefined ? {} : { updatedDate: { start: updatedSince } }),
    ...(Object.keys(dueDate).length === 0 ? {} : { dueDate }),
  };
}

/** What the service makes of a part of several choices is not known. */
function fieldFilter({ id, value }: CustomField): { readonly id: string; readonly value?: string } {
  return value === null || choicesOf(value) !== undefined ? { id } : { id, value };
}

/** The choices of a field that has several. */
export function choicesOf(value: string | null): readonly unknown[] | undefined {
  const list = value?.startsWith('[') ? parseJsonIfValid(value) : undefined;
  return Array.isArray(list) ? list : undefined;
}

/** True if the field has the value, or all of the choices, and perhaps more of them. */
function hasValue(given: string, wanted: string | null): boolean {
  if (wanted === null || given === wanted) return true;
  const [some, all] = [choicesOf(wanted), choicesOf(given)];
  return some !== undefined && all !== undefined && some.every((one) => all.includes(one));
}

/** A field that the record lacks is left to the service, unless the service was not asked to filter by it. */
export function matchesAll(
  task: Task,
  {
    statuses,
    responsibles,
    unassigned,
    dueBefore,
    dueAfter,
    metadata,
    fields,
    updatedSince,
    hasTitle,
  }: Filters,
): boolean {
  return (
    (statuses === undefined || statuses.matches(task)) &&
    (responsibles === undefined ||
      task.responsibleIds === undefined ||
      responsibles.some((id) => task.responsibleIds?.includes(id) === true)) &&
    (!unassigned || task.responsibleIds?.length === 0) &&
    (dueBefore === undefined || task.dates === undefined || isBefore(task.dates.due, dueBefore)) &&
    (dueAfter === undefined || task.dates === undefined || isAfter(task.dates.due, dueAfter)) &&
    ((task.metadata === undefined && metadata.length < 2) ||
      metadata.every(({ key, value }) =>
        task.metadata?.some((one) => one.key === key && (value === undefined || one.value === value)),
      )) &&
    ((task.customFields === undefined && fields.length < 2) ||
      fields.every(({ id, value }) =>
        task.customFields?.some((one) => one.id === id && hasValue(one.value, value)),
      )) &&
    (updatedSince === undefined || task.updatedDate === undefined || task.updatedDate >= updatedSince) &&
    hasTitle(task.title)
  );
}

/** As text: a day is before its own times. */
function isBefore(due: string | undefined, date: string): boolean {
  return due !== undefined && due < date;
}

/** A day as a whole, so no time of it is after it. */
function isAfter(due: string | undefined, date: string): boolean {
  return due !== undefined && (isDay(date) ? due.slice(0, date.length) > date : due > date);
}

function isDay(date: string | undefined): boolean {
  return date?.length === '2026-12-31'.length;
}
