// `wm task update --help html`: the tags that the service keeps in a description, from the table of them.

import type { TopicPage } from '#cli/command.ts';
import { descriptionTags, linkProtocols } from '#contract/allowed-html.ts';
import { ruleOf } from '#contract/rule.ts';
import { description } from '#contract/task.ts';

const tags = Object.keys(descriptionTags).map((name) => `<${name}>`);

export default {
  parts: [
    { title: 'The service keeps these tags', text: tags.join(' ') },
    {
      title: 'With these rules',
      rows: [
        ['<span>', 'Only with colors: <span style="color: red; background-color: #c8e6c9">'],
        ['<a>', `Only with a URL that starts with ${linkProtocols.join(', ')}`],
        ['<img>', 'Only with the URL of an attachment of the task'],
        ['<li>', 'Only in <ol> or <ul>'],
        ['<table>', 'Only with the same number of cells in every row, none merged'],
      ],
    },
    {
      text: `It drops all other tags and attributes, and keeps their text. It drops CDATA, <?...> and <!...> with their text. wm
warns before it sends the description. For a line break, use <br>; for a literal <, write &lt;. In a URL, write &amp; for &: ?a=1&copy=2 would
become ?a=1©=2. A description has ${ruleOf(description)}.`,
    },
  ],
  examples: {
    'Set a heading and a list':
      "wm task update IEAAAAAQKQAB5BNG --description '<h1>Plan</h1><ul><li>Print</li><li>Web</li></ul>'",
    'Read the description from a file': 'wm task update IEAAAAAQKQAB5BNG --description @notes.html',
  },
} satisfies TopicPage;
