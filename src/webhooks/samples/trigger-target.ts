// Resolves the target of `wm webhook trigger`: a URL, which may be on this machine, or a webhook's URL.

import type { Context } from '#cli/context.ts';
import { quoteUrl } from '#contract/hook-url.ts';
import { Failure, usageError } from '#failure.ts';
import { isSameUrl, selectOneWebhook } from '../matching/choose.ts';
import { readHook } from '../records/hook.ts';

export interface TriggerTarget {
  readonly url: string;
  /** The webhook whose stored secret signs the sample; undefined if no webhook is known to have the URL. */
  readonly webhookId: string | undefined;
}

/**
 * The target in `--to`. A URL is not looked up at the service.
 * @throws {Failure} `usage` for an invalid URL; `not_found` if no webhook matches, or it has no URL.
 */
export async function resolveTarget(context: Context, to: string): Promise<TriggerTarget> {
  if (/^https?:\/\//i.test(to)) return { url: parseUrl(to), webhookId: await findByUrl(context, to) };
  const webhookId = await selectOneWebhook(context, to);
  const { hookUrl } = (await readHook(context, webhookId)).record;
  if (hookUrl !== undefined) return { url: parseUrl(hookUrl), webhookId };
  throw new Failure('not_found', {
    message: `The service shows no URL for webhook ${webhookId}`,
    hint: 'Give the URL instead: --to URL',
  });
}

function parseUrl(text: string): string {
  const isUsable = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  if (isUsable && new URL(text).username === '' && new URL(text).password === '') return text;
  throw usageError(
    `--to: ${quoteUrl(text)} is not a URL that a webhook can have`,
    'Give an http or https URL without credentials, or the id, label or URL of a webhook.',
  );
}

/** The only webhook that this machine created with the URL: the receiver has its secret. */
async function findByUrl(context: Context, url: string): Promise<string | undefined> {
  const local = await (await context.webhookRecords()).read();
  const ids = [...local].flatMap(([id, { created }]) =>
    created !== undefined && isSameUrl(created.hookUrl, url) ? [id] : [],
  );
  return ids.length === 1 ? ids[0] : undefined;
}
