// `--route EVENT=URL`: events that are forwarded to a URL of their own.

import type { EventName } from '../../../contract/event.ts';
import { formatValue } from '../../../contract/schema.ts';
import { usageError } from '../../../failure.ts';
import { checkTargetUrl } from '../../../receiver/forwarding/target-url.ts';
import { eventGroups, eventsOfGroup } from '../../event-groups.ts';
import { parseEventName } from '../../event-name.ts';
import type { Flag } from '../../flag.ts';

export interface RouteEntry {
  readonly events: readonly EventName[];
  readonly url: string;
}

export const routeFlag: Flag<readonly RouteEntry[]> = {
  help: `Forward this event to a URL of its own, or a group of events: ${eventGroups.join(', ')}`,
  placeholder: 'EVENT=URL',
  repeats: true,
  parse: (given) => given.map(parseRoute),
};

function parseRoute(text: string): RouteEntry {
  const [, event, url] = /^([^=:/]*)=(.*)$/s.exec(text) ?? [];
  if (event === undefined || url === undefined)
    throw usageError(
      // What follows may contain a password.
      `--route: ${text.includes('@') ? 'it' : formatValue(text)} is not an event and a URL`,
      'For example: --route TaskStatusChanged=http://127.0.0.1:3000/status',
    );
  const group = eventsOfGroup(event);
  const events = group.length > 0 ? group : [parseEventName(event, '--route: ')];
  return { events, url: checkTargetUrl(url, '--route') };
}
