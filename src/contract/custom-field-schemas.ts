// A custom field with its value, and metadata: of a task or a folder, and in a change.

import { identifier } from './identifier.ts';
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
