// The filters that lists of tasks and of folders share. The value of a custom field is compared by the field's type: numbers as numbers.

import { parseJsonIfValid } from '#contract/json.ts';
import type { TypeOf } from '#contract/schema.ts';
import type { CustomFieldFilter, comparator, TaskFilters } from '#contract/task-list.ts';
import { invalidParameter } from '../http/error-response.ts';
import type { Subject } from '../state/access.ts';
import type { CustomFieldType, Store, StoredTask } from '../state/store.ts';
import { numberOf } from './urls.ts';

interface Value {
  readonly text: string;
  /** Of a field that has several. */
  readonly items: readonly string[];
  /** Below, equal or above: -1, 0 or 1; NaN if it cannot be compared. */
  readonly order: (other: string) => number;
}

type Compare = (value: Value, filter: Required<CustomFieldFilter>) => boolean;

const isBetween: Compare = ({ order }, { minValue, maxValue }) =>
  (minValue === '' || order(minValue) >= 0) && (maxValue === '' || order(maxValue) <= 0);
const includes = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase());

/** Each with the members that it needs, of which one is enough. */
const comparators: {
  readonly [C in TypeOf<typeof comparator>]: readonly [fits: Compare, ...needs: (keyof CustomFieldFilter)[]];
} = {
  EqualTo: [({ order }, { value }) => order(value) === 0, 'value'],
  IsEmpty: [({ text }) => text === ''],
  IsNotEmpty: [({ text }) => text !== ''],
  LessThan: [({ order }, { value }) => order(value) < 0, 'value'],
  LessOrEqualTo: [({ order }, { value }) => order(value) <= 0, 'value'],
  GreaterThan: [({ order }, { value }) => order(value) > 0, 'value'],
  GreaterOrEqualTo: [({ order }, { value }) => order(value) >= 0, 'value'],
  InRange: [isBetween, 'minValue', 'maxValue'],
  NotInRange: [(...both) => !isBetween(...both), 'minValue', 'maxValue'],
  Contains: [({ items }, { value }) => items.some((item) => includes(item, value)), 'value'],
  StartsWith: [({ text }, { value }) => text.toLowerCase().startsWith(value.toLowerCase()), 'value'],
  EndsWith: [({ text }, { value }) => text.toLowerCase().endsWith(value.toLowerCase()), 'value'],
  ContainsAll: [({ items }, { values }) => values.every((each) => items.includes(each)), 'values'],
  ContainsAny: [({ items }, { values }) => values.some((each) => items.includes(each)), 'values'],
};

function readValue(type: CustomFieldType, text: string): Value {
  const list = type === 'Multiple' ? parseJsonIfValid(text) : undefined;
  const items = Array.isArray(list) ? list.map(String) : type === 'Contacts' ? text.split(/\s*,\s*/) : [text];
  const order = ['Numeric', 'Currency', 'Percentage', 'Duration'].includes(type)
    ? (other: string) => Math.sign(Number(text) - Number(other || Number.NaN))
    : (other: string) => (text === other ? 0 : text < other ? -1 : 1);
  return { text, items, order };
}

/** Throws an ErrorResponse if a filter lacks what it compares with. */
export function createSharedFilter(store: Store, filters: TaskFilters) {
  const { title, permalink, metadata, customField, customFields = [] } = filters;
  // Whatever the host of the link.
  const linkedNumber = /[?&]id=(\d+)/.exec(permalink ?? '')?.[1];
  const all = customField === undefined ? customFields : [customField, ...customFields];
  const hasFields = all.map((filter) => createFieldFilter(store, filter));
  const { key, value } = metadata ?? {};
  return (record: Subject) =>
    (title === undefined || includes(record.title, title)) &&
    (permalink === undefined || linkedNumber === numberOf(record.id)) &&
    (metadata === undefined ||
      record.metadata.some((entry) => entry.key === key && (value ?? entry.value) === entry.value)) &&
    hasFields.every((hasField) => hasField(record));
}

/** No record has a field that does not exist. */
function createFieldFilter(store: Store, filter: CustomFieldFilter) {
  const { id, value } = filter;
  const name = filter.comparator ?? (value === undefined ? 'IsNotEmpty' : 'EqualTo');
  const [fits, ...needs] = comparators[name];
  if (needs.length > 0 && needs.every((member) => (filter[member] ?? []).length === 0))
    throw invalidParameter('customField', `${name} needs ${needs.join(' or ')}`, 'task-filters');
  const complete = { comparator: name, value: '', minValue: '', maxValue: '', values: [], ...filter };
  const type = store.customFields.get(id)?.type;
  return ({ customFields }: Pick<StoredTask, 'customFields'>) => {
    const text = customFields.find((field) => field.id === id)?.value ?? '';
    if (type === undefined || (text === '' && name !== 'IsEmpty')) return false;
    return fits(readValue(type, text), complete);
  };
}
