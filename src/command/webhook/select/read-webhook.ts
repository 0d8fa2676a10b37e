// Reads webhooks: one by its id, or all that the service lists.

import type { ApiResponse, JsonObject } from '../../../client/response.ts';
import { operations } from '../../../contract/operation.ts';
import type { Webhook } from '../../../contract/webhook.ts';
import { type CommandHint, commandHint, Failure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { type FormatContext, formatCommand } from '../../format-command.ts';

/** A webhook, and how the service sent it. */
export interface ReadWebhook {
  readonly record: Webhook;
  readonly raw: JsonObject;
}

/** The service lists webhooks by application. Without this note, a user would think that another application's webhook was deleted. */
export const onlyThisApplication =
  'The service lists only the webhooks that the application of this token created; others may exist.';

export function listAll(given: FormatContext): CommandHint {
  return commandHint('To list them: ', formatCommand(given, 'webhook list'));
}

/**
 * The webhook as it is now.
 * @throws {Failure} `not_found` if there is none.
 */
export async function readWebhook(context: Context, id: string): Promise<ReadWebhook> {
  const session = await context.session();
  const { records, raw } = await session.send(operations.getWebhooks, { webhookIds: id }, {});
  const at = records.findIndex((webhook) => webhook.id === id);
  const [record, sent] = [records[at], raw[at]];
  if (!record || !sent)
    throw new Failure('not_found', { message: `There is no webhook ${id}`, hint: listAll(context) });
  return { record, raw: sent };
}

/** The same; `undefined` if there is none. */
export async function readWebhookIfThere(context: Context, id: string): Promise<ReadWebhook | undefined> {
  return readWebhook(context, id).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'not_found') return undefined;
    throw error;
  });
}

export async function listWebhooks(context: Context): Promise<readonly ReadWebhook[]> {
  const session = await context.session();
  return toReadWebhooks(await session.send(operations.listWebhooks, {}, {}));
}

export function toReadWebhooks({ records, raw }: ApiResponse<Webhook>): readonly ReadWebhook[] {
  return raw.flatMap((sent, index) => {
    const record = records[index];
    return record === undefined ? [] : [{ record, raw: sent }];
  });
}

/** The status as the service wrote it, also one that this version does not know. */
export function statusOf({ raw }: ReadWebhook): string | undefined {
  const { status } = raw;
  return typeof status === 'string' ? status : undefined;
}
