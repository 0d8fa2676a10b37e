// The exception that ends a request with an error: its code, a description, and why the emulator may reject the request.
// response.ts makes the response.

import type { AssumptionId } from '#contract/assumption.ts';
import { replaceError, ValidationError } from '#contract/schema.ts';
import type { ServiceError } from '#contract/service-error.ts';

/**
 * Why a request is rejected: the contract states it, or a row of the assumptions does, which the response names. `emulator`:
 * no client of the service meets it, as a control request or the emulator's own failure.
 */
export type Because = 'stated' | 'emulator' | AssumptionId;

export class ErrorResponse extends Error {
  readonly error: ServiceError;
  readonly because: Because;
  readonly retryAfter: number | undefined;

  /** `retryAfter`: seconds, for the header of that name. */
  constructor(error: ServiceError, description: string, because: Because, retryAfter?: number) {
    super(description);
    this.name = 'ErrorResponse';
    this.error = error;
    this.because = because;
    this.retryAfter = retryAfter;
  }
}

export const invalidRequest = (description: string, because: Because) =>
  new ErrorResponse('invalid_request', description, because);

export const parameterRequired = (description: string, because: Because) =>
  new ErrorResponse('parameter_required', description, because);

export const forbidden = (description: string, because: Because = 'stated') =>
  new ErrorResponse('access_forbidden', description, because);

export function invalidParameter(name: string, why: string, because: Because): ErrorResponse {
  return new ErrorResponse('invalid_parameter', `Parameter '${name}' value is invalid: ${why}`, because);
}

/** The contract says that there is none, or that there is none any more. */
export function methodNotFound(method: string, path: string, because: Because): ErrorResponse {
  return new ErrorResponse('method_not_found', `The method ${method} ${path} does not exist`, because);
}

/** The service may have it: the contract does not show every method. */
export function methodNotEmulated(method: string, path: string): ErrorResponse {
  const description = `The method ${method} ${path} is not part of this emulator`;
  return new ErrorResponse('method_not_found', description, 'other-endpoints');
}

export function notFound(what: string, id: string, because: Because = 'stated'): ErrorResponse {
  return new ErrorResponse('resource_not_found', `${what} ${id} was not found`, because);
}

/** Turns a {@link ValidationError} into the 400 that names the parameter. `because`: unless the rule of the schema says so itself. */
export function validateParameter<T>(parameter: string, validate: () => T, because: Because = 'stated'): T {
  return replaceError(ValidationError, validate, ({ message, assumption }) =>
    invalidParameter(parameter, message, assumption ?? because),
  );
}
