// `wm webhook export`: prints the webhooks of this application as a file that `wm webhook apply` reads.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { printIfDryRun } from '#cli/send.ts';
import { formatJson } from '#contract/json.ts';
import { webhookOperations, webhookStatus } from '#contract/webhook.ts';
import { Failure } from '#failure.ts';
import { accountHost } from '#login/select-account.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { findUnknown } from './compare-settings.ts';
import { describeScope, settingsOf, type WebhookScope } from './coverage.ts';
import { formatVersion } from './hooks-file/hooks-file.ts';
import { type Hook, listAllHooks, onlyThisApplication } from './records/hook.ts';
import { findStoredSecrets } from './secrets/secret-place.ts';

export default command({
  sendsRequests: true,
  changes: 'nothing',
  examples: {
    'Keep the webhooks in a repository': 'wm webhook export > hooks.yaml',
    'The same as JSON': 'wm webhook export --json > hooks.json',
  },
  details: `Prints YAML (JSON with --json), sorted by URL, so that a repository shows only real changes. docs/webhook-file.md describes
the format. The file has no secrets: an entry names the stored one. If CI applies the file, name the variable that has the
secret instead.

The service does not show everything. wm adds what this machine recorded when it created the webhook, and lists what is
still missing under notShown; it never guesses. Complete such an entry, and remove its notShown, before you change it: wm does
not create or replace a webhook from an incomplete entry.`,
  async run(_input, context) {
    if (await printIfDryRun(context, webhookOperations.listWebhooks, [{ path: {}, parameters: {} }])) return;
    const hooks = await listAllHooks(context, 'export them all');
    const { report } = context;
    for (const { record } of hooks)
      if (record.hookUrl === undefined)
        await report.warn(`The service shows no URL of webhook ${record.id}: it is left out.`);
    const signed = hooks.flatMap(({ record, local }) => (local?.created?.signed ? [record.id] : []));
    const stored = await findStoredSecrets(context, signed);
    const entries = hooks
      .flatMap((hook) => toEntry(hook, stored))
      .toSorted((a, b) => (a.sortedBy < b.sortedBy ? -1 : 1));
    const isIncomplete = entries.some(({ content }) => 'notShown' in content);
    for (const entry of entries) assertNoCredentials(context, entry);
    if (report.wantsJson)
      await report.json({ version: formatVersion, webhooks: entries.map(({ content }) => content) });
    else {
      const { formatYaml } = await import('#cli/yaml-document.ts');
      const comment = fileComment(await accountHost(context), { isIncomplete, hasStored: stored.size > 0 });
      const text = formatYaml(comment, { version: formatVersion }, 'webhooks', entries, inlineMembers);
      await report.line(text.trimEnd(), { isData: true });
    }
    if (isIncomplete)
      await report.warn('Some settings are not shown by the service and not recorded here: see notShown.');
    await report.info(onlyThisApplication);
  },
});

/** Rejects an incomplete file: `apply` would change the webhooks accordingly. */
function assertNoCredentials({ world }: Pick<Context, 'world'>, { id, content }: ExportedEntry): void {
  formatJson(content, {
    change(text, pathOf) {
      if (world.secrets.redactCredentials(text) === text) return text;
      throw new Failure('other', {
        message: `Cannot export the webhooks: ${pathOf()} of webhook ${id} holds a token or a client secret`,
        why: 'wm does not print it, and a file without it would change the webhook when it is applied',
        hint: `Create that webhook again without it, and delete ${id}.`,
      });
    },
  });
}

type ExportedEntry = ReturnType<typeof toEntry>[number];

/** None for a webhook without a URL. `stored`: the ids whose secrets are stored on this machine. */
function toEntry(hook: Hook, stored: ReadonlySet<string>) {
  const { id, hookUrl: url } = hook.record;
  if (url === undefined) return [];
  const settings = settingsOf(hook);
  const { scope, recursive, events = [], parameterisedEvents = [], customItemTypes = [], signed } = settings;
  const status = webhookStatus.choices?.find((choice) => choice === hook.record.status);
  const secret = signed && stored.has(id) ? { stored: id } : undefined;
  const unknown = findUnknown(settings);
  // The webhook is signed, but the file cannot say where its secret is.
  const isSecretUnknown = signed === true && secret === undefined;
  const notShown = isSecretUnknown ? [...unknown, 'secret'] : unknown;
  const content = {
    ...omitUndefined({ label: hook.local?.label }),
    url,
    ...omitUndefined({ scope: scope && formatScope(scope) }),
    ...(recursive ? { recursive } : {}),
    ...(events.length === 0 ? {} : { events }),
    ...(parameterisedEvents.length === 0 ? {} : { parameterisedEvents }),
    ...(customItemTypes.length === 0 ? {} : { customItemTypes }),
    ...omitUndefined({ status, secret }),
    ...(notShown.length === 0 ? {} : { notShown }),
  };
  const comment = `${id}${isSecretUnknown ? ', signed: name the variable with its secret' : ''}`;
  return [{ id, comment, content, sortedBy: JSON.stringify([url, describeScope(settings), content, id]) }];
}

function formatScope({ folderId, spaceId }: WebhookScope): object | string {
  if (folderId !== undefined) return { folder: folderId };
  return spaceId === undefined ? 'account' : { space: spaceId };
}

const inlineMembers = ['scope', 'secret', 'notShown'];

function fileComment(
  host: string,
  { isIncomplete, hasStored }: { readonly isIncomplete: boolean; readonly hasStored: boolean },
): string {
  return [
    `The webhooks of ${host}, as \`wm webhook export\` wrote them. To see what differs: wm webhook diff FILE`,
    ...(hasStored
      ? [
          'secret: {stored: ID} is a secret that is stored on the machine that wrote this file. If another machine applies the file,',
          'such as CI, name the variable that has the secret there: secret: {variable: NAME}',
        ]
      : []),
    ...(isIncomplete
      ? [
          'notShown: settings that the service does not show and this machine did not record. Add them, and remove the names',
          'from notShown: until then wm does not compare them, and does not create or replace that webhook.',
        ]
      : []),
  ].join('\n');
}
