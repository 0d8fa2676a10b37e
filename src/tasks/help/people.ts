// `wm task update --help people`: how to give users, for every flag that takes users.

import type { TopicPage } from '#cli/command.ts';
import { identifier } from '#contract/identifier.ts';
import { ruleOf } from '#contract/rule.ts';
import { me } from '../input/unresolved-update.ts';

export default {
  parts: [
    {
      title: 'USER is one of',
      rows: [
        [me, 'You, the signed-in user'],
        ['ben@example.com', 'An e-mail address'],
        ["'Ben Okafor'", 'A full name, in upper or lower case'],
        ['KUAABENQ', `An id: ${ruleOf(identifier('UserId'))}`],
      ],
    },
    {
      text: `Separate several users with commas, repeat the flag, or give a JSON array. wm looks up names, e-mail addresses and ${me}
before it sends anything, even with --dry-run. If several users have the same name, the error lists their ids. wm sends an id as
it is; if the service rejects it and it is the name of a user, wm uses that user. Give invitations by id. To find a user:
wm contact list --name okafor`,
    },
  ],
  examples: {
    'Assign yourself and Ben':
      'wm task update IEAAAAAQKQAB5BNG --add-responsibles @me,ben@paper-lantern.example',
    'Add a follower by name': "wm task update IEAAAAAQKQAB5BNG --add-followers 'Ben Okafor'",
    'Unassign by id': 'wm task update IEAAAAAQKQAB5BNG --remove-responsibles KUAAADAQ',
  },
} satisfies TopicPage;
