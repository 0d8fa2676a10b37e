// Does what an administrator or the service's console would: changes and removes users, and issues and revokes tokens.

import { revocationCauses } from '#contract/authorization.ts';
import { boolean, choice, invalidValue, list, object, optional, text } from '#contract/schema.ts';
import { scopes } from '#contract/scope.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { randomText } from '#random-values.ts';
import { removeWebhook } from '../endpoints/webhooks.ts';
import { ErrorResponse, invalidParameter } from '../http/error-response.ts';
import { revokeTokens } from '../oauth/tokens.ts';
import type { ControlRequest } from '../service/service.ts';
import { requireRecord } from '../state/access.ts';
import { sampleApplications } from '../state/sample-ids.ts';
import type { Store, Token, User } from '../state/store.ts';

const requireUser = ({ users }: Store, id: string): User => requireRecord(users, 'User', id, 'emulator');

const userSchema = object('user', {
  licence: optional(choice('licence', ['full', 'lowest'])),
  /** False deactivates the user, like a revocation with that cause. */
  active: optional(boolean),
  /** Ids of tasks and folders that the user may not see. */
  denied: optional(list(text('id'))),
});

export function changeUser({ service, body, id }: ControlRequest) {
  const user = requireUser(service.store, id);
  const { licence, active, denied } = userSchema.validate(body);
  // A misspelt id would deny nothing, and a test would continue with full access.
  for (const deniedId of denied ?? [])
    if (!service.store.tasks.has(deniedId) && !service.store.folders.has(deniedId))
      throw invalidValue(deniedId, 'is not the id of a task, folder or space');
  const deactivated = active === undefined ? undefined : !active;
  const changed = { ...user, ...omitUndefined({ licence, denied, deactivated }) };
  service.store.users.set(id, changed);
  if (deactivated) revokeTokens(service, ({ userId }) => userId === id);
  return { users: [changed] as const };
}

export function removeUser({ service, id }: ControlRequest) {
  service.store.users.set(id, { ...requireUser(service.store, id), deleted: true });
  const webhooks = [...service.store.webhooks.values()].filter(({ authorId }) => authorId === id);
  for (const webhook of webhooks) removeWebhook(service, webhook);
  const tokens = revokeTokens(service, ({ userId }) => userId === id);
  return { removed: id, webhooks: webhooks.length, tokens };
}

/** Lists only the sample's tokens: a client knows the other tokens, which it requested. */
export function listTokens({ service: { store } }: ControlRequest) {
  const sampleTokens = [...store.tokens.values()].filter(({ sample }) => sample !== undefined);
  return {
    tokens: sampleTokens.map(({ id, sample, use, userId, applicationId }) => ({
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
  requireRecord(service.store.applications, 'Application', applicationId, 'emulator');
  // It never expires, like those of the service's console.
  const token: Token = { userId, applicationId, scopes: granted, id: randomText(service, 80), use: 'access' };
  service.store.tokens.set(token.id, token);
  return { token: token.id };
}

const revocationSchema = object('revocation', {
  cause: choice('cause', revocationCauses),
  userId: optional(text('UserId')),
  accountId: optional(text('AccountId')),
  token: optional(text('token')),
});

export function revokeTokensFor({ service, body }: ControlRequest) {
  const { cause, userId, accountId, token } = revocationSchema.validate(body);
  const { store } = service;
  const isForAccount = cause === 'password-policy-changed';
  const needed = isForAccount ? 'an accountId' : 'a userId or a token';
  if (isForAccount ? accountId === undefined : userId === undefined && token === undefined)
    throw invalidParameter('cause', `${cause} needs ${needed}`, 'emulator');
  // A misspelt id would revoke nothing, and a test would continue with a valid token.
  if (userId !== undefined) requireUser(store, userId);
  if (isForAccount && accountId !== undefined)
    requireRecord(store.accounts, 'Account', accountId, 'emulator');
  if (token !== undefined && !store.tokens.has(token))
    throw new ErrorResponse('resource_not_found', 'The token was not found', 'emulator');
  const user = store.users.get(userId ?? store.tokens.get(token ?? '')?.userId ?? '');
  const isDeactivated = cause === 'user-deactivated';
  const isRevoked = (candidate: Token) => {
    if (isForAccount) return store.users.get(candidate.userId)?.accountId === accountId;
    return token === undefined || isDeactivated ? candidate.userId === user?.id : candidate.id === token;
  };
  if (isDeactivated && user !== undefined) store.users.set(user.id, { ...user, deactivated: true });
  return { revoked: revokeTokens(service, isRevoked) };
}
