// `wm webhook create`: for the account, a folder or project, or a space.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { booleanFlag, valueFlag } from '#cli/flags/flag.ts';
import { formatRepeatedCommand } from '#cli/format-command.ts';
import { withValueName } from '#cli/parse-values.ts';
import { everyFiveSeconds, startProgress } from '#cli/timed-progress.ts';
import { warnUnlessFatal } from '#cli/warn-unless-fatal.ts';
import { quoteUrl } from '#contract/hook-url.ts';
import { validateWebhookCreate, webhookCreateParameters } from '#contract/webhook-create.ts';
import { words } from '#contract/words.ts';
import { commandHint, usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { showKnownAccount } from './change/confirm.ts';
import { webhookColumns } from './columns.ts';
import { checkCustomFields } from './new-webhook/check-custom-fields.ts';
import { checkHookUrl } from './new-webhook/check-hook-url.ts';
import { sendCreate, validateCreate } from './new-webhook/create-request.ts';
import {
  announceSecret,
  newSecretFlags,
  readNewSecret,
  reportCreated,
  storeNewSecret,
  throwWithSecret,
} from './new-webhook/create-secret.ts';
import { eventFlags, selectEvents } from './new-webhook/event-selection.ts';
import { deletedAsDouble, lockCreation } from './new-webhook/if-not-exists.ts';
import { assertOneScope, type NewWebhook, resolveScope, scopeFlags } from './new-webhook/resolve-scope.ts';
import { confirmDuplicate, findSameUrl, showExisting } from './new-webhook/same-url.ts';
import type { CheckResult } from './verification/check-result.ts';
import { assertNoVerifyFlags, type VerifyOptions, verifyFlags } from './verification/verify-flags.ts';
import { verifyReceiver } from './verification/verify-receiver.ts';

const { hookUrl } = webhookCreateParameters;

export default command({
  sendsRequests: true,
  changes: 'the service',
  examples: {
    'Deliver every event of the account': 'wm webhook create https://example.com/hook',
    'Deliver some events of a folder and its subfolders, signed':
      'WM_WEBHOOK_SECRET=... wm webhook create https://example.com/hook --folder IEAAAAAQI4AB5FLD --recursive --events TaskStatusChanged,TaskCreated',
    'In a script that may run twice': 'wm webhook create https://example.com/hook --if-not-exists',
    'Deliver changes of one custom field, with the title in the payload': `wm webhook create https://example.com/hook --parameterised-events '[{"event":"TaskCustomFieldChanged","customFields":["IEAAAAAQJUAB5NUM"],"fields":["title"]}]'`,
    'The same, with the title of the field':
      "wm webhook create https://example.com/hook --filter 'TaskCustomFieldChanged:customFields=Copies' --payload-fields title",
    'Deliver all events of comments': 'wm webhook create https://example.com/hook --events comment',
  },
  details: `The secret that signs deliveries comes from --secret-file, --secret-stdin (on a terminal a hidden prompt) or
WM_WEBHOOK_SECRET. With --generate-secret wm makes one and prints it first, on a line of its own. If there is a secret, the
service sends a handshake to the URL, so the receiver must be running and know the secret.

wm tries that handshake first. If the response is wrong, wm says why and asks for confirmation; with --yes it warns and creates
the webhook. If this machine cannot reach the URL, wm only warns: the service may reach it. --no-verify skips the handshake.

Without --events or a filter, wm lets you pick the events on a terminal. In a script, and with --yes or --if-not-exists, the webhook
then delivers all events; so it does with \`--events all\`.

wm records on this machine what the webhook was created with, since the service does not show all of it; never the secret, unless
--store-secret asks for it (see \`wm webhook secret --help\`).

If a webhook of this application already delivers to the URL, wm asks before it creates another; in a script it creates it
and warns. With --if-not-exists it prints the existing webhook instead and exits with status 0. Only the URL is
compared: if the folder, the events or the status differ, wm warns. The service does not show the space, secret, filters
or item types of a webhook, so wm cannot compare them. If two machines create a webhook at the same time, wm deletes one of the
two; if it is not certain which, both stay and wm warns.`,
  pipeColumns: webhookColumns,
  arguments: { url: { help: 'the URL to deliver to', optional: true } },
  firstFlags: words(
    'hookUrl folder space events filter payloadFields secretFile generateSecret verify ifNotExists',
  ),
  flags: {
    hookUrl: valueFlag(hookUrl.schema, 'URL', `${hookUrl.meaning}; same as the argument`),
    ...scopeFlags,
    ...eventFlags,
    ...newSecretFlags,
    verify: booleanFlag('Try the handshake first if there is a secret (default: yes)', { negatable: true }),
    ...verifyFlags,
    ifNotExists: booleanFlag('If a webhook already delivers to the URL, print it and create nothing'),
  },
  async run({ arguments: { url }, flags }, context) {
    const target = parseUrl(context, url, flags.hookUrl);
    assertOneScope(flags);
    assertNoVerifyFlags(flags);
    await checkHookUrl(context, target, 'hookUrl');
    const scope = await resolveScope(context, flags);
    const secret = await readNewSecret(context, flags);
    const webhook: NewWebhook = {
      ...scope,
      hookUrl: target,
      ...omitUndefined({ secret: secret.text }),
      ...(await selectEvents(context, flags)),
      ...omitUndefined({ recursive: flags.recursive, customItemTypes: flags.customItemTypes }),
    };
    withValueName('--events and --parameterised-events', () => validateWebhookCreate(webhook));
    const { ifNotExists = false, verify = true } = flags;
    if (ifNotExists && !context.isDryRun) await lockCreation(context);
    const existing = await findBeforeCreate(context, webhook, ifNotExists);
    if (!existing) return;
    if (secret.text === undefined) await context.report.info('No secret: deliveries will not be signed.');
    await confirmDuplicate(context, existing, target);
    await announceSecret(context, secret, target);
    if (verify && secret.text !== undefined && !context.isDryRun)
      await tryHandshake(context, target, secret.text, flags);

    const hooks = await sendCreate(context, webhook).catch((error: unknown) =>
      throwWithSecret(context, secret, error),
    );
    if (!hooks) return;
    await showKnownAccount(context, hooks);
    const [created] = hooks;
    if (ifNotExists && created && (await deletedAsDouble(context, created, webhook))) {
      if (secret.isGenerated) await context.report.info('No webhook has the generated secret.');
      return;
    }
    await reportCreated(context, hooks, secret);
    if (created) await storeNewSecret(context, created.record.id, secret);
  },
});

/** The service would not say why it failed. Only warns of an unreachable receiver. Throws if the response is wrong and not confirmed. */
async function tryHandshake(context: Context, url: string, secret: string, options: VerifyOptions) {
  const { report } = context;
  const waiting = `Trying the handshake with ${url}. Still waiting (--within limits each response).`;
  const endProgress = startProgress(context, () => waiting, everyFiveSeconds);
  const verified = verifyReceiver(context, { url, secret }, { ...options, isHandshakeOnly: true });
  const results = await verified.finally(endProgress);
  const failed = results.filter(({ outcome }) => outcome === 'fail');
  const wrong = failed.find(({ check }) => ['handshake', 'redirect', 'availability'].includes(check));
  // Problems of the URL were reported before.
  const obstacle = failed.find(({ check }) => check !== 'url');
  if (wrong) {
    await report.warn(`The handshake with ${url} failed: ${explain(wrong)}`);
    await context.confirm('Create the webhook anyway?');
  } else if (obstacle)
    await report.warn(
      `Cannot try the handshake with ${url} from here: ${explain(obstacle)}\nThe service will try it now.`,
    );
}

const explain = ({ why = '', fix }: CheckResult): string => `${why}.${fix === undefined ? '' : `\n${fix}`}`;

/** The webhooks with the same URL; undefined if --if-not-exists printed one of them instead of creating another. */
async function findBeforeCreate(context: Context, webhook: NewWebhook, ifNotExists: boolean) {
  if (context.isDryRun) {
    if (ifNotExists)
      await context.report.info(
        'With --if-not-exists, wm sends this only if no webhook delivers to this URL.',
      );
    return [];
  }
  validateCreate(webhook);
  await checkCustomFields(context, webhook.parameterisedEvents ?? []);
  const found = await findSameUrl(context, webhook).catch((error: unknown) => {
    // --if-not-exists depends on the look-up.
    if (ifNotExists) throw error;
    return warnUnlessFatal(context, 'Cannot check whether a webhook already delivers to this URL', error);
  });
  const existing = found ?? [];
  const [first] = existing;
  if (!ifNotExists || !first) return existing;
  await showExisting(context, first, webhook);
  return undefined;
}

function parseUrl(context: Context, argument: string | undefined, flag: string | undefined): string {
  if (argument !== undefined && flag !== undefined && argument !== flag)
    throw usageError('Two different URLs', 'Give the URL once: wm webhook create URL');
  const url = argument ?? flag;
  if (url === undefined)
    throw usageError('Missing: URL', 'Give the URL to deliver to: wm webhook create URL (or --hook-url URL)');
  const withScheme = `https://${url}`;
  const meant = formatRepeatedCommand(context, 'webhook create', [withScheme], ['hookUrl']);
  if (!/^[a-z][\w+.-]*:\/\//i.test(url) && /^[^\s/]+\.[^\s/]/.test(url) && URL.canParse(withScheme))
    throw usageError(
      `hookUrl: ${quoteUrl(url)} has no https:// or http://`,
      commandHint('Did you mean: ', meant),
    );
  return url;
}
