// Handles the secret of a new webhook: given, generated or none. A generated secret is printed once, before the request,
// because the receiver must prove to the service that it has the secret while the webhook is created.

import type { Context } from '#cli/context.ts';
import { booleanFlag, type ParsedFlags } from '#cli/flags/flag.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { parseExactJson } from '#contract/json.ts';
import { commandHint, errorMessage, Failure, joinHints, outputFailure, usageError } from '#failure.ts';
import { toReported } from '../columns.ts';
import type { Hook } from '../records/hook.ts';
import { readSecretInput, type Secret, secretFlags } from '../secrets/find-secret.ts';
import { openSecretPlace, storeSecret } from '../secrets/secret-place.ts';

export const newSecretFlags = {
  ...secretFlags,
  generateSecret: booleanFlag('Generate the secret, and print it once'),
  storeSecret: booleanFlag('Store the secret for commands that sign or check deliveries'),
};

export type NewSecretFlags = ParsedFlags<typeof newSecretFlags>;

type NewSecret = Awaited<ReturnType<typeof readNewSecret>>;

/** Nothing is printed or stored yet; but if the secret could not be stored, it throws. */
export async function readNewSecret(context: Context, flags: NewSecretFlags) {
  assertOneSource(flags);
  const { generateSecret = false, storeSecret = false, ...sources } = flags;
  const given = generateSecret ? undefined : await readSecretInput(context, sources);
  if (given) assertOneLine(given);
  const text = generateSecret ? createSecret(context) : given?.text;
  if (storeSecret && text === undefined)
    throw usageError(
      '--store-secret needs a secret',
      'Give it with --secret-file, --secret-stdin, WM_WEBHOOK_SECRET or --generate-secret.',
    );
  if (storeSecret && !context.isDryRun) await assertSecretStore(context);
  return { text, isGenerated: generateSecret, isToBeStored: storeSecret };
}

export function assertOneSource({ generateSecret, secretFile, secretStdin }: NewSecretFlags): void {
  if (generateSecret && (secretFile !== undefined || secretStdin))
    throw usageError(
      `--generate-secret and --secret-${secretFile === undefined ? 'stdin' : 'file'} cannot be combined`,
      'Give one of them.',
    );
}

/** The contract allows any text, but these are mistakes. Secrets of webhooks that exist may have them. */
export function assertOneLine({ text, source }: Secret): void {
  const mistake = text.trim() === '' ? 'is blank' : /[\r\n]/.test(text) && 'has more than one line';
  if (mistake) throw usageError(`The secret of ${source} ${mistake}`, 'Give a secret of one line.');
}

export function createSecret({ world }: Pick<Context, 'world'>): string {
  const text = world.randomBytes(32).toString('hex');
  world.secrets.add(text);
  return text;
}

/** Reads a made-up entry, so that a missing or locked keychain ends the command before the webhook is created. */
export async function assertSecretStore(context: Context): Promise<void> {
  await (await openSecretPlace(context, '.none')).read();
}

/** Prints a generated secret, and waits for the user to give it to the receiver before the handshake. */
export async function announceSecret(
  context: Context,
  { text, isGenerated, isToBeStored }: NewSecret,
  url: string,
): Promise<void> {
  const { report } = context;
  if (text === undefined || !isGenerated || report.wantsJson || context.isDryRun) return;
  const printed = report.withSecrets().line(text);
  await printed.catch((error: unknown) => {
    throw outputFailure(error)?.with({ hint: 'No webhook was created.' }) ?? error;
  });
  await report.info(`This is the secret. ${isToBeStored ? 'wm stores it.' : 'It is not shown again.'}`);
  if (context.canPrompt)
    await context.confirm(
      `The service is about to ask ${url} for proof of the secret. Does it know the secret?`,
    );
}

/** Adds the generated secret to the failure: the webhook may exist, and would be useless without it. */
export async function throwWithSecret(
  { report }: Pick<Context, 'report'>,
  { text, isGenerated }: NewSecret,
  error: unknown,
): Promise<never> {
  if (!isGenerated || !(error instanceof Failure)) throw error;
  const isUnknown = error.code === 'outcome_unknown';
  if (isUnknown && report.wantsJson) await report.withSecrets().json({ local: { secret: text } });
  if (!isUnknown && report.wantsJson) throw error;
  const advice = isUnknown
    ? 'If it was created, it has the secret above.'
    : 'No webhook has the secret above. To use it again: --secret-stdin';
  const hints = error.wholeHint === undefined ? [advice] : [error.wholeHint, advice];
  throw error.with({ hint: joinHints(hints) });
}

/** @throws {Failure} `part_failed` if it cannot be stored: the webhook exists. */
export async function storeNewSecret(context: Context, id: string, { text, isToBeStored }: NewSecret) {
  if (text === undefined || !isToBeStored) return;
  try {
    await storeSecret(context, id, text);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure('part_failed', {
      message: `Webhook ${id} was created, but its secret was not stored`,
      why: error.sentence,
      hint: commandHint('To store it: ', formatCommandWith(context, 'webhook secret', [id], '--store')),
      cause: error,
    });
  }
}

/** Prints the new webhook. With --json a generated secret has its own member, since it was not printed before. */
export async function reportCreated(
  context: Context,
  hooks: readonly Hook[],
  secret: NewSecret,
): Promise<void> {
  const { report } = context;
  const { text, isGenerated, isToBeStored } = secret;
  const raw = hooks.map((hook) => hook.raw ?? {});
  if (!isGenerated || !report.wantsJson) return report.one({ ...(await toReported(context, hooks)), raw });
  // Only the secret member may be shown, and not what else the service echoes.
  const [shown] = raw.map((record) => parseExactJson(report.jsonOf(record)));
  const printed = report
    .withSecrets()
    .json({ ...Object(shown), local: { secret: text } }, { rejectsFilterFailure: true });
  await printed.catch(async (error: unknown) => {
    const ids = hooks.map(({ record }) => record.id);
    for (const id of ids) await storeNewSecret(context, id, secret);
    throw new Failure('part_failed', {
      message: `Webhook ${ids.join(', ')} was created, but its secret was not printed`,
      why: errorMessage(error),
      hint: isToBeStored
        ? commandHint('To print it: ', formatCommandWith(context, 'webhook secret', ids, '--show'))
        : commandHint(
            'wm did not store it either. To delete the webhook: ',
            formatCommandWith(context, 'webhook delete', ids),
          ),
      cause: error,
    });
  });
}
