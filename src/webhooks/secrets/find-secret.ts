// Finds a webhook's secret in the first source that has one: a file, standard input, WM_WEBHOOK_SECRET, the store, or a hidden
// prompt. From then on it is redacted from messages.

import type { Context } from '#cli/context.ts';
import { decodeInput } from '#cli/decode-text.ts';
import { readFileBytes, readStandardInput } from '#cli/file-value.ts';
import { booleanFlag, type ParsedFlags, textFlag } from '#cli/flags/flag.ts';
import { usageError } from '#failure.ts';
import type { RunningReceiver } from './running-receiver.ts';
import { openReceiverSecretPlace, openSecretPlace, unlessStoreFails } from './secret-place.ts';
import type { SecretPlace } from './secret-store.ts';

const maxBytes = 64 * 1024;

export const secretFlags = {
  secretFile: textFlag('FILE', 'Read the secret from this file'),
  secretStdin: booleanFlag('Read the secret from standard input'),
};

export type SecretFlags = ParsedFlags<typeof secretFlags>;

export interface Secret {
  readonly text: string;
  /** For messages: `WM_WEBHOOK_SECRET`, `the keychain`. */
  readonly source: string;
}

/** The secret from the command line or the environment. @throws {Failure} `usage` if it is empty or cannot be read. */
export async function readSecretInput(
  context: Pick<Context, 'world' | 'canPrompt' | 'prompt'>,
  { secretFile, secretStdin }: SecretFlags,
): Promise<Secret | undefined> {
  const { world } = context;
  if (secretFile !== undefined && secretStdin)
    throw usageError('--secret-file and --secret-stdin cannot be combined', 'Give the secret once.');
  if (secretFile !== undefined) {
    const bytes = await readFileBytes(world, secretFile, '--secret-file', maxBytes);
    return { text: toSecret(world, bytes, `--secret-file: ${secretFile}`), source: secretFile };
  }
  // A secret typed at a terminal must not be visible.
  if (secretStdin && context.canPrompt) return promptForSecret(context, 'Secret of the webhook');
  if (secretStdin) {
    const bytes = await readStandardInput(world, maxBytes, '--secret-stdin');
    return { text: toSecret(world, bytes, '--secret-stdin: standard input'), source: 'standard input' };
  }
  const text = world.environment['WM_WEBHOOK_SECRET'];
  world.secrets.add(text);
  return text === undefined ? undefined : { text, source: 'WM_WEBHOOK_SECRET' };
}

/** Removes the final line break that editors and `echo` add. */
function toSecret({ secrets }: Pick<Context['world'], 'secrets'>, bytes: Uint8Array, where: string): string {
  const text = decodeInput(bytes, where).replace(/\r?\n$/, '');
  secrets.add(text);
  if (text === '') throw usageError(`${where} is empty`);
  return text;
}

export function readStoredSecret(context: Context, webhookId: string): Promise<Secret | undefined> {
  return readFrom(context, () => openSecretPlace(context, webhookId));
}

function readFrom(context: Context, open: () => Promise<SecretPlace>): Promise<Secret | undefined> {
  return unlessStoreFails(
    context,
    async () => {
      const place = await open();
      const text = await place.read();
      context.world.secrets.add(text);
      return text === undefined ? undefined : { text, source: place.location };
    },
    (sentence) => `Cannot read the stored secret: ${sentence}`,
  );
}

async function promptForSecret(
  { world, prompt }: Pick<Context, 'world' | 'prompt'>,
  question: string,
  options: { readonly orNone?: boolean } = {},
): Promise<Secret> {
  const text = await prompt('--secret-stdin', (prompts) => prompts.secret(question, options));
  world.secrets.add(text);
  return { text, source: 'the prompt' };
}

export interface SecretQuery {
  readonly flags: SecretFlags;
  readonly webhookId?: string | undefined;
  /** Its own secret takes precedence over a webhook's stored one. */
  readonly receiver?: RunningReceiver | undefined;
  /** The question to the user if no other source has a secret; without it wm does not prompt. */
  readonly question?: string | undefined;
  /** Accepts an empty answer, for no secret. */
  readonly orNone?: boolean;
}

export async function findSecret(
  context: Context,
  { flags, webhookId, receiver, question, orNone = false }: SecretQuery,
): Promise<Secret | undefined> {
  const input = await readSecretInput(context, flags);
  if (input) return input;
  // The secret that `wm webhook listen` generated.
  const own = receiver?.own;
  const stored =
    (own && (await readFrom(context, () => openReceiverSecretPlace(context, own.journal, own.store)))) ??
    (webhookId === undefined ? undefined : await readStoredSecret(context, webhookId));
  if (stored || question === undefined || !context.canPrompt) return stored;
  const answer = await promptForSecret(context, question, { orNone });
  return answer.text === '' ? undefined : answer;
}
