// Resolves the ids in a filter of the history, from this machine's labels and URLs: the history works without a network and
// without a sign-in.

import type { Context } from '#cli/context.ts';
import { isIdShaped, isOneWord } from '#cli/resolve/id-shape.ts';
import { Failure } from '#failure.ts';
import type { LocalWebhook, LocalWebhooks } from '#local-records/local-webhook.ts';
import { foldCase } from '#terminal/picker/fold-case.ts';

/** A text may match several webhooks: it only filters. Throws a {@link Failure} if it matches none and cannot be an id. */
export async function resolveKnownIds(
  context: Pick<Context, 'world' | 'account' | 'report'>,
  texts: readonly string[],
): Promise<readonly string[]> {
  let local: LocalWebhooks | undefined;
  const ids = new Set<string>();
  for (const text of texts) {
    if (isIdShaped(text)) {
      ids.add(text);
      continue;
    }
    const { WebhookRecords } = await import('#local-records/webhook-records.ts');
    local ??= await new WebhookRecords(context).read();
    const isId = local.has(text) || (isOneWord(text) && !/[.:]/.test(text));
    if (isId) ids.add(text);
    const matches = matching(local, foldCase(text));
    if (!isId && matches.length === 0)
      throw new Failure('not_found', {
        message: `No webhook with the label or URL ${JSON.stringify(text)} is known on this machine`,
        why: 'it knows only the labels set with wm, and the URLs of webhooks that wm has created or read',
        hint: 'Give the id.',
      });
    for (const id of matches) ids.add(id);
  }
  return [...ids];
}

/** The webhooks with exactly this label or URL; otherwise the ones that contain it. */
function matching(records: LocalWebhooks, text: string): readonly string[] {
  const idsWhere = (isMatch: (name: string) => boolean) =>
    [...records].flatMap(([id, local]) => (namesOf(local).some(isMatch) ? [id] : []));
  const exact = idsWhere((name) => name === text);
  return exact.length > 0 ? exact : idsWhere((name) => name.includes(text));
}

function namesOf({ label, created, observed }: LocalWebhook): readonly string[] {
  return [label, created?.hookUrl, observed?.url].flatMap((name) =>
    name === undefined ? [] : [foldCase(name)],
  );
}
