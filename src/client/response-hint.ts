// The hint for an error response, if it depends on more than the failure code: on the sign-in, or on the profile to name.

import { statusOfEveryLicence } from '#contract/limit.ts';
import type { Operation } from '#contract/operation.ts';
import { defaultScope, grantsAccess, type Scope } from '#contract/scope.ts';
import { commandHint, type Failure, type Hint, joinHints } from '#failure.ts';

/** A sign-in through the browser. A permanent token has none, and has every scope. */
export interface SignIn {
  /** The requested scopes. Without any, the service gives the default scope. */
  readonly scopes: readonly Scope[] | undefined;
  /** The whole command that signs in again: `wm login --profile work`. */
  readonly command: string;
}

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
  const bin = recycleBinHint(operation, parameters);
  switch (failure.code) {
    case 'sign_in_needed':
      return credentials.rejectedHint ?? signInAgain(credentials.signIn, commandLine);
    case 'forbidden':
      return (
        forbiddenHint(operation, parameters, failure, credentials.signIn) ??
        commandHint(
          `${bin}Ask an administrator of the account for access; --profile uses another sign-in.\nTo see who you are: `,
          commandLine('whoami'),
        )
      );
    case 'rejected':
      return bin.trimEnd() || undefined;
    case 'not_found':
      if (failure.errorCode === 'method_not_found')
        return commandHint(
          'The service does not know this request, whatever the id. Check the host: ',
          commandLine('auth status'),
        );
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

/** A line for a deletion or a restore that the service rejects, with 400 or 403. */
function recycleBinHint({ method, path }: HintContext['operation'], { restore }: HintContext['parameters']) {
  if (!/^\/(?:tasks|folders)\/[^/]+$/.test(path)) return '';
  if (method === 'DELETE') return 'It may be in the recycle bin already.\n';
  const restores = method === 'PUT' && String(restore) === 'true';
  return restores ? 'It may not be in the recycle bin: then there is nothing to restore.\n' : '';
}

/** The command that lists a collection, by the first segment of its path. */
const lists: Readonly<Record<string, string>> = { folders: 'folder list', spaces: 'space list' };

function listHint({ path }: HintContext['operation'], commandLine: HintContext['commandLine']) {
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

/** For a 403; `undefined` if only an administrator can help. Contract: Authentication 9; Task status; Errors. */
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
