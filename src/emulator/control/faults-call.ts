// Asks for faults, shows those that have not happened yet, forgets them.

import { Refused, shown } from '../../contract/value.ts';
import { callNames } from '../api.ts';
import { faultRow, useless } from '../faults.ts';
import { Refusal } from '../refusal.ts';
import type { ControlCall } from './control-call.ts';

const otherCalls: readonly string[] = ['authorize', 'token', 'convert', 'any'];

export function listFaults({ service: { faults } }: ControlCall) {
  return { faults: faults.waiting };
}

export function faultsCall({ service: { faults }, body }: ControlCall) {
  const fault = faultRow.check(body);
  // A slip in the name would be a fault that never happens.
  if (![...callNames, ...otherCalls].includes(fault.call))
    throw new Refused(shown(fault.call), `is not one of ${[...callNames, ...otherCalls].join(', ')}`);
  const why = useless(fault);
  if (why !== undefined) throw new Refusal('invalid_parameter', why);
  faults.add(fault);
  return { faults: faults.waiting };
}

export function forgetFaults({ service: { faults } }: ControlCall) {
  faults.clear();
  return { faults: [] };
}
