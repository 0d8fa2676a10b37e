// Adds, lists and removes stubs: responses to requests that the emulator does not have.

import { formatValue, ValidationError } from '../../contract/schema.ts';
import { operationAt } from '../endpoints/api.ts';
import { ErrorResponse } from '../http/error-response.ts';
import { whyContradictory } from '../http/injected-body.ts';
import { parseRequestPattern } from '../http/request-pattern.ts';
import { stubSchema, whyImpossible } from '../http/stubs.ts';
import type { ControlRequest } from './control-request.ts';

export function listStubs({ service: { stubs } }: ControlRequest) {
  return { stubs: stubs.all };
}

export function addStub({ service: { stubs }, body }: ControlRequest) {
  const stub = stubSchema.validate(body);
  const { method, path } = parseRequestPattern(stub.request);
  // It would never respond: the emulator's own requests come first.
  const own = method === undefined ? undefined : operationAt(method, path);
  if (own !== undefined)
    throw new ValidationError(
      formatValue(stub.request),
      `is ${own}, which the emulator has; a fault for it replaces its response`,
    );
  const why = whyContradictory(stub) ?? whyImpossible(stub);
  if (why !== undefined) throw new ErrorResponse('invalid_parameter', why, { because: 'emulator' });
  stubs.add(stub);
  return { stubs: stubs.all };
}

export function clearStubs({ service: { stubs } }: ControlRequest) {
  stubs.clear();
  return { stubs: [] };
}
