// Injects faults, lists the pending ones, and clears them.

import { ErrorResponse } from '../http/error-response.ts';
import { faultSchema, whyIneffective } from '../http/fault-injection.ts';
import { isRequestPattern } from '../http/request-pattern.ts';
import type { ControlRequest } from './control-request.ts';
import { requireRequestName } from './request-name.ts';

export function listFaults({ service: { faults } }: ControlRequest) {
  return { faults: faults.pending };
}

export function addFault({ service: { faults }, body }: ControlRequest) {
  const fault = faultSchema.validate(body);
  // A fault with a misspelled name would never happen.
  if (!isRequestPattern(fault.request)) requireRequestName(fault.request, ['any']);
  const why = whyIneffective(fault);
  if (why !== undefined) throw new ErrorResponse('invalid_parameter', why, { because: 'emulator' });
  faults.add(fault);
  return { faults: faults.pending };
}

export function clearFaults({ service: { faults } }: ControlRequest) {
  faults.clear();
  return { faults: [] };
}
