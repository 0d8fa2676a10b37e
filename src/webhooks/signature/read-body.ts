// Reads the body that a command signs or checks, byte for byte, and the secret. Either may come from standard input, but not
// both.

import type { Context } from '#cli/context.ts';
import { readInput } from '#cli/file-value.ts';
import { textFlag } from '#cli/flags/flag.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { usageError } from '#failure.ts';
import { chooseOneWebhook } from '../matching/choose.ts';
import { findSecret, type Secret, type SecretFlags, secretFlags } from '../secrets/find-secret.ts';

/** Many times the largest body that the service is assumed to send. */
const maxBytes = 32 * 1024 * 1024;

export const bodyArgument = {
  help: 'the file with the body; without it, or with -, standard input',
  optional: true,
} as const;

export const signingFlags = {
  webhook: textFlag('ID', 'Take the secret that is stored for this webhook: its id, label or URL', 'webhook'),
  ...secretFlags,
};

export async function readSignedInput(
  context: Context,
  file: string | undefined,
  { webhook, ...flags }: SecretFlags & { readonly webhook?: string },
): Promise<{ readonly secret: Secret; readonly body: Uint8Array }> {
  const path = file === '-' ? undefined : file;
  if (path === undefined && flags.secretStdin)
    throw usageError(
      'Standard input cannot be both the secret and the body',
      'Give the body as a FILE, or the secret with --secret-file or WM_WEBHOOK_SECRET.',
    );
  if (path === undefined && context.world.streams.input.isTerminal)
    throw usageError('Missing: FILE', 'Give the file with the body, or its bytes on standard input.');
  const webhookId = webhook === undefined ? undefined : await chooseOneWebhook(context, webhook);
  const secret = await findSecret(context, { flags, webhookId, question: 'Secret' });
  if (!secret) throw missingSecret(context, webhookId);
  const body = await readInput(context.world, path ?? '-', 'The body', maxBytes);
  return { secret, body };
}

function missingSecret(context: Context, webhookId: string | undefined) {
  const store =
    webhookId === undefined
      ? 'or --webhook ID for one that is stored (wm webhook secret)'
      : `or store it: ${formatCommandWith(context, 'webhook secret', [webhookId], '--store')}`;
  return usageError(
    webhookId === undefined ? 'Missing: the secret' : `No secret is stored for webhook ${webhookId}`,
    `Give it with --secret-file, --secret-stdin or WM_WEBHOOK_SECRET, ${store}`,
    `cannot prompt: ${context.whyCannotPrompt}`,
  );
}
