// Whether a text can be the value of a custom field of some type, and how it stands in an event: there it is JSON, so
// that a text carries quotes and a number does not.

import { anyDate } from '../../contract/date.ts';
import { parseJsonIfValid } from '../../contract/json.ts';
import { Refused, shown } from '../../contract/value.ts';
import type { CustomFieldType, StoredCustomField } from '../store.ts';

const refuse = (value: string, rule: string): never => {
  throw new Refused(shown(value), rule);
};

const decimal = /^-?\d+(\.\d+)?$/;

function number(value: string): void {
  if (!decimal.test(value)) refuse(value, 'is not a number');
}

function oneOf(value: string, { values }: StoredCustomField): void {
  if (!values.includes(value)) refuse(value, `is not one of ${values.join(', ')}`);
}

function arrayIn(value: string): readonly unknown[] {
  const decoded = parseJsonIfValid(value);
  return Array.isArray(decoded)
    ? decoded
    : refuse(value, 'is not a JSON array, which a multiple-select value is');
}

function several(value: string, field: StoredCustomField): void {
  for (const one of arrayIn(value)) {
    if (typeof one !== 'string') refuse(value, 'holds something that is not text');
    else oneOf(one, field);
  }
}

type Check = (value: string, field: StoredCustomField, isUser: (id: string) => boolean) => void;

const checks: Readonly<Record<CustomFieldType, Check>> = {
  Text: () => undefined,
  Numeric: number,
  Currency: number,
  Percentage: number,
  Duration: number,
  Date: (value) => void anyDate.check(value),
  Checkbox: (value) => {
    if (value !== 'true' && value !== 'false') refuse(value, 'is not one of true, false');
  },
  DropDown: oneOf,
  Multiple: several,
  Contacts: (value, _, isUser) => {
    for (const id of value.split(','))
      if (!isUser(id.trim())) refuse(value, `names ${shown(id)}, who is not a user`);
  },
};

/** Throws {@link Refused}. The empty text is a value of every type: it is not the same as no value. */
export function checkCustomFieldValue(
  field: StoredCustomField,
  value: string,
  isUser: (id: string) => boolean,
): void {
  if (value !== '') checks[field.type](value, field, isUser);
}

const jsonAlready: readonly CustomFieldType[] = [
  'Numeric',
  'Currency',
  'Percentage',
  'Duration',
  'Checkbox',
  'Multiple',
];

/** A value as `value` and `oldValue` of an event hold it. */
export function eventText(type: CustomFieldType, value: string | undefined): string {
  if (value === undefined) return 'null';
  if (value === '' || !jsonAlready.includes(type)) return JSON.stringify(value);
  return decimal.test(value) ? String(Number(value)) : value;
}
