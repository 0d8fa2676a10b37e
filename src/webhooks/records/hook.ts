// Reads webhooks and names them in messages: by URL or id, with the label.

import type { Context } from '#cli/context.ts';
import { type FormatContext, formatCommand } from '#cli/format-command.ts';
import { onlyRecord, urlKey } from '#client/expected-records.ts';
import { type ApiResponse, isNotFound } from '#client/response.ts';
import type { JsonObject } from '#contract/json.ts';
import { type Webhook, webhookOperations } from '#contract/webhook.ts';
import { type CommandHint, commandHint, Failure, type Hint } from '#failure.ts';
import type { WebhookState } from '#local-records/history/history-log.ts';
import { isCurrentNote, type LocalWebhook, type LocalWebhooks } from '#local-records/local-webhook.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';

export interface Hook {
  /** The service's record; only the id if it was not read. */
  readonly record: Webhook;
  /** As the service sent it. */
  readonly raw?: JsonObject;
  readonly local?: LocalWebhook | undefined;
}

/** The note only if it is about the present suspension. */
export function stateOf({ record: { status }, local }: Hook): WebhookState {
  const { label, note } = local ?? {};
  return omitUndefined({ status, label, note: isCurrentNote({ ...local }, status) ? note : undefined });
}

export const namedHook = (id: string, all: LocalWebhooks): Hook => ({ record: { id }, local: all.get(id) });

/** Without this note, a user would think that another application's webhook was deleted. */
export const onlyThisApplication = "Only webhooks created by this token's application are listed.";

export function listAll(context: FormatContext): CommandHint {
  return commandHint('To list them: ', formatCommand(context, 'webhook list'));
}

export async function readHook(context: Context, id: string): Promise<Hook> {
  const session = await context.session();
  const response = await session
    .send(webhookOperations.getWebhooks, { webhookIds: id }, {})
    .catch(async (error: unknown) => {
      if (!(error instanceof Failure && isNotFound(error))) throw error;
      const hook = namedHook(id, await (await context.webhookRecords()).read());
      throw hook.local ? withHookName(error, hook) : error;
    });
  return onlyRecord({ records: await toHooks(context, response) });
}

/** Like {@link readHook}; `undefined` if the webhook does not exist. */
export async function readHookIfThere(context: Context, id: string): Promise<Hook | undefined> {
  return readHook(context, id).catch((error: unknown) => {
    if (error instanceof Failure && isNotFound(error)) return undefined;
    throw error;
  });
}

export type HookList = Awaited<ReturnType<typeof listHooks>>;

export async function listHooks(context: Context, timeoutMs?: number) {
  const session = await context.session();
  return toHookList(context, await session.send(webhookOperations.listWebhooks, {}, {}, timeoutMs));
}

/** `isComplete`: false if the service listed only some webhooks. `withoutId`: the webhooks that wm cannot change; warns of them. */
export async function toHookList(context: Context, response: ApiResponse<Webhook>) {
  const all = await toHooks(context, response);
  const withoutId = all.filter(({ record }) => record.id === '');
  const hooks = all.filter(({ record }) => record.id !== '');
  for (const hook of withoutId) await context.report.warnOnce(`${whyNoId(hook)}: wm cannot change it.`);
  return { all, hooks, withoutId, isComplete: response.nextPageToken === undefined };
}

export function whyNoId(hook: Hook): string {
  return sanitizeLine(`The service shows no id of the webhook ${urlOf(hook) ?? 'without a URL'}`);
}

/** Throws if the service lists only some webhooks. `purpose`: what needs all of them; `isToAct`: all that have an id. */
export async function listAllHooks(
  context: Context,
  purpose?: string,
  options: { readonly hint?: Hint; readonly timeoutMs?: number; readonly isToAct?: boolean } = {},
): Promise<readonly Hook[]> {
  const { hooks, withoutId, isComplete } = await listHooks(context, options.timeoutMs);
  const [first] = options.isToAct ? [] : withoutId;
  if (first || !isComplete) throw incompleteList(purpose, options.hint, first && whyNoId(first));
  return hooks;
}

