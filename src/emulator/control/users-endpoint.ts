// What an administrator or the console would do: change, deny or remove users, and issue and revoke tokens.

import {
  boolean,
  choice,
  formatValue,
  list,
  object,
  optional,
  text,
  ValidationError,
} from '#contract/schema.ts';
import { scopes } from '#contract/scope.ts';
import { removeWebhook } from '../endpoints/webhooks.ts';
import { ErrorResponse, invalidParameter, notFound } from '../http/error-response.ts';
import { issuePermanentToken, revokeTokens } from '../oauth/tokens.ts';
import { sampleApplications } from '../state/sample-ids.ts';
import type { Store, Token, User } from '../state/store.ts';
import type { ControlRequest } from './control-request.ts';

function requireUser(store: Store, id: string): User {
  const user = store.users.get(id);
  if (user === undefined) throw notFound('User', id, 'emulator');
  return user;
}

export function listUsers({ service: { store } }: ControlRequest) {
  return { users: [...store.users.values()] };
}

const userSchema = object('user', {
  licence: optional(choice('licence', ['full', 'lowest'])),
  /** False: deactivated, as by a revocation of that cause. */
  active: optional(boolean),
  /** Tasks and folders that the user may not see. */
  denied: optional(list(text('id'))),
});

export function changeUser({ service, body, id }: ControlRequest) {
  const user = requireUser(service.store, id);
  const { licence, active, denied } = userSchema.validate(body);
  // A misspelled id would deny nothing, and a test would continue with all the access there is.
  for (const one of denied ?? [])
    if (!service.store.tasks.has(one) && !service.store.folders.has(one))
      throw new ValidationError(formatValue(one), 'is the id of no task, folder or space');
  if (licence !== undefined) user.licence = licence;
  if (denied !== undefined) user.denied = denied;
  if (active !== undefined) user.deactivated = !active;
  if (active === false) revokeTokens(service, ({ userId }) => userId === id);
  service.scheduleSave();
  return { users: [user] };
}

/** Removes the user from the account: their webhooks are deleted, and their tokens revoked. */
export function removeUser({ service, id }: ControlRequest) {
  const user = requireUser(service.store, id);
  user.deleted = true;
  const webhooks = [...service.store.webhooks.values()].filter(({ authorId }) => authorId === id);
  for (const webhook of webhooks) removeWebhook(service, webhook);
  const tokens = revokeTokens(service, ({ userId }) => userId === id);
  return { removed: id, webhooks: webhooks.length, tokens };
}

/** Lists only the sample's tokens. Other tokens are known to the client that requested them. */
export function listTokens({ service: { store } }: ControlRequest) {
  const ofSample = [...store.tokens.values()].filter(({ sample }) => sample !== undefined);
  return {
    tokens: ofSample.map(({ id, sample, use, userId, applicationId }) => ({
      name: sample,
      token: id,
      kind: use === 'access' ? 'permanent' : `refresh token of ${use}`,
      userId,
      applicationId,
    })),
  };
}

const tokenSchema = object('token', {
  userId: text('UserId'),
  applicationId: optional(text('application')),
  scopes: optional(list(choice('scope', scopes))),
});

export function createToken({ service, body }: ControlRequest) {
  const {
    userId,
    applicationId = sampleApplications.ready.id,
    // A permanent token has all scopes.
    scopes: granted = scopes,
  } = tokenSchema.validate(body);
  requireUser(service.store, userId);
  if (!service.store.applications.has(applicationId))
    throw notFound('Application', applicationId, 'emulator');
  return { token: issuePermanentToken(service, { userId, applicationId, scopes: granted }) };
}

/** Causes of a revocation: of all tokens of a user or of an account, or of one token. */
const causes = [
  'user-revokes',
  'password-reset',
  'user-deactivated',
  'administrator-signs-in',
  'password-policy-changed',
] as const;

const revocationSchema = object('revocation', {
  cause: choice('cause', causes),
  userId: optional(text('UserId')),
  accountId: optional(text('AccountId')),
  token: optional(text('token')),
});

function deactivate(store: Store, id: string | undefined): void {
  const user = id === undefined ? undefined : store.users.get(id);
  if (user !== undefined) user.deactivated = true;
}

export function revokeTokensFor({ service, body }: ControlRequest) {
  const { cause, userId, accountId, token } = revocationSchema.validate(body);
  const ofAccount = cause === 'password-policy-changed';
  if (ofAccount ? accountId === undefined : userId === undefined && token === undefined) {
    throw invalidParameter(
      'cause',
      `${cause} needs ${ofAccount ? 'an accountId' : 'a userId or a token'}`,
      'emulator',
    );
  }
  // A misspelled id would revoke nothing, and a test would continue with a valid token.
  if (userId !== undefined) requireUser(service.store, userId);
  if (ofAccount && accountId !== undefined && !service.store.accounts.has(accountId))
    throw notFound('Account', accountId, 'emulator');
  if (token !== undefined && !service.store.tokens.has(token))
    throw new ErrorResponse('resource_not_found', 'The token was not found', 'emulator');
  const fits = (one: Token) => {
    if (ofAccount) return service.store.users.get(one.userId)?.accountId === accountId;
    return token === undefined ? one.userId === userId : one.id === token;
  };
  if (cause === 'user-deactivated')
    deactivate(service.store, userId ?? service.store.tokens.get(token ?? '')?.userId);
  return { revoked: revokeTokens(service, fits) };
}
