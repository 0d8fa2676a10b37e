// The webhooks that a user means by what they typed: each an id, a label, a URL, or a part of one.

import { Failure, usageError } from '../../../failure.ts';
import { sanitizeLine } from '../../../terminal/sanitize.ts';
import type { Context } from '../../context.ts';
import { isIdShaped, mayBeId } from '../../resolve/id-shape.ts';
import type { LocalWebhooks } from '../local/local-webhook.ts';
import { readLocalWebhooks } from '../local/local-webhooks.ts';
import { idOfLabel, matchWebhooks } from './match.ts';
import { toEntries } from './pick.ts';
import { listAll, listWebhooks, type ReadWebhook, statusOf } from './read-webhook.ts';

export interface Selected {
  /** Each once, in the order given. */
  readonly ids: readonly string[];
  /** True if one was meant by a part of its URL or label, or picked: then the user confirms even what needs no confirmation. */
  readonly isGuess: boolean;
  /** What this machine knows, if that was read. */
  readonly local?: LocalWebhooks | undefined;
}

/**
 * Looks nothing up if all are ids. `onMissing` gets each text that means no webhook; without it, the first ends the command.
 * @throws {Failure} `usage` if a text means several webhooks and there is no prompt; `not_found` if it means none.
 */
export async function selectWebhooks(
  context: Context,
  given: readonly string[],
  { onMissing, only = false }: SelectOptions = {},
): Promise<Selected> {
  const ids: string[] = [];
  let isGuess = false;
  let known: Known | undefined;
  for (const text of given) {
    assertNamesOne(text);
    if (isIdShaped(text) && !(await isLabel(context, text))) {
      ids.push(text);
      continue;
    }
    known ??= await readKnown(context);
    const found = await selectOne(context, text, known, only);
    if (found instanceof Failure) {
      if (onMissing === undefined) throw found;
      onMissing(text, found);
      continue;
    }
    ids.push(...found.ids);
    isGuess ||= found.isGuess;
  }
  return { ids: [...new Set(ids)], isGuess, local: known?.local };
}

interface SelectOptions {
  readonly onMissing?: OnMissing | undefined;
  /** The command acts on a single webhook: of several that a text means, one can be picked. */
  readonly only?: boolean;
}

/** A variable that is not set leaves an empty text, which is a part of every URL: the only webhook would be taken for it. */
export function assertNamesOne(text: string): void {
  if (text.trim() === '')
    throw usageError('ID must not be empty', 'Give the id, label or URL of a webhook, or a part of one.');
}

export type OnMissing = (text: string, failure: Failure) => void;

interface Known {
  readonly all: readonly ReadWebhook[];
  readonly local: LocalWebhooks;
}

async function readKnown(context: Context): Promise<Known> {
  const [all, local] = await Promise.all([listWebhooks(context), readLocalWebhooks(context)]);
  return { all, local };
}

async function isLabel(context: Context, text: string): Promise<boolean> {
  const local = await readLocalWebhooks(context);
  return !local.has(text) && [...local.values()].some(({ label }) => label === text);
}

/** The failure if the text means none. */
async function selectOne(
  context: Context,
  text: string,
  known: Known,
  only: boolean,
): Promise<Selected | Failure> {
  const { webhooks, isExact } = matchWebhooks(text, known.all, known.local);
  const [first, ...more] = webhooks;
  if (first === undefined) {
    // One of another application is not listed, and may still be read by its id. So may one that was deleted; the failure
    // then has the label too.
    const labelled = idOfLabel(known.local, text);
    if (labelled !== undefined) return { ids: [labelled], isGuess: false };
    if (mayBeId('WebhookId', text)) return { ids: [text], isGuess: false };
    return notFound(context, text);
  }
  if (more.length === 0) return { ids: [first.record.id], isGuess: !isExact };
  if (!context.canPrompt || context.common.dryRun || context.common.curl)
    throw ambiguous(text, webhooks, known.local);
  const entries = toEntries(webhooks, known.local);
  const question = `${JSON.stringify(text)} matches ${webhooks.length} webhooks. Which?`;
  const ids = await context.prompt('ID', async (prompt) =>
    only ? [await prompt.pick(question, entries)] : prompt.pickSeveral(question, entries),
  );
  return { ids, isGuess: true };
}

function notFound(context: Context, text: string): Failure {
  return new Failure('not_found', {
    message: `No webhook matches ${JSON.stringify(text)}`,
    why: 'it is no id, label or URL of a webhook that the service lists, nor a part of one',
    hint: listAll(context),
  });
}

function ambiguous(text: string, webhooks: readonly ReadWebhook[], local: LocalWebhooks): Failure {
  const lines = webhooks.map((one) => {
    const label = local.get(one.record.id)?.label;
    const line = [one.record.id, one.record.hookUrl ?? 'no URL', statusOf(one) ?? 'no status', label ?? ''];
    // A line break in a URL would begin what looks like another candidate.
    return sanitizeLine(line.join('  ').trimEnd());
  });
  return usageError(
    `${JSON.stringify(text)} matches ${webhooks.length} webhooks`,
    `Give the id of each that you mean:\n${lines.join('\n')}`,
  );
}
