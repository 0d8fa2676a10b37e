// Records what a webhook was created with, since the service does not show all of it.

import type { WebhookCreate } from '../../../contract/webhook.ts';
import { Failure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import type { CreatedAs } from './local-webhook.ts';
import { changeLocalWebhooks } from './local-webhooks.ts';

export interface Creation {
  readonly create: WebhookCreate;
  readonly folderId?: string | undefined;
  readonly spaceId?: string | undefined;
  /** The user's own name for it. */
  readonly label?: string | undefined;
}

/** Warns if it cannot be recorded: the webhook exists all the same. */
export async function recordCreated(
  context: Pick<Context, 'world' | 'account' | 'report'>,
  id: string,
  { create, folderId, spaceId, label }: Creation,
): Promise<void> {
  const { secret, hookUrl, events, recursive, parameterisedEvents, customItemTypes } = create;
  const created: CreatedAs = {
    at: new Date(context.world.clock.now()).toISOString(),
    hookUrl: hookUrl ?? '',
    signed: secret !== undefined,
    ...(folderId === undefined ? {} : { folderId }),
    ...(spaceId === undefined ? {} : { spaceId }),
    ...(recursive === undefined ? {} : { recursive }),
    ...(events === undefined ? {} : { events }),
    ...(parameterisedEvents === undefined ? {} : { parameterisedEvents }),
    ...(customItemTypes === undefined ? {} : { customItemTypes }),
  };
  try {
    await changeLocalWebhooks(context, [id], (known) => ({
      ...known,
      ...(label === undefined ? {} : { label }),
      created,
    }));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await context.report.warn(`Cannot record what webhook ${id} was created with: ${error.sentence}`);
  }
}
