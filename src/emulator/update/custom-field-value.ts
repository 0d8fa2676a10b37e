// Validates the value of a custom field by the field's type, and formats it for an event as JSON: text with quotes, numbers without.

import { anyDate } from '#contract/date.ts';
import { parseJsonIfValid } from '#contract/json.ts';
import { formatValue, invalidValue, ValidationError } from '#contract/schema.ts';
import type { CustomFieldType, StoredCustomField } from '../state/store.ts';

/** Most rules about the types of fields are assumed. */
const reject = (value: string, rule: string): never => {
  throw invalidValue(value, rule, 'custom-field-types');
};

const decimal = /^-?\d+(\.\d+)?$/;

function validateOption(value: string, { values }: StoredCustomField): void {
  if (!values.includes(value)) reject(value, `is not one of ${values.join(', ')}`);
}

function validateOptions(value: string, field: StoredCustomField): void {
  const items = parseJsonIfValid(value);
  if (!Array.isArray(items))
    throw invalidValue(value, 'is not a JSON array, as a multiple-select field needs');
  for (const item of items) {
    if (typeof item !== 'string') reject(value, 'contains an item that is not text');
    else validateOption(item, field);
  }
}

function validateNumber(value: string): void {
  if (!decimal.test(value)) reject(value, 'is not a number');
}

type Validate = (value: string, field: StoredCustomField, isUser: (id: string) => boolean) => void;

const validators: Readonly<Record<CustomFieldType, Validate>> = {
  Text: () => undefined,
  Numeric: validateNumber,
  Currency: validateNumber,
  Percentage: validateNumber,
  Duration: validateNumber,
  Date: (value) => void anyDate.validate(value),
  Checkbox(value) {
    if (value !== 'true' && value !== 'false') reject(value, 'is not one of true, false');
  },
  DropDown: validateOption,
  Multiple: validateOptions,
  Contacts(value, _, isUser) {
    for (const id of value.split(','))
      if (!isUser(id.trim())) reject(value, `contains ${formatValue(id)}, which is not a user`);
  },
};

/** In an event, their values are text; all others are JSON as they are. */
const textTypes: readonly CustomFieldType[] = ['Text', 'Date', 'DropDown', 'Contacts'];

/** Throws {@link ValidationError}. An empty text is valid for every type, and differs from no value. */
export const validateCustomFieldValue: Validate = (value, field, isUser) => {
  if (value !== '') validators[field.type](value, field, isUser);
};

/** Formats `value` and `oldValue` of an event. */
export function toEventText(type: CustomFieldType, value: string | undefined): string {
  if (value === undefined) return 'null';
  if (value === '' || textTypes.includes(type)) return JSON.stringify(value);
  return decimal.test(value) ? String(Number(value)) : value;
}
