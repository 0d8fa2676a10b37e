// An entry of a webhook file. docs/webhook-file.md describes the format for users.

import type { WebhookStatus } from '#contract/webhook.ts';
import type { WebhookSettings } from '../coverage.ts';

export const formatVersion = 1;

/** Where its secret comes from. The file never holds the secret. */
export type SecretReference = { readonly variable: string } | { readonly stored: string };

/** The file does not have the settings that are absent: they are not compared, and needed before the webhook can be created. */
export interface HookEntry extends WebhookSettings {
  readonly line: number;
  readonly scopeLine?: number | undefined;
  readonly label?: string | undefined;
  readonly url: string;
  /** Absent: leave the status as it is. */
  readonly status?: WebhookStatus | undefined;
  readonly secret?: SecretReference | undefined;
}
