// The seven calls about webhooks. The handshake at their creation is hooks/handshake.ts, the rules of a hookUrl are the
// contract's.

import { checkHookUrl } from '../../contract/hook-url.ts';
import { checkWebhookCreate, type Webhook, type WebhookCreate } from '../../contract/webhook.ts';
import { folderFor } from '../access.ts';
import type { Result } from '../answer.ts';
import { audit } from '../audit.ts';
import { unknownToken } from '../authenticate.ts';
import { handshake } from '../hooks/handshake.ts';
import { randomText } from '../random.ts';
import { checking, invalidParameter, notFound, Refusal } from '../refusal.ts';
import type { Service, Session } from '../service.ts';
import type { StoredWebhook } from '../store.ts';
import { type Calls, idOf } from './call.ts';

function shown({ settings }: Service, hooks: readonly StoredWebhook[]): Result {
  const data = hooks.map((hook): Webhook => {
    const { id, accountId, hookUrl, status, scope, placeId, events, recursive } = hook;
    return {
      id,
      accountId,
      ...(scope === 'folder' && placeId !== undefined ? { folderId: placeId } : {}),
      hookUrl,
      status,
      ...(settings.bare || events === undefined ? {} : { events }),
      ...(settings.bare || scope === 'account' ? {} : { recursive }),
    };
  });
  return { kind: 'webhooks', data };
}

type Place = Pick<StoredWebhook, 'scope' | 'placeId'>;

async function create(
  service: Service,
  session: Session,
  place: Place,
  given: WebhookCreate,
): Promise<Result> {
  const { store, registry, settings, post } = service;
  const { hookUrl, secret, events, parameterisedEvents, customItemTypes, recursive } = given;
  if (hookUrl === undefined) throw new Refusal('parameter_required', "Parameter 'hookUrl' is required");
  checking('hookUrl', () => checkHookUrl(hookUrl, { allowLoopback: settings.allowLocalHooks }));
  checking('parameterisedEvents', () => checkWebhookCreate(given));
  for (const id of (parameterisedEvents ?? []).flatMap(({ customFields }) => customFields ?? [])) {
    if (store.customFields.get(id)?.accountId !== session.account.id) {
      throw invalidParameter('parameterisedEvents', `${id} is not a custom field of this account`);
    }
  }
  for (const id of customItemTypes ?? []) {
    if (store.customItemTypes.get(id)?.accountId !== session.account.id) {
      throw invalidParameter('customItemTypes', `${id} is not a custom item type of this account`);
    }
  }
  if (secret !== undefined) {
    const trouble = await handshake(post, hookUrl, secret);
    if (trouble !== undefined)
      throw invalidParameter('hookUrl', `the secret could not be verified: ${trouble}`);
    // Meanwhile the token may have been revoked, or all that there was have been reset.
    if (store.tokens.get(session.token.id) !== session.token) throw unknownToken();
  }
  const hook: StoredWebhook = {
    id: `${session.account.id}W${randomText(11)}`,
    accountId: session.account.id,
    applicationId: session.application.id,
    authorId: session.user.id,
    ...place,
    hookUrl,
    ...(secret === undefined ? {} : { secret }),
    ...(events === undefined ? {} : { events }),
    ...(parameterisedEvents === undefined ? {} : { parameterisedEvents }),
    ...(customItemTypes === undefined ? {} : { customItemTypes }),
    recursive: recursive ?? false,
    status: 'Active',
  };
  store.webhooks.set(hook.id, hook);
  registry.add(hook);
  audit(service, session.user.id, 'WebhookCreated', 'Webhook', hook.id);
  service.changed();
  return shown(service, [hook]);
}

/** The webhooks of an application, in one account, are what its tokens can reach. */
function mayReach({ application, account }: Session, hook: StoredWebhook): boolean {
  return hook.applicationId === application.id && hook.accountId === account.id;
}

function webhookFor({ store }: Service, session: Session, id: string): StoredWebhook {
  const hook = store.webhooks.get(id);
  if (hook === undefined || !mayReach(session, hook)) throw notFound('Webhook', id);
  return hook;
}

export function removeWebhook({ store, registry, deliveries, changed }: Service, hook: StoredWebhook): void {
  store.webhooks.delete(hook.id);
  registry.remove(hook);
  deliveries.drop(hook.id);
  changed();
}

type WebhookCalls =
  | 'createWebhook'
  | 'createFolderWebhook'
  | 'createSpaceWebhook'
  | 'listWebhooks'
  | 'getWebhooks'
  | 'updateWebhook'
  | 'deleteWebhook';

export const webhookCalls: Pick<Calls, WebhookCalls> = {
  createWebhook: ({ service, session, arguments: given }) =>
    create(service, session, { scope: 'account' }, given),
  createFolderWebhook(call) {
    const { service, session, arguments: given } = call;
    const { id } = folderFor(service.store, session.user, idOf(call, 'folderId'), 'folder');
    return create(service, session, { scope: 'folder', placeId: id }, given);
  },
  createSpaceWebhook(call) {
    const { service, session, arguments: given } = call;
    const { id } = folderFor(service.store, session.user, idOf(call, 'spaceId'), 'space');
    return create(service, session, { scope: 'space', placeId: id }, given);
  },
  listWebhooks({ service, session }) {
    return shown(
      service,
      [...service.store.webhooks.values()].filter((hook) => mayReach(session, hook)),
    );
  },
  getWebhooks({ service, session, ids }) {
    return shown(
      service,
      (ids.get('webhookIds') ?? []).map((id) => webhookFor(service, session, id)),
    );
  },
  updateWebhook(call) {
    const { service, session, arguments: given } = call;
    const hook = webhookFor(service, session, idOf(call, 'webhookId'));
    if (given.status !== undefined) hook.status = given.status;
    audit(service, session.user.id, 'WebhookUpdated', 'Webhook', hook.id);
    if (hook.status === 'Suspended') service.deliveries.drop(hook.id);
    service.changed();
    return shown(service, [hook]);
  },
  deleteWebhook(call) {
    const hook = webhookFor(call.service, call.session, idOf(call, 'webhookId'));
    removeWebhook(call.service, hook);
    audit(call.service, call.session.user.id, 'WebhookDeleted', 'Webhook', hook.id);
    return { kind: 'webhooks', data: [] };
  },
};
