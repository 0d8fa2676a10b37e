// What to do about a response that is an error, where the code of the failure alone does not say it: with the sign-in that
// was used, and the commands as they have to be typed for it.

import type { Operation } from '../contract/operation.ts';
import type { Failure } from '../failure.ts';
import { forbiddenHint, type SignIn } from './forbidden-hint.ts';

export interface HintContext {
  readonly operation: Pick<Operation, 'scopes' | 'method'>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly credentials: { readonly rejectedHint?: string; readonly signIn?: SignIn };
  /** A command of `wm` in full, with the account that was named: `whoami` becomes `wm whoami --profile work`. */
  readonly commandLine: (words: string) => string;
}

/** Nothing where the failure has the best hint already. */
export function responseHint(failure: Failure, context: HintContext): string | undefined {
  const { operation, parameters, credentials, commandLine } = context;
  switch (failure.code) {
    case 'sign_in_needed':
      return credentials.rejectedHint ?? signInAgain(credentials.signIn, commandLine);
    case 'forbidden':
      return (
        forbiddenHint(operation, parameters, failure, credentials.signIn) ??
        `Ask an administrator of the account for access; --profile uses another sign-in.\nTo see who asked: ${commandLine('whoami')}`
      );
    case 'not_found':
      return `Check the id, and the account: ${commandLine('whoami')}`;
    case 'bad_response':
      return isRedirect(failure) ? `Check the host: ${commandLine('auth status')}` : undefined;
    default:
      return undefined;
  }
}

function signInAgain(signIn: SignIn | undefined, commandLine: HintContext['commandLine']): string {
  return [
    `Sign in again: ${signIn?.command ?? commandLine('login')}`,
    `If the token is good, its host may be wrong (another data centre): ${commandLine('auth status')}`,
  ].join('\n');
}

function isRedirect({ httpStatus = 0 }: Failure): boolean {
  return httpStatus >= 300 && httpStatus < 400;
}
