// The exception that ends a request with an error: its code and a description. response.ts makes the response.

import { replaceError, ValidationError } from '../../contract/schema.ts';
import type { ServiceError } from '../../contract/service-error.ts';

export class ErrorResponse extends Error {
  readonly error: ServiceError;
  /** Seconds, for the header of that name. */
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

/** Turns a {@link ValidationError} into the 400 that names the parameter. */
export function validateParameter<T>(parameter: string, validate: () => T): T {
  return replaceError(ValidationError, validate, ({ message }) => invalidParameter(parameter, message));
}
