// The requests of the page, all below its own path: page-messages.ts lists them.

import { parseJson } from '#contract/json.ts';
import type { DeliveryDetails, DeliveryList, PageError, PageUpdate, ReplayReport } from '../page-messages.ts';

export type PageServer = ReturnType<typeof createPageServer>;

export type ConnectionState = 'open' | 'lost' | 'closed';

export function createPageServer() {
  const base = window.location.pathname;
  async function ask<T>(path: string, method = 'GET'): Promise<T | PageError> {
    try {
      const response = await window.fetch(`${base}${path}`, { method });
      // Our own server wrote it: an error too is JSON, unless this address is no longer its own.
      if (response.status === 404 && response.headers.get('Content-Type') !== 'application/json')
        return { error: 'The receiver was started again, and its page has another address' };
      const value: T | PageError = await response.json();
      return value;
    } catch {
      return { error: 'The receiver does not respond' };
    }
  }
  return {
    details: (sequence: number) => ask<DeliveryDetails>(`deliveries/${sequence}`),
    older: (before: number) => ask<DeliveryList>(`deliveries?before=${before}`),
    replay: (sequence: number) => ask<ReplayReport>(`deliveries/${sequence}/replay`, 'POST'),
    bodyUrl: (sequence: number) => `${base}deliveries/${sequence}/body`,
    /** Connects again by itself. `closed`: the address is no longer valid. */
    listen(onUpdate: (update: PageUpdate) => void, onState: (state: ConnectionState) => void) {
      const source = new EventSource(`${base}events`);
      source.onopen = () => onState('open');
      source.onmessage = ({ data }) => onUpdate(toUpdate(String(data)));
      source.onerror = () => onState(source.readyState === EventSource.CLOSED ? 'closed' : 'lost');
    },
  };
}

/** Written by the server of this very page. */
function toUpdate(data: string): PageUpdate {
  const update: unknown = parseJson(data);
  return update as PageUpdate;
}
