// Records the settings of a created webhook, since the service does not show all of them.

import type { Context } from '#cli/context.ts';
import type { CreatedAs } from '#cli/local-webhook.ts';
import type { Webhook, WebhookCreate } from '#contract/webhook.ts';
import { omitUndefined } from '#omit-undefined.ts';

export interface Creation {
  readonly create: WebhookCreate;
  readonly folderId?: string | undefined;
  readonly spaceId?: string | undefined;
  readonly label?: string | undefined;
}

/** Only warns on failure: the webhook exists. */
export async function recordCreated(
  context: Context,
  { id, accountId }: Pick<Webhook, 'id' | 'accountId'>,
  { create, folderId, spaceId, label }: Creation,
): Promise<void> {
  const { secret, hookUrl, events, recursive, parameterisedEvents, customItemTypes } = create;
  const created: CreatedAs = {
    at: new Date(context.world.clock.now()).toISOString(),
    hookUrl: hookUrl ?? '',
    signed: secret !== undefined,
    ...omitUndefined({ folderId, spaceId, recursive, events, parameterisedEvents, customItemTypes }),
  };
  const records = await context.webhookRecords();
  await records.learn({
    what: `what webhook ${id} was created with`,
    ids: [id],
    change: (record) => ({ ...record, ...omitUndefined({ accountId, label }), created }),
  });
  await records.save();
}
