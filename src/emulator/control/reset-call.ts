// Back to the beginning: the sample data, an empty log, no faults, the real time. The sample's tokens are those of the
// start; all that were issued since are gone.

import { sampleWith } from '../sample.ts';
import { fill } from '../store.ts';
import type { ControlCall } from './control-call.ts';

export function resetCall({ service }: ControlCall) {
  const { store, clock, deliveries, registry, faults, rateLimit, changed } = service;
  clock.reset();
  deliveries.clear();
  registry.clear();
  faults.clear();
  rateLimit.clear();
  fill(store, sampleWith(service.sampleTokens));
  changed();
  return { reset: true };
}
