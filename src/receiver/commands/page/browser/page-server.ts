// Sends the requests of the page to its server. page-messages.ts lists them.

import { parseJson } from '#contract/json.ts';
import type { DeliveryDetails, DeliveryList, PageError, PageUpdate, ReplayReport } from '../page-messages.ts';

export type PageServer = ReturnType<typeof createPageServer>;

export type ConnectionState = 'open' | 'lost' | 'closed';

export function createPageServer() {
  const base = window.location.pathname;
  async function request<T>(path: string, method = 'GET'): Promise<T | PageError> {
    try {
      const response = await window.fetch(`${base}${path}`, { method });
      // Our server writes errors as JSON too. Anything else means that this address has expired.
      if (response.status === 404 && response.headers.get('Content-Type') !== 'application/json')
        return { error: 'The receiver was restarted, and its page has a new address' };
      const value: T | PageError = await response.json();
      return value;
    } catch {
      return { error: 'The receiver does not respond' };
    }
  }
  return {
    details: (sequence: number) => request<DeliveryDetails>(`deliveries/${sequence}`),
    older: (before: number) => request<DeliveryList>(`deliveries?before=${before}`),
    replay: (sequence: number) => request<ReplayReport>(`deliveries/${sequence}/replay`, 'POST'),
    retry: () => request<{ readonly text: string }>('retry', 'POST'),
    bodyUrl: (sequence: number) => `${base}deliveries/${sequence}/body`,
    /** Reconnects by itself. `closed`: the address has expired. */
    listen(onUpdate: (update: PageUpdate) => void, onState: (state: ConnectionState) => void) {
      const source = new EventSource(`${base}events`);
      source.onopen = () => onState('open');
      source.onmessage = ({ data }) => onUpdate(toUpdate(String(data)));
      source.onerror = () => onState(source.readyState === EventSource.CLOSED ? 'closed' : 'lost');
    },
  };
}

/** Trusts the text, which this page's own server wrote. */
function toUpdate(data: string): PageUpdate {
  const update: unknown = parseJson(data);
  return update as PageUpdate;
}
