// The endpoints of webhooks, and the handshake for a webhook with a secret. The contract has the rules for a hookUrl.

import {
  classifyDeliveryResponse,
  deliveryHeaders,
  handshakeField,
  handshakeText,
} from '#contract/delivery.ts';
import { events as rows } from '#contract/event.ts';
import { validateHookUrl } from '#contract/hook-url.ts';
import { sign, verify } from '#contract/signature.ts';
import { validateWebhookCreate, webhookCreateParameters } from '#contract/webhook-create.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { randomText } from '#random-values.ts';
import { invalidParameter, notFound, validateParameter } from '../http/error-response.ts';
import type { ApiResult } from '../http/response.ts';
import { recordAudit } from '../service/audit.ts';
import { invalidToken } from '../service/authenticate.ts';
import type { Service } from '../service/service.ts';
import { placeIdOf, requireEntry, requireRecord } from '../state/access.ts';
import type { StoredWebhook } from '../state/store.ts';
import { type EndpointRequest, type Handlers, idOf, placeOf, type RequestOf, readEach } from './endpoint.ts';

function webhookResult({ service, assume }: EndpointRequest, webhooks: readonly StoredWebhook[]): ApiResult {
  const data = webhooks.map((webhook) => {
    const { id, accountId, folderId, spaceId, hookUrl, status, events } = webhook;
    const recursive = placeIdOf(webhook) === undefined ? undefined : webhook.recursive;
    if (service.settings.mode !== 'bare' && (events ?? recursive) !== undefined) assume('webhook-record');
    if (spaceId !== undefined) assume('space-webhook-folder');
    return omitUndefined({ id, accountId, folderId, hookUrl, status, events, recursive });
  });
  return { data };
}

const create: Handlers['createFolderWebhook'] = async (request) => {
  // Throws if the user may not see it.
  placeOf(request);
  const { folderId, spaceId }: Readonly<Record<string, string>> = Object.fromEntries(request.ids.single);
  const { service, token, store, user, account, assume } = request;
  const { settings } = service;
  const { hookUrl, secret, events, parameterisedEvents, customItemTypes, recursive } = request.arguments;
  validateParameter('hookUrl', () => validateHookUrl(hookUrl, { allowLoopback: settings.allowLocalHooks }));
  validateParameter('parameterisedEvents', () => validateWebhookCreate(request.arguments));
  const fieldIds = (parameterisedEvents ?? []).flatMap(({ customFields }) => customFields ?? []);
  const references = [
    ['parameterisedEvents', 'custom field', store.customFields, fieldIds],
    ['customItemTypes', 'custom item type', store.customItemTypes, customItemTypes ?? []],
  ] as const;
  for (const [parameter, kind, records, ids] of references)
    for (const id of ids)
      if (records.get(id)?.accountId !== account.id)
        throw invalidParameter(parameter, `${id} is not a ${kind} of this account`, 'unknown-custom-field');
  if (secret !== undefined) {
    assume('handshake-body');
    const problem = await handshake(service, hookUrl, secret);
    if (problem !== undefined)
      throw invalidParameter('hookUrl', `could not verify the secret: ${problem}`, 'handshake-failure');
    // The token may have been revoked meanwhile, or the emulator reset.
    if (store.tokens.get(token.id) !== token) throw invalidToken();
  }
  if (events === undefined && parameterisedEvents !== undefined) assume('parameterised-events-alone');
  const fields = (parameterisedEvents ?? []).flatMap((entry) => entry.fields ?? []);
  if (fields.includes('recurrence')) assume('recurrence-field');
  if (fields.includes('dates') || fields.includes('project')) assume('payload-field-members');
  if (isIdle(request)) assume('idle-webhook');
  if ([...store.webhooks.values()].some((webhook) => webhook.hookUrl === hookUrl)) assume('same-hook-url');
  const webhook: StoredWebhook = {
    id: `${account.id}W${randomText(service, 11)}`,
    accountId: account.id,
    applicationId: token.applicationId,
    authorId: user.id,
    hookUrl,
    ...omitUndefined({ secret, events, parameterisedEvents, customItemTypes, folderId, spaceId }),
    recursive: recursive ?? webhookCreateParameters.recursive.default,
    status: 'Active',
  };
  store.webhooks.set(webhook.id, webhook);
  recordAudit(service, user.id, 'WebhookCreated', 'Webhook', webhook.id, webhook.hookUrl);
  return webhookResult(request, [webhook]);
};

