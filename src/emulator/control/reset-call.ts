// Back to the beginning: the sample data, an empty log, no faults, the real time. Tokens given out
// before are gone.

import { sampleData } from '../sample.ts';
import { fill } from '../store.ts';
import type { ControlCall } from './control-call.ts';

export function resetCall({ service }: ControlCall) {
  const { store, clock, deliveries, registry, faults, rateLimit, changed } = service;
  clock.reset();
  deliveries.clear();
  registry.clear();
  faults.clear();
  rateLimit.clear();
  fill(store, sampleData);
  changed();
  return { reset: true };
}
