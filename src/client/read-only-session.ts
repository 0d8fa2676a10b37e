// The guard of --read-only, WM_READ_ONLY and read-only profiles, below all commands: a session that sends no request but a GET.
// docs/decisions/read-only.md

import { Failure } from '#failure.ts';
import type { Session } from './session.ts';

/** What makes requests read-only, and how to end that. */
export interface ReadOnlyReason {
  /** `WM_READ_ONLY is set` */
  readonly why: string;
  readonly hint: string;
}

/** The same session; each change is a {@link Failure} before anything is sent. */
export function createReadOnlySession(session: Session, reason: ReadOnlyReason): Session {
  return {
    async sendRaw(request) {
      if (request.effect !== 'GET')
        throw readOnlyFailure(`${request.method} ${request.target.split('?')[0]} was not sent`, reason);
      return session.sendRaw(request);
    },
    async send(operation, path, parameters, ...more) {
      const { method } = operation;
      if (method !== 'GET' || tunnelsMethod(Object.keys(parameters)))
        throw readOnlyFailure(`${method} ${operation.path} was not sent`, reason);
      return session.send(operation, path, parameters, ...more);
    },
  };
}

/** The service takes the method of a request from this parameter, so that a GET may be a change. */
export function tunnelsMethod(parameterNames: readonly string[]): boolean {
  return parameterNames.some((name) => name.toLowerCase() === 'method');
}

export function readOnlyFailure(message: string, { why, hint }: ReadOnlyReason): Failure {
  return new Failure('read_only', { message, why, hint });
}
