// Parses `--route EVENT=URL`, which sends events to a URL of their own.

import { eventsOfGroup } from '#cli/event-groups.ts';
import { parseEventName } from '#cli/event-name.ts';
import type { Flag } from '#cli/flags/flag.ts';
import { formatValue, ValidationError } from '#contract/schema.ts';
import { checkTargetUrl } from '#receiver/forwarding/target-url.ts';

export interface Route {
  readonly events: readonly string[];
  readonly url: string;
}

export const routeFlag: Flag<readonly Route[]> = {
  help: 'Forward the deliveries of this event, or group of events, to this URL instead',
  placeholder: 'EVENT=URL,...',
  repeats: true,
  parse(texts) {
    // A URL may contain a comma.
    const routes = texts
      .flatMap((text) => text.split(/,(?=\s*\w+=https?:)/i))
      .map((text) => parseRoute(text.trim()));
    const urlOfEvent = new Map<string, string>();
    for (const { events, url } of routes)
      for (const event of events) {
        if ((urlOfEvent.get(event) ?? url) !== url)
          throw new ValidationError(event, `is routed to ${urlOfEvent.get(event)} and to ${url}`);
        urlOfEvent.set(event, url);
      }
    return routes;
  },
};

function parseRoute(text: string): Route {
  const [, name = '', url = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (name === '' || url === '')
    throw new ValidationError(
      formatValue(text),
      'is not of the form EVENT=URL, as in TaskCreated=http://127.0.0.1:3000/created',
    );
  const group = eventsOfGroup(name);
  return {
    events: group.length > 0 ? group : [parseEventName(name, '--route: ')],
    url: checkTargetUrl(url, '--route'),
  };
}
