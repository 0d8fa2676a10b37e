// Which webhooks a text means: those with this id, label or URL; otherwise those with the text in their URL or label.

import { foldCase } from '../../../terminal/picker/entry.ts';
import type { LocalWebhooks } from '../local/local-webhook.ts';
import type { ReadWebhook } from './read-webhook.ts';

export interface Match {
  readonly webhooks: readonly ReadWebhook[];
  /** True if the text is the id, the label or the URL itself, and not a part of it. */
  readonly isExact: boolean;
}

/**
 * What is exact comes first; `billing` is the label `Billing`, and not also each URL with billing in it. None if the text is the
 * label of one that is not listed: that one is meant, and no other that has the text somewhere.
 */
export function matchWebhooks(text: string, all: readonly ReadWebhook[], local: LocalWebhooks): Match {
  const labelOf = ({ record }: ReadWebhook) => foldCase(local.get(record.id)?.label ?? '');
  const wanted = foldCase(text);
  const exactly = [
    (one: ReadWebhook) => one.record.id === text,
    (one: ReadWebhook) => labelOf(one) === wanted,
    ({ record }: ReadWebhook) => record.hookUrl !== undefined && isSameUrl(record.hookUrl, text),
  ];
  for (const matches of exactly) {
    const webhooks = all.filter(matches);
    if (webhooks.length > 0) return { webhooks, isExact: true };
  }
  if (idOfLabel(local, text) !== undefined) return { webhooks: [], isExact: true };
  const webhooks = all.filter(
    (one) => foldCase(one.record.hookUrl ?? '').includes(wanted) || labelOf(one).includes(wanted),
  );
  return { webhooks, isExact: false };
}

/** For a webhook that may or may not be listed. */
export function idOfLabel(local: LocalWebhooks, text: string): string | undefined {
  const wanted = foldCase(text);
  const found = [...local].find(([, { label }]) => label !== undefined && foldCase(label) === wanted);
  return found?.[0];
}

/** Compares URLs, not texts: `https://example.com` is `https://example.com/`. */
export function isSameUrl(one: string, other: string): boolean {
  if (one === other) return true;
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;
}
