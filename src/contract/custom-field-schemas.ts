// A custom field with its value or its choices, and metadata: of a task or a folder, and in a change.

import { identifier } from './identifier.ts';
import { isJsonObject } from './json.ts';
import { limit } from './limit.ts';
import { anyText, choice, list, nullable, object, text } from './schema.ts';

export const customFieldId = identifier('CustomFieldId');
export const customFieldText = text('custom field value', {
  max: limit.customFieldCharacters,
  forbiddenCharacters: [{ character: '\u0000' }, { character: '\u0011', position: 'at the start' }],
});
export const customFieldEntry = object('CustomField', {
  id: customFieldId,
  value: nullable(customFieldText),
});

/** In the record of a task or a folder. */
export const customFieldValue = object('CustomField', { id: customFieldId, value: anyText });
export const shownMetadata = list(object('Metadata', { key: anyText, value: anyText }));
const numericTypes = ['Numeric', 'Currency', 'Percentage', 'Duration'] as const;
const otherTypes = ['Date', 'Checkbox', 'DropDown', 'Multiple', 'Contacts'] as const;
export const customFieldType = choice('type', ['Text', ...numericTypes, ...otherTypes]);

/**
 * Reads the choices of a field. The contract does not show them; this follows public integrations of the service. `values`: empty for a
 * field without choices. `allowsOthers`: true if the field accepts other values too.
 */
export function readChoices(settings: unknown) {
  const { values = [], allowOtherValues } = isJsonObject(settings) ? settings : {};
  return {
    values: Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [],
    allowsOthers: allowOtherValues === true,
  };
}
