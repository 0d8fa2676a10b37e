// What to do about a 403, which has several causes: a scope that the sign-in was never given, a licence or quota, and the
// user's own access. A task in the recycle bin is a fourth, which only the task itself tells: command/task/single/explain-failure.ts.

import type { Operation } from '../contract/operation.ts';
import { defaultScope, grantsAccess, type Scope } from '../contract/scope.ts';
import { statusOfEveryLicence } from '../contract/task.ts';
import type { Failure } from '../failure.ts';

/** A sign-in through the browser; a permanent token has none, and no scopes that could lack. */
export interface SignIn {
  /** Those that it asked for; with none, the service gives the default. */
  readonly scopes: readonly Scope[] | undefined;
  /** The command that signs in again, as it works when pasted: `wm login --profile work`. */
  readonly command: string;
}

/** Nothing where the usual hint, to ask an administrator, is the best there is. */
export function forbiddenHint(
  { scopes: accepted, method }: Pick<Operation, 'scopes' | 'method'>,
  parameters: Readonly<Record<string, unknown>>,
  { errorCode }: Pick<Failure, 'errorCode'>,
  signIn: SignIn | undefined,
): string | undefined {
  const granted = signIn?.scopes ?? [defaultScope];
  if (signIn && !grantsAccess(granted, accepted)) {
    // The narrowest that is enough: the default scope is equal to reading and writing.
    const missing = accepted.find((scope) => scope !== defaultScope) ?? defaultScope;
    return [
      `This needs one of the scopes ${accepted.join(', ')}; your sign-in has ${granted.join(', ')}.`,
      `Sign in again with more: ${signIn.command} --scope ${[...granted, missing].join(',')}`,
    ].join('\n');
  }
  if (errorCode !== 'not_allowed') return undefined;
  const { status, customStatus } = parameters;
  const needsMore = status !== undefined && status !== statusOfEveryLicence;
  if (method === 'PUT' && (needsMore || customStatus !== undefined)) {
    const what = needsMore ? `setting the status ${String(status)}` : 'setting this custom status';
    return `The licence may not include ${what}. The lowest one allows only ${statusOfEveryLicence}; an administrator can change it.`;
  }
  return 'A licence or a quota of the account is in the way: ask its administrator which.';
}
