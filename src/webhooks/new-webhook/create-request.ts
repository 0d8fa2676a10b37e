// Sends the request that creates a webhook for an account, a folder or a space, and explains a lost response. Records the settings
// of a created webhook, since the service does not show all of them.

import type { Context } from '#cli/context.ts';
import { formatCommand, formatCommandWith } from '#cli/format-command.ts';
import { createRequestFormatter, printDryRun, type RequestFormatter, send } from '#cli/send.ts';
import { prepareRequest } from '#client/request.ts';
import type { Operation } from '#contract/operation.ts';
import type { ArgumentsOf, Parameters } from '#contract/parameter.ts';
import type { Schema } from '#contract/schema.ts';
import { type Webhook, type WebhookStatus, webhookOperations } from '#contract/webhook.ts';
import {
  validateWebhookCreate,
  webhookCreateOperations,
  webhookCreateParameters,
} from '#contract/webhook-create.ts';
import { commandHint, Failure, type Hint, joinHints } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { keyOf } from '../compare-settings.ts';
import type { WebhookSettings } from '../coverage.ts';
import { type Hook, isSameUrl, onlyThisApplication, toHooks } from '../records/hook.ts';
import type { NewWebhook } from './resolve-scope.ts';
import { findSameUrl } from './same-url.ts';

const { customItemTypes, events, parameterisedEvents } = webhookCreateParameters;

/** Without the secret. @throws {ValidationError} for a setting that this version of wm cannot send. */
export function toNewWebhook(hookUrl: string, settings: WebhookSettings): NewWebhook {
  const { scope = {}, recursive, events: named = 'all' } = settings;
  // A request names only what limits the webhook.
  const listed = <T>(list: readonly unknown[] | undefined, schema: Schema<T>) =>
    list?.length ? schema.validate(list) : undefined;
  const webhook = {
    hookUrl,
    ...omitUndefined({
      ...scope,
      recursive: recursive || undefined,
      events: listed(named === 'all' ? [] : named, events.schema),
      parameterisedEvents: listed(settings.parameterisedEvents, parameterisedEvents.schema),
      customItemTypes: listed(settings.customItemTypes, customItemTypes.schema),
    }),
  };
  validateWebhookCreate(webhook);
  return webhook;
}

function withCreateRequest<T>(
  { folderId, spaceId, ...create }: NewWebhook,
  use: <P extends Parameters>(
    operation: Operation<P, Webhook>,
    path: Readonly<Record<string, string>>,
    parameters: ArgumentsOf<P>,
  ) => T,
): T {
  if (folderId !== undefined) return use(webhookCreateOperations.createFolderWebhook, { folderId }, create);
  if (spaceId !== undefined) return use(webhookCreateOperations.createSpaceWebhook, { spaceId }, create);
  const { recursive: _, ...ofAccount } = create;
  return use(webhookCreateOperations.createWebhook, {}, ofAccount);
}

/** In a printed request: the id of the webhook that the one before it creates. */
export const newId = 'NEW_ID';

export type WebhookRequests = ReturnType<typeof requestsWith>;

const requestsWith = (format: RequestFormatter) => ({
  create: (webhook: NewWebhook) => withCreateRequest(webhook, format),
  setStatus: (webhookId: string, status: WebhookStatus) =>
    format(webhookOperations.updateWebhook, { webhookId }, { status }),
  remove: (webhookId: string) => format(webhookOperations.deleteWebhook, { webhookId }, {}),
});

/** For --dry-run and --curl. */
export async function printRequests(
  context: Context,
  toLines: (requests: WebhookRequests) => readonly string[],
): Promise<undefined> {
  const requests = requestsWith(await createRequestFormatter(context));
  await printDryRun(context, toLines(requests), 'nothing was changed');
}

export function validateCreate(webhook: NewWebhook): void {
  withCreateRequest(webhook, (operation, path, parameters) => prepareRequest(operation, path, parameters));
}

