// `wm webhook secret`: shows whether this machine has a webhook's secret; stores, removes or, only on request, prints it.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { booleanFlag } from '#cli/flags/flag.ts';
import { formatRepeatedCommand } from '#cli/format-command.ts';
import { journalFlag, journalFolder } from '#cli/journal-folder.ts';
import { commandHint, Failure, usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Column } from '#terminal/table.ts';
import { chooseOneWebhook, webhookArgument } from './matching/choose.ts';
import { findSecret, type SecretFlags, secretFlags } from './secrets/find-secret.ts';
import {
  isReceiver,
  openReceiverSecretPlace,
  openSecretPlace,
  warnIfStoredInFile,
} from './secrets/secret-place.ts';
import type { SecretOwner, SecretPlace } from './secrets/secret-store.ts';

interface SecretState {
  readonly id: string;
  readonly stored: boolean;
  readonly location?: string;
}

const pipeColumns: readonly Column<SecretState>[] = [
  { title: 'id', cell: ({ id }) => id, unbroken: true },
  { title: 'secret', cell: ({ stored }) => (stored ? 'stored' : 'not stored') },
  { title: 'in', cell: ({ location }) => location ?? '' },
];

export default command({
  changes: 'this machine',
  examples: {
    'See whether a secret is stored': 'wm webhook secret IEAAAAAQJAAAAAAB',
    'Store a secret, typed at a hidden prompt': 'wm webhook secret IEAAAAAQJAAAAAAB --store',
    'Store a secret that another program has':
      'pass show hooks/billing | wm webhook secret IEAAAAAQJAAAAAAB --store --secret-stdin',
    'Write it to an .env file': 'wm webhook secret https://hooks.example.com/billing --env --yes >> .env',
    'Remove it': 'wm webhook secret IEAAAAAQJAAAAAAB --remove --yes',
    'See whether wm webhook listen has created a secret': 'wm webhook secret --receiver',
  },
  details: `The service never shows the secret of a webhook and cannot change it. Stored here, it is found by the commands that sign or
check deliveries of the webhook: without --secret-file, --secret-stdin and WM_WEBHOOK_SECRET they take the stored one.

--show prints the stored secret alone; --env prints it as a line of an .env file: WM_WEBHOOK_SECRET=... On a terminal wm asks first,
since others may see the screen; --yes confirms.

Secrets are stored in the keychain. If WM_TOKEN_STORE=file is set or the tokens of the profile are in a file, they are stored in
a file of their own that only you can read.

With --receiver, the secret is the one that \`wm webhook listen\` generated for its journal because it had none.`,
  pipeColumns,
  arguments: { id: webhookArgument },
  flags: {
    store: booleanFlag('Store the secret: from the flags below or a hidden prompt'),
    remove: booleanFlag('Remove the stored secret'),
    show: booleanFlag('Print the stored secret, and nothing else'),
    env: booleanFlag('Print the stored secret as WM_WEBHOOK_SECRET=VALUE, for an .env file'),
    receiver: booleanFlag(
      'Use the secret that `wm webhook listen` generated, instead of the secret of a webhook',
    ),
    journal: { ...journalFlag, help: 'With --receiver: the folder of its journal' },
    ...secretFlags,
  },
  async run({ arguments: { id: text }, flags }, context) {
    const { store = false, remove = false, show = false, env = false, receiver, journal, ...sources } = flags;
    checkFlags({ store, remove, show, env }, sources);
    if (receiver && text !== undefined)
      throw usageError('--receiver cannot be combined with the id of a webhook', 'Give one of them.');
    if (journal !== undefined && !receiver) throw usageError('--journal needs --receiver');
    const place = receiver
      ? await openReceiverSecretPlace(context, journalFolder(context.world, journal))
      : await openSecretPlace(
          context,
          await chooseOneWebhook(context, text, { question: 'The secret of which webhook?' }),
        );
    if (show || env) return printSecret(context, place, env);
    if (remove) await removeSecret(context, place);
    if (store) await storeSecret(context, place, sources);
    const stored = (await place.read()) !== undefined;
    const location = stored ? place.location : undefined;
    const state: SecretState = { id: idOf(place.owner), stored, ...omitUndefined({ location }) };
    await context.report.one({ columns: pipeColumns, records: [state], raw: [state] });
    if (stored && !store && context.canPrompt)
      await context.report.info(`To print it for an .env file: ${commandFor(context, place.owner, '--env')}`);
  },
});