const whyIncomplete = 'the service returned it in pages, which its contract does not document';

export async function warnIfIncomplete({ report }: Context, list: { readonly isComplete: boolean }) {
  if (!list.isComplete) await report.warnOnce(`The list is not complete: ${whyIncomplete}.`);
}

export function incompleteList(purpose?: string, hint?: Hint, why = whyIncomplete): Failure {
  const consequence = purpose === undefined ? '' : `, so wm cannot ${purpose}`;
  const message = `The list of webhooks is not complete${consequence}`;
  return new Failure('bad_response', { message, why, hint });
}

export async function toHooks(context: Context, { records, raw }: ApiResponse<Webhook>) {
  const local = await (await context.webhookRecords()).read();
  return raw.flatMap((sent, index) => {
    const record = records[index];
    return record === undefined ? [] : [{ record, raw: sent, local: local.get(record.id) }];
  });
}

/** Leaves out records that are known to belong to another account. */
export function ofAccount(all: LocalWebhooks, accountId: string | undefined): LocalWebhooks {
  if (accountId === undefined) return all;
  return new Map([...all].filter(([, local]) => (local.accountId ?? accountId) === accountId));
}

export function urlKeyOf({ record: { hookUrl } }: Hook): string | undefined {
  return hookUrl === undefined ? undefined : urlKey(hookUrl);
}

export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Those without a URL are together too, under an empty one. */
export function groupByUrl(hooks: readonly Hook[]): ReadonlyMap<string, readonly Hook[]> {
  return groupBy(hooks, (hook) => urlKeyOf(hook) ?? '');
}

export function isSameUrl(url: string | undefined, otherUrl: string): boolean {
  return url !== undefined && urlKey(url) === urlKey(otherUrl);
}

export function hostOf({ record: { hookUrl } }: Hook): string | undefined {
  return hookUrl !== undefined && URL.canParse(hookUrl) ? new URL(hookUrl).host : undefined;
}

/** The service's URL; otherwise the one that this machine recorded. */
function urlOf({ record, local }: Hook): string | undefined {
  return record.hookUrl ?? (local?.created?.hookUrl || local?.observed?.url);
}

const quotedLabel = ({ local }: Hook) => (local?.label === undefined ? undefined : `'${local.label}'`);

/** `https://hooks.example.com/billing (ID, 'billing sync')`, with its label; without a URL `webhook ID`. One line, whatever was sent. */
export function describeHook(hook: Hook): string {
  const { id } = hook.record;
  const [url, label] = [urlOf(hook), quotedLabel(hook)];
  if (url === undefined) return `webhook ${id}${label === undefined ? '' : ` (${label})`}`;
  return `${sanitizeLine(url)} (${label === undefined ? id : `${id}, ${label}`})`;
}

/** `Webhook IEAAAAAQJAAAAAAB (https://hooks.example.com/billing, 'billing sync')`, in errors. */
export function hookSubject(hook: Hook): string {
  const names = [urlOf(hook), quotedLabel(hook)].filter((name) => name !== undefined);
  return `Webhook ${hook.record.id}${names.length === 0 ? '' : ` (${names.join(', ')})`}`;
}

export const hasName = (hook: Hook): boolean => (urlOf(hook) ?? quotedLabel(hook)) !== undefined;

/** Adds the webhook's name, and of a missing one when wm last saw it: a reader at night does not know the id. */
export function withHookName(failure: Failure, hook: Hook): Failure {
  const subject = hookSubject(hook);
  if (failure.message.includes(hasName(hook) ? subject : hook.record.id)) return failure;
  const { status, seen } = (isNotFound(failure) && hook.local?.observed) || {};
  const last = seen === undefined ? [] : [`this machine last saw it at ${seen}: ${status}`];
  const why = [failure.why ?? [], last].flat().join('; ');
  return failure.with({ message: `${subject}: ${failure.message}`, why });
}
