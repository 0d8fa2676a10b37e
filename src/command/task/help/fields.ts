// `wm task update --help fields`: how to give custom fields and custom statuses, and what their values may be.

import { customFieldEntry, customFieldId } from '../../../contract/task.ts';
import type { TopicPage } from '../../command.ts';

const page: TopicPage = {
  parts: [
    {
      title: 'Custom fields (--custom-field FIELD=VALUE)',
      text: `FIELD is the title of the field, in any case, or its id (${customFieldId.rule}). Titles are looked up before
anything is sent, also with --dry-run. An id is sent as it is, with the value as typed; if the service rejects it and a field
has it as its title, that field is meant. If several fields have the title, the error lists their ids.`,
    },
    {
      title: 'With a title, VALUE depends on the type of the field',
      rows: [
        ['DropDown', 'One of its choices'],
        ['Multiple', 'Its choices with commas between them: FIELD[]=a,b, or FIELD=a,"b, with a comma"'],
        ['Contacts', 'People, with commas between them: see --help people'],
        ['Date', 'A date: see --help dates'],
        ['any other', 'The text as it is'],
      ],
    },
    {
      text: `A value has ${customFieldEntry.shape.value.rule}. To remove a value: --remove-custom-field FIELD.`,
    },
    {
      title: 'Custom statuses (--custom-status STATUS)',
      text: 'STATUS is the name of a status of any workflow, in any case, or its id.',
    },
  ],
  examples: [
    { description: 'One choice', command: 'wm task update IEAAAAAQKQAB5BNG --custom-field Risk=High' },
    {
      description: 'Several choices',
      command: "wm task update IEAAAAAQKQAB5BNG --custom-field 'Channels[]=Print,Web'",
    },
    {
      description: 'A date',
      command: "wm task update IEAAAAAQKQAB5BNG --custom-field 'Goes to print=next friday'",
    },
    { description: 'Remove a value', command: 'wm task update IEAAAAAQKQAB5BNG --remove-custom-field Risk' },
    {
      description: 'A custom status',
      command: "wm task update IEAAAAAQKQAB5BNG --custom-status 'In review'",
    },
  ],
};

export default page;
