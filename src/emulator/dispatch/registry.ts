// Indexes webhooks by place and event, so that an occurrence does not visit all webhooks. dispatch.ts applies their filters.

import type { EventName } from '#contract/event.ts';
import type { StoredWebhook } from '../state/store.ts';

export type WebhookRegistry = ReturnType<typeof createWebhookRegistry>;

const allEvents = '*';

function eventsOf({ events, parameterisedEvents }: StoredWebhook): readonly string[] {
  if (events === undefined && parameterisedEvents === undefined) return [allEvents];
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
    /** The webhooks of the account and of the direct places, and the recursive webhooks of the other places. */
    find(accountId: string, direct: Iterable<string>, recursive: Iterable<string>, event: EventName) {
      const matches = new Set<StoredWebhook>();
      const add = (place: string, recursiveOnly: boolean) => {
        const byEvent = byPlace.get(place);
        for (const webhooks of [byEvent?.get(event), byEvent?.get(allEvents)]) {
          for (const webhook of webhooks ?? []) if (!recursiveOnly || webhook.recursive) matches.add(webhook);
        }
      };
      add(accountId, false);
      for (const place of direct) add(place, false);
      for (const place of recursive) add(place, true);
      return [...matches];
    },
    clear() {
      byPlace.clear();
    },
  };
}
