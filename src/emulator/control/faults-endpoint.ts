// Injects faults, lists the pending ones, and clears them.

import { formatValue, ValidationError } from '../../contract/schema.ts';
import { operationNames } from '../endpoints/api.ts';
import { ErrorResponse } from '../http/error-response.ts';
import { faultSchema, whyIneffective } from '../http/fault-injection.ts';
import type { ControlRequest } from './control-request.ts';

const otherNames: readonly string[] = ['authorize', 'token', 'convert', 'any'];

export function listFaults({ service: { faults } }: ControlRequest) {
  return { faults: faults.pending };
}

export function addFault({ service: { faults }, body }: ControlRequest) {
  const fault = faultSchema.validate(body);
  // A fault with a misspelled name would never happen.
  if (![...operationNames, ...otherNames].includes(fault.request))
    throw new ValidationError(
      formatValue(fault.request),
      `is not one of ${[...operationNames, ...otherNames].join(', ')}`,
    );
  const why = whyIneffective(fault);
  if (why !== undefined) throw new ErrorResponse('invalid_parameter', why, { because: 'emulator' });
  faults.add(fault);
  return { faults: faults.pending };
}

export function clearFaults({ service: { faults } }: ControlRequest) {
  faults.clear();
  return { faults: [] };
}