const subjectsByType = { Task: ['task', 'workItem'], Project: ['project', 'folder', 'workItem'] } as const;

/** True if no item of these types can have one of these events. */
function isIdle({ store, arguments: create }: RequestOf<'createWebhook'>): boolean {
  const { customItemTypes, events = [], parameterisedEvents = [] } = create;
  const names = [...events, ...parameterisedEvents.map(({ event }) => event)];
  const types = (customItemTypes ?? []).map((id) => requireEntry(store.customItemTypes, id).relatedType);
  const subjects: readonly string[] = types.flatMap((type) => subjectsByType[type]);
  return names.length > 0 && types.length > 0 && !names.some((name) => subjects.includes(rows[name].subject));
}

/** A token has access to the webhooks of its application in its account. */
const belongsTo = ({ token, account }: EndpointRequest, webhook: StoredWebhook): boolean =>
  webhook.applicationId === token.applicationId && webhook.accountId === account.id;

function requireWebhook(caller: EndpointRequest, id: string): StoredWebhook {
  const webhook = requireRecord(caller.store.webhooks, 'Webhook', id);
  if (!belongsTo(caller, webhook)) throw notFound('Webhook', id, 'foreign-webhook');
  return webhook;
}

export function removeWebhook({ store, deliveries }: Service, { id }: StoredWebhook): void {
  store.webhooks.delete(id);
  deliveries.drop(id);
}

export const webhookHandlers = {
  createWebhook: create,
  createFolderWebhook: create,
  createSpaceWebhook: create,
  listWebhooks(request) {
    const own = [...request.store.webhooks.values()].filter((webhook) => belongsTo(request, webhook));
    return webhookResult(request, own);
  },
  getWebhooks: (request) =>
    webhookResult(request, readEach(request, (id) => requireWebhook(request, id)).data),
  updateWebhook(request) {
    const { service, store, user } = request;
    const before = requireWebhook(request, idOf(request, 'webhookId'));
    const webhook = { ...before, status: request.arguments.status };
    store.webhooks.set(webhook.id, webhook);
    recordAudit(service, user.id, 'WebhookUpdated', 'Webhook', webhook.id, webhook.hookUrl);
    if (webhook.status === 'Suspended') service.deliveries.drop(webhook.id);
    return webhookResult(request, [webhook]);
  },
  deleteWebhook(request) {
    const webhook = requireWebhook(request, idOf(request, 'webhookId'));
    removeWebhook(request.service, webhook);
    recordAudit(request.service, request.user.id, 'WebhookDeleted', 'Webhook', webhook.id, webhook.hookUrl);
    return { data: [] };
  },
} satisfies Partial<Handlers>;

/** Why it failed; undefined if it succeeded. */
async function handshake(service: Service, hookUrl: string, secret: string) {
  const body = JSON.stringify({ [handshakeField]: handshakeText });
  const challenge = randomText(service, 32);
  const response = await service.sendToReceiver(
    hookUrl,
    { [deliveryHeaders.secret]: challenge, [deliveryHeaders.signature]: sign(secret, body) },
    body,
  );
  if ('fault' in response) return `the receiver could not be reached (${response.fault})`;
  if (classifyDeliveryResponse(response.status) !== 'delivered')
    return `the receiver responded with ${response.status}`;
  const proof = response.headers[deliveryHeaders.secret.toLowerCase()];
  if (proof === undefined) return `the receiver's response has no ${deliveryHeaders.secret}`;
  return verify(secret, challenge, proof) ? undefined : `the receiver's ${deliveryHeaders.secret} is wrong`;
}