function checkFlags(actions: Readonly<Record<string, boolean>>, sources: SecretFlags): void {
  const requested = Object.keys(actions).filter((name) => actions[name]);
  if (requested.length > 1)
    throw usageError(
      `${requested.map((name) => `--${name}`).join(' and ')} cannot be combined`,
      'Give one of --store, --remove, --show and --env.',
    );
  const source = sources.secretFile !== undefined ? '--secret-file' : sources.secretStdin && '--secret-stdin';
  if (source && !actions['store'])
    throw usageError(`${source} needs --store`, 'To store the secret, add --store.');
}

async function printSecret(
  context: Context,
  { read, owner }: SecretPlace,
  asVariable: boolean,
): Promise<undefined> {
  const { report, world } = context;
  const secret = await read();
  if (secret === undefined)
    throw new Failure('not_found', {
      message: `No secret is stored for ${nameOf(owner)}`,
      hint: isReceiver(owner)
        ? 'wm webhook listen generates it if it has none.'
        : commandHint('To store it: ', commandFor(context, owner, '--store')),
    });
  world.secrets.add(secret);
  const line = asVariable ? formatVariable(secret) : secret;
  // Others may see a user's screen; a script needs no question.
  if (context.canPrompt)
    await context.confirm(`Print the secret of ${nameOf(owner)}? Anyone who has it can forge deliveries.`);
  if (report.wantsJson) await report.withSecrets().json({ id: idOf(owner), secret });
  else await report.withSecrets().line(line);
}

/** Shells and readers of .env files agree on single quotes: nothing is expanded in them. */
function formatVariable(secret: string): string {
  const name = 'WM_WEBHOOK_SECRET';
  if (/^[\w./:@%+=-]+$/.test(secret)) return `${name}=${secret}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break above all
  if (!/['\\\u0000-\u001f\u007f]/.test(secret)) return `${name}='${secret}'`;
  throw new Failure('other', {
    message: 'The secret cannot be written to an .env file',
    why: 'it contains a quote, a backslash or a control character, which programs read differently there',
    hint: 'To print it alone: --show',
  });
}

/** Asks first: the service never shows the secret again. */
async function removeSecret(context: Context, place: SecretPlace): Promise<void> {
  if (!(await place.has())) return;
  await context.confirm(
    `Remove the secret of ${nameOf(place.owner)} from ${place.location}? The service does not show it.`,
  );
  await place.remove();
  await context.report.info('The webhook still has its secret; wm no longer does.');
}

async function storeSecret(context: Context, place: SecretPlace, sources: SecretFlags): Promise<void> {
  const { owner } = place;
  const secret = await requireSecret(context, sources, owner);
  const before = await place.read();
  context.world.secrets.add(before);
  if (before !== undefined && before !== secret)
    await context.confirm(`Replace the secret that is stored for ${nameOf(owner)} with another one?`);
  await place.write(secret);
  await warnIfStoredInFile(context, place);
}

async function requireSecret(context: Context, sources: SecretFlags, owner: SecretOwner): Promise<string> {
  const found = await findSecret(context, { flags: sources, question: `Secret of ${nameOf(owner)}` });
  if (found) return found.text;
  throw usageError(
    'Missing: the secret',
    `Give it with --secret-file, --secret-stdin or WM_WEBHOOK_SECRET: ${commandFor(context, owner, '--store', '--secret-file', 'FILE')}`,
    `cannot prompt: ${context.whyCannotPrompt}`,
  );
}

function commandFor(context: Context, owner: SecretOwner, ...flags: readonly string[]): string {
  const operands = isReceiver(owner) ? [] : [owner.webhookId];
  const leaveOut = ['store', 'show', 'env', 'yes'];
  return formatRepeatedCommand(context, 'webhook secret', operands, leaveOut, ...flags);
}

const idOf = (owner: SecretOwner): string => (isReceiver(owner) ? 'receiver' : owner.webhookId);

function nameOf(owner: SecretOwner): string {
  return isReceiver(owner) ? `the receiver of ${owner.webhookId}` : `webhook ${owner.webhookId}`;
}
