// Finds webhooks that already deliver to a URL. Two may be intended, as for two folders; more often a script ran twice,
// and every event would be delivered twice.

import { operations } from '../../../contract/operation.ts';
import type { Webhook, WebhookCreate } from '../../../contract/webhook.ts';
import type { Context } from '../../context.ts';
import { scopeOf } from '../display/coverage.ts';
import { assertComplete, type Hook, toHooks } from '../hook.ts';
import { isSameUrl } from '../select/match.ts';

/** What is asked for, as far as a record tells the same of a webhook. */
export interface WantedWebhook extends Pick<WebhookCreate, 'events' | 'recursive'> {
  readonly hookUrl: string;
  readonly folderId?: string | undefined;
}

/** Those with this hookUrl, the one most like what is wanted first. Throws a Failure where the list cannot be had. */
export async function findSameUrl(context: Context, wanted: WantedWebhook): Promise<readonly Hook[]> {
  const session = await context.session();
  const response = await session.send(operations.listWebhooks, {}, {});
  const same = (await toHooks(context, response))
    .filter(({ record }) => record.hookUrl !== undefined && isSameUrl(record.hookUrl, wanted.hookUrl))
    .sort(
      (a, b) => describeDifferences(a.record, wanted).length - describeDifferences(b.record, wanted).length,
    );
  if (same.length === 0) assertComplete(response);
  return same;
}

/** In what a webhook differs from what is wanted, a phrase each. What the record does not tell is not compared. */
export function describeDifferences(webhook: Webhook, wanted: WantedWebhook): readonly string[] {
  const asFolder = webhook.folderId === wanted.folderId;
  const asDeep =
    !asFolder ||
    webhook.folderId === undefined ||
    webhook.recursive === undefined ||
    webhook.recursive === (wanted.recursive ?? false);
  const events = webhook.events?.toSorted().join(', ');
  return [
    ...(webhook.status === 'Suspended' ? ['it is Suspended'] : []),
    ...(asFolder && asDeep ? [] : [`it covers ${scopeOf(webhook)}`]),
    ...(events === undefined || events === wanted.events?.toSorted().join(', ')
      ? []
      : [`it delivers ${events}`]),
  ];
}
