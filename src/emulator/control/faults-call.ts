// Asks for faults, shows those that have not happened yet, forgets them.

import { faultRow } from '../faults.ts';
import type { ControlCall } from './control.ts';

export function listFaults({ service: { faults } }: ControlCall) {
  return { faults: faults.waiting };
}

export function faultsCall({ service: { faults }, body }: ControlCall) {
  faults.add(faultRow.check(body));
  return { faults: faults.waiting };
}

export function forgetFaults({ service: { faults } }: ControlCall) {
  faults.clear();
  return { faults: [] };
}
