// `wm task update --help fields`: how to give custom fields and custom statuses, and which values they take.

import type { TopicPage } from '#cli/command.ts';
import { customFieldEntry, customFieldId } from '#contract/custom-field-schemas.ts';
import { ruleOf } from '#contract/rule.ts';

export default {
  parts: [
    {
      title: 'Custom fields (--custom-field FIELD=VALUE)',
      text: `FIELD is the title of the field, in upper or lower case, or its id (${ruleOf(customFieldId)}). wm looks up titles
before it sends anything, even with --dry-run. It sends an id as it is, with the value as typed; if the service rejects the id and
it is the title of a field, wm updates that field. If several fields have the same title, the error lists their ids.`,
    },
    {
      title: 'For a field given by title, VALUE depends on its type',
      rows: [
        ['DropDown', 'One of its choices'],
        ['Multiple', 'Its choices, separated by commas: FIELD[]=a,b or FIELD=a,"b, with a comma"'],
        ['Contacts', 'Users, separated by commas: see --help people'],
        ['Date', 'A date: see --help dates'],
        ['any other', 'The text as typed'],
      ],
    },
    {
      text: `A value has ${ruleOf(customFieldEntry.shape.value)}. To clear a field: --remove-custom-field FIELD.`,
    },
    {
      title: 'Custom statuses (--custom-status STATUS)',
      text: 'STATUS is the id of a status, or its name in any workflow, in upper or lower case.',
    },
  ],
  examples: {
    'Set one choice': 'wm task update IEAAAAAQKQAB5BNG --custom-field Risk=High',
    'Set several choices': "wm task update IEAAAAAQKQAB5BNG --custom-field 'Channels[]=Print,Web'",
    'Set a date': "wm task update IEAAAAAQKQAB5BNG --custom-field 'Goes to print=next friday'",
    'Clear a field': 'wm task update IEAAAAAQKQAB5BNG --remove-custom-field Risk',
    'Set a custom status': "wm task update IEAAAAAQKQAB5BNG --custom-status 'In review'",
  },
} satisfies TopicPage;
