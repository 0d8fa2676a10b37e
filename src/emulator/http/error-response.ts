// The exception that ends a request with an error: its code, a description, and why the emulator may reject the request.

import type { AssumptionId } from '#contract/assumption.ts';
import { replaceError, ValidationError } from '#contract/schema.ts';
import type { ServiceError } from '#contract/service-error.ts';

/**
 * Why a request is rejected: the contract states it, or an assumption does, which the response names. `emulator`: the service never
 * rejects so, as for a control request or a failure of the emulator.
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

export const invalidParameter = (name: string, why: string, because: Because) =>
  new ErrorResponse('invalid_parameter', `Parameter '${name}' value is invalid: ${why}`, because);

export const unknownParameter = (name: string, because: Because) =>
  new ErrorResponse('invalid_parameter', `Parameter '${name}' is unknown`, because);

/** For methods that the contract excludes, or that the service has removed. */
export const methodNotFound = (method: string, path: string, because: Because) =>
  new ErrorResponse('method_not_found', `The method ${method} ${path} does not exist`, because);

/** What to do about a method that the emulator does not have. */
export const stubHint = 'the service may have it. To respond to it: wm emulator stub --help';

export const notFound = (kind: string, id: string, because: Because = 'stated') =>
  new ErrorResponse('resource_not_found', `${kind} ${id} was not found`, because);

/** Turns a {@link ValidationError} into a 400 that names the parameter. The error's own assumption replaces `because`. */
export function validateParameter<T>(parameter: string, validate: () => T, because: Because = 'stated'): T {
  return replaceError(ValidationError, validate, ({ message, assumption }) =>
    invalidParameter(parameter, message, assumption ?? because),
  );
}
