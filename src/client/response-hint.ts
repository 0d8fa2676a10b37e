// The hint for an error response, if it depends on more than the failure code: on the sign-in, or on the profile to name in its
// commands.

import type { Operation } from '#contract/operation.ts';
import { commandHint, type Failure, type Hint, joinHints } from '#failure.ts';
import { forbiddenHint, type SignIn } from './forbidden-hint.ts';

export interface HintContext {
  readonly operation: Pick<Operation, 'scopes' | 'method' | 'path'>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly credentials: { readonly rejectedHint?: string; readonly signIn?: SignIn };
  /** Returns a whole command, with the profile that the user named: `whoami` becomes `wm whoami --profile work`. */
  readonly commandLine: (words: string) => string;
}

/** Returns a better hint than the failure's own, or `undefined`. */
export function responseHint(failure: Failure, context: HintContext): Hint | undefined {
  const { operation, parameters, credentials, commandLine } = context;
  switch (failure.code) {
    case 'sign_in_needed':
      return credentials.rejectedHint ?? signInAgain(credentials.signIn, commandLine);
    case 'forbidden':
      return (
        forbiddenHint(operation, parameters, failure, credentials.signIn) ??
        commandHint(
          'Ask an administrator of the account for access; --profile uses another sign-in.\nTo see who you are: ',
          commandLine('whoami'),
        )
      );
    case 'not_found':
      return joinHints([
        commandHint('Check the id, and the account: ', commandLine('whoami')),
        ...listHint(operation, commandLine),
      ]);
    case 'bad_response':
      return isRedirect(failure) ? commandHint('Check the host: ', commandLine('auth status')) : undefined;
    default:
      return undefined;
  }
}

/** The command that lists a collection, by the first segment of its path. */
const lists: Readonly<Record<string, string>> = { folders: 'folder list', spaces: 'space list' };

function listHint(
  { path }: HintContext['operation'],
  commandLine: HintContext['commandLine'],
): readonly Hint[] {
  const [, collection = ''] = path.split('/');
  const words = lists[collection];
  return words === undefined ? [] : [commandHint(`To list the ${collection}: `, commandLine(words))];
}

function signInAgain(signIn: SignIn | undefined, commandLine: HintContext['commandLine']): Hint {
  return joinHints([
    commandHint('Sign in again: ', signIn?.command ?? commandLine('login')),
    commandHint(
      'If the token is good, its host may be wrong (another data centre): ',
      commandLine('auth status'),
    ),
  ]);
}

function isRedirect({ httpStatus = 0 }: Failure): boolean {
  return httpStatus >= 300 && httpStatus < 400;
}
