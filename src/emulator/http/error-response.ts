// A request that the service does not accept, as an exception that ends the call: the error's word and a sentence that
// names what is at fault. How it looks on the wire is response.ts.

import { ValidationError } from '../../contract/schema.ts';
import type { ServiceError } from '../../contract/service-error.ts';

export class ErrorResponse extends Error {
  readonly error: ServiceError;
  /** Sent as the header of that name. */
  readonly retryAfter: number | undefined;

  constructor(error: ServiceError, description: string, retryAfter?: number) {
    super(description);
    this.name = 'Refusal';
    this.error = error;
    this.retryAfter = retryAfter;
  }
}

export function invalidParameter(name: string, why: string): ErrorResponse {
  return new ErrorResponse('invalid_parameter', `Parameter '${name}' value is invalid: ${why}`);
}

export function methodNotFound(method: string, path: string): ErrorResponse {
  return new ErrorResponse('method_not_found', `The method ${method} ${path} does not exist`);
}

export function notFound(what: string, id: string): ErrorResponse {
  return new ErrorResponse('resource_not_found', `${what} ${id} was not found`);
}

/** Runs a check of the contract; a value it refuses becomes the 400 that names the parameter. */
export function validateParameter<T>(parameter: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof ValidationError) throw invalidParameter(parameter, error.message);
    throw error;
  }
}
