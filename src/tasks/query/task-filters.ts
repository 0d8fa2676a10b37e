// The filters of a list of tasks: the parameters of the request, and the check of each record by wm.

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
  /** A value of null stands for any value. */
  readonly fields: readonly CustomField[];
  /** A timestamp. */
  readonly updatedSince: string | undefined;
  readonly hasTitle: (title: string | undefined) => boolean;
}

/** The filters that the service is assumed to have. Wider than the flags where its own filter would leave out matching tasks. */
export function serviceFilters(filters: Filters): TaskFilters {
  const { statuses, responsibles, dueBefore, dueAfter, updatedSince } = filters;
  const [entry] = filters.metadata;
  const [field] = filters.fields;
  const dueDate = omitUndefined({ start: dueAfter, end: dueBefore });
  return omitUndefined({
    metadata: entry,
    customField: field && fieldFilter(field),
    status: statuses?.groups,
    responsibles,
    updatedDate: updatedSince === undefined ? undefined : { start: updatedSince },
    dueDate: Object.keys(dueDate).length === 0 ? undefined : dueDate,
  });
}

/** How the service filters by some of several choices is unknown, so then it filters by the field only. */
function fieldFilter({ id, value }: CustomField): { readonly id: string; readonly value?: string } {
  return value === null || choicesOf(value) !== undefined ? { id } : { id, value };
}

/** The choices of a field that has several. */
export function choicesOf(value: string | null): readonly unknown[] | undefined {
  const list = value?.startsWith('[') ? parseJsonIfValid(value) : undefined;
  return Array.isArray(list) ? list : undefined;
}

/** True if the field has the value, or all of the requested choices. */
function hasValue(value: string, requested: string | null): boolean {
  if (requested === null || value === requested) return true;
  const [requestedChoices, choices] = [choicesOf(requested), choicesOf(value)];
  return choices !== undefined && requestedChoices?.every((choice) => choices.includes(choice)) === true;
}

/** If the record lacks a member, the service's filter is trusted, unless the request had no such filter. */
export function matchesAll(task: Task, filters: Filters): boolean {
  const { statuses, responsibles, unassigned, dueBefore, dueAfter, updatedSince } = filters;
  const { metadata, fields, hasTitle } = filters;
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
        task.metadata?.some((entry) => entry.key === key && (value === undefined || entry.value === value)),
      )) &&
    ((task.customFields === undefined && fields.length < 2) ||
      fields.every(({ id, value }) =>
        task.customFields?.some((field) => field.id === id && hasValue(field.value, value)),
      )) &&
    (updatedSince === undefined || task.updatedDate === undefined || task.updatedDate >= updatedSince) &&
    hasTitle(task.title)
  );
}

/** Compared as text: a day is before its own times. */
function isBefore(due: string | undefined, date: string): boolean {
  return due !== undefined && due < date;
}

/** A day as a whole: none of its times is after it. */
function isAfter(due: string | undefined, date: string): boolean {
  return due !== undefined && (isDay(date) ? due.slice(0, date.length) > date : due > date);
}

function isDay(date: string | undefined): boolean {
  return date?.length === '2026-12-31'.length;
}
