// The messages of `webhook listen` about its URL and its webhook, each with what the user can do.

import { type FormatContext, formatCommandWith } from '../../../format-command.ts';
import { describeWebhook } from '../../change/confirm.ts';
import type { ReadWebhook } from '../../select/read-webhook.ts';
import { leadsTo } from './suspend-unreachable.ts';

/** Undefined if the webhook delivers to the URL. */
export function describeOtherUrl(
  given: FormatContext,
  { record: { id, hookUrl } }: ReadWebhook,
  url: string,
): string | undefined {
  if (hookUrl === undefined || leadsTo(hookUrl, url)) return undefined;
  return `Webhook ${id} delivers to ${hookUrl}, and this receiver is reached at ${url}.\nThe URL of a webhook cannot be changed. To create one for this URL: ${formatCommandWith(given, 'webhook create', [url])}`;
}

/** After a restart of the tunnel. */
export function describeNewUrl(
  given: FormatContext,
  { last, url }: { readonly last: string; readonly url: string },
  webhook: ReadWebhook | undefined,
): string {
  const says = `The tunnel has a new URL: ${url}. The old one, ${last}, no longer works.`;
  const create = `To create a webhook for the new URL: ${formatCommandWith(given, 'webhook create', [url])}`;
  if (!webhook) return `${says}\nThe URL of a webhook cannot be changed. ${create}`;
  const { record } = webhook;
  const name = describeWebhook({ id: record.id, record });
  return `${says}\n${name} still delivers there, and its URL cannot be changed. ${create}\nThen delete the other: ${formatCommandWith(given, 'webhook delete', [record.id])}`;
}

export function describeStaysSuspended(given: FormatContext, { record: { id } }: ReadWebhook): string {
  return `Webhook ${id} stays suspended: the way in does not work.\nTo resume it: ${formatCommandWith(given, 'webhook resume', [id])}`;
}

/** Where neither a URL nor a tunnel is given. */
export function howToReach({ host, port }: { readonly host: string; readonly port: number }): string {
  const at = `${host.includes(':') ? `[${host}]` : host}:`;
  return [
    `Only this machine can reach it. From outside: \`--tunnel 'cloudflared tunnel --url http://${at}{port}'\`,`,
    `or let a proxy forward to ${at}${port} and give its URL: --public-url URL. With --create, wm creates the webhook.`,
  ].join('\n');
}
