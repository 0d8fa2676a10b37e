// Which of the causes of a 403 the hint names, by the operation, what was to change, and the scopes of the sign-in.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forbiddenHint as createHint, type SignIn } from '#client/response-hint.ts';
import type { Operation } from '#contract/operation.ts';
import { hintText } from '#failure.ts';

function forbiddenHint(...args: Parameters<typeof createHint>): string | undefined {
  const hint = createHint(...args);
  return hint === undefined ? undefined : hintText(hint);
}

const reads: Pick<Operation, 'scopes' | 'method'> = { method: 'GET', scopes: ['Default', 'wsReadOnly'] };
const writes: Pick<Operation, 'scopes' | 'method'> = { method: 'PUT', scopes: ['Default', 'wsReadWrite'] };
const notAllowed = { errorCode: 'not_allowed' };
const accessForbidden = { errorCode: 'access_forbidden' };
const signIn = (scopes: SignIn['scopes']): SignIn => ({ scopes, command: 'wm login --profile work' });
const quota = 'A licence or a quota of the account does not allow it; ask an administrator.';
const licence = (what: string) =>
  `The licence may not include ${what}. The lowest one allows only Active; an administrator can change it.`;

const rows: readonly (readonly [string, string | undefined, string | undefined])[] = [
  [
    'a scope that the sign-in lacks: the narrowest of those that are enough',
    forbiddenHint(writes, {}, accessForbidden, signIn(['wsReadOnly'])),
    'This needs one of the scopes Default, wsReadWrite; your sign-in has wsReadOnly.\n' +
      'Sign in again with more: wm login --profile work --scope wsReadOnly,wsReadWrite',
  ],
  [
    'only the default scope is enough',
    forbiddenHint({ ...reads, scopes: ['Default'] }, {}, notAllowed, signIn(['amReadOnlyUser'])),
    'This needs one of the scopes Default; your sign-in has amReadOnlyUser.\n' +
      'Sign in again with more: wm login --profile work --scope amReadOnlyUser,Default',
  ],
  [
    'no scopes requested: the default scope',
    forbiddenHint(writes, {}, accessForbidden, signIn(undefined)),
    undefined,
  ],
  ['a permanent token lacks no scope', forbiddenHint(writes, {}, accessForbidden, undefined), undefined],
  [
    'a status that needs a licence',
    forbiddenHint(writes, { status: 'Deferred' }, notAllowed, undefined),
    licence('setting the status Deferred'),
  ],
  [
    'a custom status',
    forbiddenHint(writes, { customStatus: 'IEAAAAAQJMAAAAAA' }, notAllowed, undefined),
    licence('setting this custom status'),
  ],
  [
    'the status of every licence, with a custom status',
    forbiddenHint(writes, { status: 'Active', customStatus: 'IEAAAAAQJMAAAAAA' }, notAllowed, undefined),
    licence('setting this custom status'),
  ],
  ['the status of every licence', forbiddenHint(writes, { status: 'Active' }, notAllowed, undefined), quota],
  ['another change', forbiddenHint(writes, { title: 'x' }, notAllowed, undefined), quota],
  [
    'a parameter called status that sets none',
    forbiddenHint(reads, { status: 'Deferred' }, notAllowed, undefined),
    quota,
  ],
];

for (const [name, hint, expected] of rows) test(name, () => assert.equal(hint, expected));
