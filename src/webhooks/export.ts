// `wm webhook export`: prints the webhooks of this application as a file that `wm webhook apply` reads.

import { accountHost } from '#cli/account-host.ts';
import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { send } from '#cli/send.ts';
import { formatJson } from '#contract/json.ts';
import { operations } from '#contract/operation.ts';
import { Failure } from '#failure.ts';
import { formatVersion } from './hooks-file/hooks-file.ts';
import { findFacts } from './hooks-file/webhook-facts.ts';
import { type ExportedEntry, fileComment, inlineMembers, toEntries } from './hooks-file/write-hooks-file.ts';
import { assertComplete, onlyThisApplication, toHooks } from './records/hook.ts';
import { findStoredSecrets } from './secrets/secret-place.ts';

export default command({
  sendsRequests: true,
  changes: 'nothing',
  examples: [
    { description: 'Keep the webhooks in a repository', command: 'wm webhook export > hooks.yaml' },
    { description: 'The same as JSON', command: 'wm webhook export --json > hooks.json' },
  ],
  details: `Prints YAML (JSON with --json), sorted by URL, so that a repository shows only real changes. docs/webhook-file.md describes
the format. The file has no secrets: an entry names the stored one. If CI applies the file, name the variable that has the
secret instead.

The service does not show everything. wm adds what this machine recorded when it created the webhook, and lists what is
still missing under notShown; it never guesses. Complete such an entry, and remove its notShown, before you change it: wm does
not create or replace a webhook from an incomplete entry.`,
  arguments: {},
  flags: {},
  async run(_input, context) {
    const response = await send(context, operations.listWebhooks, {}, {});
    if (!response) return;
    assertComplete(response, 'export them all');
    const facts = (await toHooks(context, response)).map(findFacts);
    const { report } = context;
    for (const { id, url } of facts)
      if (url === undefined) await report.warn(`The service shows no URL of webhook ${id}: it is left out.`);
    const signed = facts.flatMap(({ id, isSigned }) => (isSigned ? [id] : []));
    const stored = await findStoredSecrets(context, signed);
    const entries = toEntries(facts, stored);
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
