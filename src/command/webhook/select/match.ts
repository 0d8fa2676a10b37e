// Which webhooks a text means: those with this id, label or URL; otherwise those with the text in their URL or label.

import { foldCase } from '../../../terminal/picker/fold-case.ts';
import type { LocalWebhooks } from '../../webhook-records/local-webhook.ts';
import type { Hook } from '../hook.ts';

export interface Match {
  readonly hooks: readonly Hook[];
  /** True if the text is the id, the label or the URL itself, and not a part of it. */
  readonly isExact: boolean;
}

/**
 * What is exact comes first. A label that another URL has as a whole part (`team2` in `https://example.com/team2/in`, not in
 * `team21`) means both. None if the text is the label of one that is not listed: that one is meant, and no other that has
 * the text somewhere.
 */
export function matchWebhooks(text: string, all: readonly Hook[], local: LocalWebhooks): Match {
  const labelOf = ({ local }: Hook) => foldCase(local?.label ?? '');
  const wanted = foldCase(text);
  const withId = all.filter(({ record }) => record.id === text);
  if (withId.length > 0) return { hooks: withId, isExact: true };
  const labelled = all.find((one) => labelOf(one) === wanted);
  if (labelled) {
    const { hookUrl: own = '' } = labelled.record;
    // A label tells webhooks of one URL apart.
    const others = all.filter(
      ({ record: { hookUrl = '' } }) => !isSameUrl(hookUrl, own) && hasPart(foldCase(hookUrl), wanted),
    );
    return { hooks: [labelled, ...others], isExact: true };
  }
  const withUrl = all.filter(({ record: { hookUrl } }) => hookUrl !== undefined && isSameUrl(hookUrl, text));
  if (withUrl.length > 0) return { hooks: withUrl, isExact: true };
  if (idOfLabel(local, text) !== undefined) return { hooks: [], isExact: true };
  const hooks = all.filter(
    (one) => foldCase(one.record.hookUrl ?? '').includes(wanted) || labelOf(one).includes(wanted),
  );
  return { hooks, isExact: false };
}

/** Whether a part of the URL that neither begins nor ends within a word is this text. */
function hasPart(url: string, text: string): boolean {
  const isInWord = (at: number) => /^[\p{L}\p{N}]{2}/u.test(url.slice(at - 1, at + 1));
  for (let at = url.indexOf(text); at !== -1; at = url.indexOf(text, at + 1))
    if ((at === 0 || !isInWord(at)) && !isInWord(at + text.length)) return true;
  return false;
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
