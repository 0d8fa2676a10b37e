// Resets the emulator: the data of the start, empty logs, no faults and stubs, the real time. The sample keeps its tokens; those issued since are
// gone.

import { replaceContents } from '../state/store.ts';
import type { ControlRequest } from './control-request.ts';

export function resetEndpoint({ service }: ControlRequest) {
  const { store, clock, deliveries, registry, faults, stubs, requests, rateLimit, scheduleSave } = service;
  clock.reset();
  deliveries.clear();
  registry.clear();
  faults.clear();
  stubs.clear();
  requests.clear();
  service.fileContents.clear();
  rateLimit.clear();
  replaceContents(store, service.initialData);
  for (const webhook of store.webhooks.values()) registry.add(webhook);
  scheduleSave();
  return { reset: true };
}
