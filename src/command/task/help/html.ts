// `wm task update --help html`: the tags that the service keeps in a description, read off the table of them.

import { descriptionTags, linkProtocols } from '../../../contract/allowed-html.ts';
import { description } from '../../../contract/task.ts';
import type { TopicPage } from '../../command.ts';

const tags = Object.keys(descriptionTags).map((name) => `<${name}>`);

const page: TopicPage = {
  parts: [
    { title: 'The service keeps these tags', text: tags.join(' ') },
    {
      title: 'With these rules',
      rows: [
        ['<span>', 'Only with a color: <span style="color: red">'],
        ['<a>', `Only with an address that starts with ${linkProtocols.join(', ')}`],
        ['<img>', 'Only with the address of an attachment of the task'],
        ['<li>', 'Only in <ol> or <ul>'],
        ['<table>', 'Only regular: as many cells in every row, none merged or split'],
      ],
    },
    {
      text: `It drops every other tag and attribute, and keeps their text. Before sending, wm warns about what would be dropped.
A line break is <br>. A description has ${description.rule}.`,
    },
  ],
  examples: [
    {
      description: 'A heading and a list',
      command:
        "wm task update IEAAAAAQKQAB5BNG --description '<h1>Plan</h1><ul><li>Print</li><li>Web</li></ul>'",
    },
    { description: 'From a file', command: 'wm task update IEAAAAAQKQAB5BNG --description @notes.html' },
  ],
};

export default page;
