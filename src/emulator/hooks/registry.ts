// The webhooks by where they listen and for which event, so that finding the few that an event concerns does not look
// at all of them. Whether one of these few really wants it is match.ts.

import type { EventName } from '../../contract/event.ts';
import type { StoredWebhook } from '../store.ts';

export interface Registry {
  /** True where no webhook was ever added. */
  isEmpty(): boolean;
  add(hook: StoredWebhook): void;
  remove(hook: StoredWebhook): void;
  /** Those of the whole account, of the places themselves, and the recursive ones of what is above. */
  concerned(
    accountId: string,
    places: Iterable<string>,
    above: Iterable<string>,
    event: EventName,
  ): StoredWebhook[];
  clear(): void;
}

const all = '*';

function eventsOf({ events, parameterisedEvents }: StoredWebhook): readonly string[] {
  if (events === undefined && parameterisedEvents === undefined) return [all];
  return [...new Set([...(events ?? []), ...(parameterisedEvents ?? []).map(({ event }) => event)])];
}

export function createRegistry(): Registry {
  const byPlace = new Map<string, Map<string, Set<StoredWebhook>>>();

  const setOf = (place: string, event: string) => {
    const byEvent = byPlace.get(place) ?? new Map<string, Set<StoredWebhook>>();
    byPlace.set(place, byEvent);
    const hooks = byEvent.get(event) ?? new Set<StoredWebhook>();
    byEvent.set(event, hooks);
    return hooks;
  };
  const placeOf = ({ placeId, accountId }: StoredWebhook) => placeId ?? accountId;

  return {
    isEmpty: () => byPlace.size === 0,
    add(hook) {
      for (const event of eventsOf(hook)) setOf(placeOf(hook), event).add(hook);
    },
    remove(hook) {
      for (const event of eventsOf(hook)) byPlace.get(placeOf(hook))?.get(event)?.delete(hook);
    },
    concerned(accountId, places, above, event) {
      const found = new Set<StoredWebhook>();
      const take = (place: string, recursiveOnly: boolean) => {
        const byEvent = byPlace.get(place);
        for (const hooks of [byEvent?.get(event), byEvent?.get(all)]) {
          for (const hook of hooks ?? []) if (!recursiveOnly || hook.recursive) found.add(hook);
        }
      };
      take(accountId, false);
      for (const place of places) take(place, false);
      for (const place of above) take(place, true);
      return [...found];
    },
    clear() {
      byPlace.clear();
    },
  };
}
