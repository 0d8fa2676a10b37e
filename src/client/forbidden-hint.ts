// The hint for a 403. Its cause may be a missing scope, a licence or quota, or the user's access. A task in the recycle bin shows
// only when the task is read: tasks/one/explain-failure.ts.

import type { Operation } from '#contract/operation.ts';
import { defaultScope, grantsAccess, type Scope } from '#contract/scope.ts';
import { statusOfEveryLicence } from '#contract/task.ts';
import { commandHint, type Failure, type Hint, joinHints } from '#failure.ts';

/** A sign-in through the browser. A permanent token has none, and has every scope. */
export interface SignIn {
  /** The requested scopes. Without any, the service gives the default scope. */
  readonly scopes: readonly Scope[] | undefined;
  /** The whole command that signs in again: `wm login --profile work`. */
  readonly command: string;
}

/**
 * Returns the hint for a 403, or `undefined` if only an administrator can help. `parameters`: of the request. Contract:
 * Authentication 9; Task status; Errors.
 */
export function forbiddenHint(
  { scopes: accepted, method }: Pick<Operation, 'scopes' | 'method'>,
  parameters: Readonly<Record<string, unknown>>,
  { errorCode }: Pick<Failure, 'errorCode'>,
  signIn: SignIn | undefined,
): Hint | undefined {
  const granted = signIn?.scopes ?? [defaultScope];
  if (signIn && !grantsAccess(granted, accepted)) {
    // Suggest the narrowest scope that is enough: the default scope includes reading and writing.
    const missing = accepted.find((scope) => scope !== defaultScope) ?? defaultScope;
    return joinHints([
      `This needs one of the scopes ${accepted.join(', ')}; your sign-in has ${granted.join(', ')}.`,
      commandHint(
        'Sign in again with more: ',
        `${signIn.command} --scope ${[...granted, missing].join(',')}`,
      ),
    ]);
  }
  if (errorCode !== 'not_allowed') return undefined;
  const { status, customStatus } = parameters;
  const needsMore = status !== undefined && status !== statusOfEveryLicence;
  if (method === 'PUT' && (needsMore || customStatus !== undefined)) {
    const change = needsMore ? `setting the status ${String(status)}` : 'setting this custom status';
    return `The licence may not include ${change}. The lowest one allows only ${statusOfEveryLicence}; an administrator can change it.`;
  }
  return 'A licence or a quota of the account does not allow it; ask an administrator.';
}
