// A rotation under way, as the steps hand it on, and the command that continues it.

import {
  validateWebhookCreate,
  type WebhookCreate,
  webhookCreateParameters,
} from '../../../contract/webhook.ts';
import { Failure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { formatCommandWith } from '../../format-command.ts';
import { quoteForShell } from '../../shell-quote.ts';
import type { CreatedAs, RotationState } from '../../webhook-records/local-webhook.ts';
import type { WebhookScope } from '../create/create-request.ts';
import type { Hook } from '../hook.ts';
import type { SecretFlags } from '../secret/find-secret.ts';
import type { VerifyOptions } from '../verify/receiver-target.ts';

export interface Rotation {
  /** The webhook whose secret is to be replaced; not read if it no longer exists. */
  readonly old: Hook;
  readonly secret: string;
  /** Nothing with --no-verify. */
  readonly verify: VerifyOptions | undefined;
  /** The command that continues it, for hints. */
  readonly again: string;
}

/** What a successor is created with, without its secret. */
export interface SuccessorSettings {
  readonly create: WebhookCreate & { readonly hookUrl: string };
  readonly scope: WebhookScope;
}

const { customItemTypes, events, parameterisedEvents } = webhookCreateParameters;

/** @throws {ValidationError} for what this version of wm could not send. */
export function fromCreatedAs(created: CreatedAs): SuccessorSettings {
  const { hookUrl, folderId, spaceId, recursive } = created;
  const create = {
    hookUrl,
    ...(created.events === undefined ? {} : { events: events.schema.validate(created.events) }),
    ...(recursive === undefined ? {} : { recursive }),
    ...(created.parameterisedEvents === undefined
      ? {}
      : { parameterisedEvents: parameterisedEvents.schema.validate(created.parameterisedEvents) }),
    ...(created.customItemTypes === undefined
      ? {}
      : { customItemTypes: customItemTypes.schema.validate(created.customItemTypes) }),
  };
  validateWebhookCreate(create);
  return { create, scope: { folderId, spaceId } };
}

/** What is recorded of the old webhook now: another run may have changed it. */
export async function readState(context: Context, id: string): Promise<RotationState | undefined> {
  return (await (await context.webhookRecords()).read()).get(id)?.rotation;
}

export interface ContinueFlags extends SecretFlags {
  readonly verify?: boolean;
  readonly within?: number;
  readonly allowPrivate?: boolean;
  readonly connectTo?: { readonly host: string; readonly port: number };
}

/** Everything else is recorded. A generated secret is stored, so that its flag is not needed again. */
export function continueCommand(
  context: Context,
  id: string,
  { secretFile, secretStdin, verify, within, allowPrivate, connectTo }: ContinueFlags,
): string {
  const quote = (text: string) => quoteForShell(text, context.world.process.platform);
  const address = connectTo?.host.includes(':') ? `[${connectTo.host}]` : connectTo?.host;
  return formatCommandWith(
    context,
    'webhook rotate-secret',
    [id],
    ...(secretFile === undefined ? [] : ['--secret-file', quote(secretFile)]),
    ...(secretStdin ? ['--secret-stdin'] : []),
    ...(verify === false ? ['--no-verify'] : []),
    ...(within === undefined ? [] : ['--within', String(within)]),
    ...(allowPrivate ? ['--allow-private'] : []),
    ...(connectTo ? ['--connect-to', quote(`${address}:${connectTo.port}`)] : []),
    ...(context.common.yes ? ['--yes'] : []),
  );
}

/** The command that ends a rotation and leaves the old webhook as it was. */
export function abortCommand(context: Context, id: string): string {
  return formatCommandWith(context, 'webhook rotate-secret', [id], '--abort');
}

export function endedElsewhere(id: string): Failure {
  return new Failure('other', {
    message: `The rotation of webhook ${id} is no longer under way`,
    why: 'another wm has ended it meanwhile',
  });
}
