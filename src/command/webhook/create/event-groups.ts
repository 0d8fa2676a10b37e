// Events as --events takes them: names, groups of names such as `task` or `comment`, and the contract's notation [A,B].

import { type EventName, eventNames, events } from '../../../contract/event.ts';
import type { Schema } from '../../../contract/schema.ts';
import { webhookCreateParameters } from '../../../contract/webhook.ts';
import { parseEventName } from '../../event-name.ts';
import { type Flag, listFlag } from '../../flag.ts';

const { schema, meaning } = webhookCreateParameters.events;

const bySubject = ['task', 'folder', 'project', 'workItem'] as const;
/** Words in the names of events. */
const byWord = ['approval', 'attachment', 'comment', 'customField', 'timelog'] as const;

/** The events of a group, read from the table of events; none if there is no such group. */
function eventsOfGroup(text: string): readonly EventName[] {
  const wanted = text.toLowerCase();
  const subject = bySubject.find((one) => one.toLowerCase() === wanted);
  if (subject) return eventNames.filter((name) => events[name].subject === subject);
  const word = byWord.find((one) => one.toLowerCase() === wanted);
  return word ? eventNames.filter((name) => name.toLowerCase().includes(wanted)) : [];
}

/** A wrong name gets a suggestion. */
const namesAndGroups: Schema<readonly EventName[]> = {
  ...schema,
  validate(input) {
    if (!Array.isArray(input)) return schema.validate(input);
    const names = input.flatMap((one: unknown) => {
      const group = typeof one === 'string' ? eventsOfGroup(one) : [];
      return group.length > 0 ? group : [parseEventName(one, '--events: ')];
    });
    return schema.validate([...new Set(names)]);
  },
};

const list = listFlag(
  namesAndGroups,
  'EVENT',
  `${meaning}; see \`wm webhook events\`. Also groups: ${[...bySubject, ...byWord].join(', ')}`,
);

export const eventsFlag: Flag<readonly EventName[]> = {
  ...list,
  parse([first, ...more]) {
    return list.parse([withoutBrackets(first), ...more.map(withoutBrackets)]);
  },
};

/** Names in brackets and without quotes are no JSON. */
function withoutBrackets(text: string): string {
  return /^\s*\[([^"\]]*\S[^"\]]*)\]\s*$/.exec(text)?.[1] ?? text;
}