/** Like {@link requestCreate}, and records what the webhook was created with. */
export async function sendCreate(
  context: Context,
  webhook: NewWebhook,
  { label, before }: { readonly label?: string | undefined; readonly before?: ReadonlySet<string> } = {},
): Promise<readonly Hook[] | undefined> {
  const hooks = await requestCreate(context, webhook, before);
  const [created] = hooks ?? [];
  if (created) await recordCreated(context, created, webhook, label);
  return hooks;
}

/** The created webhook, in a list; undefined if the request was only printed. `before`: the ids of all webhooks before the request. */
export async function requestCreate(context: Context, webhook: NewWebhook, before?: ReadonlySet<string>) {
  const sent = withCreateRequest(webhook, (operation, path, parameters) =>
    send(context, operation, path, parameters),
  );
  return sent.then(
    (response) => response && toHooks(context, response),
    (error: unknown) => findAfterLoss(context, error, webhook, before),
  );
}

/** Only warns on failure: the webhook exists. */
async function recordCreated(
  context: Context,
  { record: { id, accountId } }: Hook,
  webhook: NewWebhook,
  label: string | undefined,
): Promise<void> {
  const { secret, hookUrl, ...settings } = webhook;
  const at = new Date(context.world.clock.now()).toISOString();
  const records = await context.webhookRecords();
  await records.learn(`what webhook ${id} was created with`, id, (record) => ({
    ...record,
    ...omitUndefined({ accountId, label }),
    created: { at, hookUrl, signed: secret !== undefined, ...omitUndefined(settings) },
  }));
  await records.save();
}

/** The webhooks, new since `before`, that a request with a lost response may have created. */
export function findCreated(
  listed: readonly Hook[],
  before: ReadonlySet<string>,
  { hookUrl, folderId, events = [] }: NewWebhook,
): readonly Hook[] {
  return listed.filter(({ record }) => {
    if (before.has(record.id) || record.folderId !== folderId) return false;
    if (!isSameUrl(record.hookUrl, hookUrl)) return false;
    return record.events === undefined || keyOf(record.events) === keyOf(events);
  });
}

/** After a lost response nothing is sent again. The only new webhook that fits is the created one; otherwise names the webhooks that may be it. */
async function findAfterLoss(
  context: Context,
  error: unknown,
  webhook: NewWebhook,
  before: ReadonlySet<string> | undefined,
): Promise<readonly Hook[]> {
  if (!(error instanceof Failure) || error.code !== 'outcome_unknown') throw error;
  const same = await findSameUrl(context, webhook).catch(() => undefined);
  const found = same && before ? findCreated(same, before, webhook) : [];
  const [created] = found;
  if (created && found.length === 1) {
    await context.report.warn(
      `The response to creating ${webhook.hookUrl} was lost; the service lists the new webhook ${created.record.id}.`,
    );
    return found;
  }
  const candidates = same?.filter(
    ({ record }) => webhook.folderId === undefined || record.folderId === webhook.folderId,
  );
  const message =
    'The outcome of creating the webhook is unknown: the request was sent, but no usable response came';
  const hint = howToFindOut(context, candidates);
  throw new Failure('outcome_unknown', { message, why: error.why, hint, cause: error });
}

/** `candidates`: the webhooks that may be the new one; undefined if the list could not be read. */
function howToFindOut(context: Context, candidates: readonly Hook[] | undefined): Hint {
  if (!candidates)
    return commandHint('Look for it before you retry: ', formatCommand(context, 'webhook list'));
  if (candidates.length === 0)
    return joinHints([
      'No webhook with this URL is listed now: it was not created, unless it appears later.',
      commandHint('Look again before you retry: ', formatCommand(context, 'webhook list')),
      onlyThisApplication,
    ]);
  const listed = candidates
    .map(({ record: { id, status } }) => `${id} (${status ?? 'no status'})`)
    .join(', ');
  const ids = candidates.map(({ record }) => record.id);
  const [subject, object] = ids.length === 1 ? ['This webhook has', 'it'] : ['These webhooks have', 'them'];
  const get = formatCommandWith(context, 'webhook get', ids);
  return joinHints([
    `${subject} this URL, created now or earlier: ${listed}`,
    commandHint(`Check ${object} before you retry: `, get),
  ]);
}
