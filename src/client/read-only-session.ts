// Enforces --read-only, WM_READ_ONLY and read-only profiles for every command: the session sends only GET requests.
// docs/decisions/read-only.md says why.

import { Failure } from '#failure.ts';
import { requestName } from './request.ts';
import type { Session } from './session.ts';

/** Why requests are read-only, and how to change that. */
interface ReadOnlyReason {
  /** Such as `WM_READ_ONLY is set`. */
  readonly why: string;
  readonly hint: string;
}

/** Returns the same session, except that a change throws a {@link Failure} before anything is sent. */
export function createReadOnlySession(session: Session, reason: ReadOnlyReason): Session {
  return {
    async sendRaw(request) {
      if (request.effect !== 'GET')
        throw new Failure('read_only', { message: `${requestName(request)} was not sent`, ...reason });
      return session.sendRaw(request);
    },
    async send(operation, path, parameters, ...rest) {
      const { method } = operation;
      if (method !== 'GET' || tunnelsMethod(Object.keys(parameters)))
        throw new Failure('read_only', { message: `${method} ${operation.path} was not sent`, ...reason });
      return session.send(operation, path, parameters, ...rest);
    },
  };
}

/** Tells whether a parameter names the method: then a GET may be a change. */
export function tunnelsMethod(parameterNames: readonly string[]): boolean {
  return parameterNames.some((name) => name.toLowerCase() === 'method');
}
