// An index of webhooks by place and event, so that finding the candidates for an occurrence does not visit all webhooks.
// filter.ts then applies their filters.

import type { EventName } from '#contract/event.ts';
import type { StoredWebhook } from '../state/store.ts';

export type WebhookRegistry = ReturnType<typeof createWebhookRegistry>;

const all = '*';

function eventsOf({ events, parameterisedEvents }: StoredWebhook): readonly string[] {
  if (events === undefined && parameterisedEvents === undefined) return [all];
  return [...new Set([...(events ?? []), ...(parameterisedEvents ?? []).map(({ event }) => event)])];
}

export function createWebhookRegistry() {
  const byPlace = new Map<string, Map<string, Set<StoredWebhook>>>();

  const setOf = (place: string, event: string) => {
    const byEvent = byPlace.get(place) ?? new Map<string, Set<StoredWebhook>>();
    byPlace.set(place, byEvent);
    const webhooks = byEvent.get(event) ?? new Set<StoredWebhook>();
    byEvent.set(event, webhooks);
    return webhooks;
  };
  const placeOf = ({ placeId, accountId }: StoredWebhook) => placeId ?? accountId;

  return {
    /** True if no webhook was added since the start or a reset. */
    isEmpty: () => byPlace.size === 0,
    add(webhook: StoredWebhook) {
      for (const event of eventsOf(webhook)) setOf(placeOf(webhook), event).add(webhook);
    },
    remove(webhook: StoredWebhook) {
      for (const event of eventsOf(webhook)) byPlace.get(placeOf(webhook))?.get(event)?.delete(webhook);
    },
    find(accountId: string, places: Iterable<string>, above: Iterable<string>, event: EventName) {
      const found = new Set<StoredWebhook>();
      const take = (place: string, recursiveOnly: boolean) => {
        const byEvent = byPlace.get(place);
        for (const webhooks of [byEvent?.get(event), byEvent?.get(all)]) {
          for (const webhook of webhooks ?? []) if (!recursiveOnly || webhook.recursive) found.add(webhook);
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
