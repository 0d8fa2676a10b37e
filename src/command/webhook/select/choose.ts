// The webhooks that a command acts on: those that its arguments mean, all that --all and its filters let pass, or those that
// the user picks from a list.

import { joinWithAnd } from '../../../contract/format-list.ts';
import { operations } from '../../../contract/operation.ts';
import { Failure, usageError } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { booleanFlag, type ParsedFlags } from '../../flag.ts';
import type { LocalWebhooks } from '../local/local-webhook.ts';
import { readLocalWebhooks } from '../local/local-webhooks.ts';
import { assertComplete } from './assert-complete.ts';
import { filterFlags, filterWebhooks, type WebhookFilter, warnOfUnknown } from './filter.ts';
import { type PickFilter, pickWebhooks } from './pick.ts';
import { listAll, onlyThisApplication, type ReadWebhook, toReadWebhooks } from './read-webhook.ts';
import { type OnMissing, type Selected, selectWebhooks } from './select-webhooks.ts';

export const selectionFlags = {
  all: booleanFlag('Select all webhooks of this application, or those that match the flags below'),
  ...filterFlags,
};

/** The argument of commands that act on webhooks. */
export const webhookArgument = {
  help: 'the id, label or URL of a webhook, or a part of its label or URL',
  many: true,
  optional: true,
  completes: 'webhook',
} as const;

/** For the help of those commands. */
export const howToName = `A webhook can be given by its id, its label, its URL, or a part of its label or URL. If a text matches several, wm lets
you pick on a terminal; elsewhere it prints them and exits with status 2. An exact match wins, unless a label is also a
whole part of another webhook's URL: then both match.`;

export type SelectionFlags = ParsedFlags<typeof selectionFlags>;

export interface Chosen {
  /** Each once. */
  readonly ids: readonly string[];
  /** Those that were read to find them. */
  readonly known: ReadonlyMap<string, ReadWebhook>;
  /** What this machine knew when they were chosen: labels, and what each was created with. */
  readonly local: LocalWebhooks;
  /** True if the user did not name each exactly: then even what needs no confirmation asks for one. */
  readonly isGuess: boolean;
}

/**
 * `verb` is the command's word; `pick` says what a list offers if nothing is given.
 * @throws {Failure} `usage` for arguments that contradict each other or mean several; `not_found` if nothing matches.
 */
export async function chooseWebhooks(
  context: Context,
  {
    given,
    flags,
    verb,
    pick,
  }: {
    readonly given: readonly string[];
    readonly flags: SelectionFlags;
    readonly verb: string;
    readonly pick: PickFilter;
  },
): Promise<Chosen> {
  const { all = false, ...filter } = flags;
  const filters = Object.keys(filter).map((name) => `--${name}`);
  if (all && given.length > 0)
    throw usageError('--all cannot be combined with an ID', 'Give the webhooks, or --all.');
  if (!all && filters.length > 0)
    throw usageError(
      `${joinWithAnd(filters)} ${filters.length === 1 ? 'needs' : 'need'} --all`,
      `To ${verb} all that match, add --all.`,
    );
  return all ? chooseAll(context, filter) : chooseGiven(context, { given, verb, pick });
}

/** The same without `--all`. */
export async function chooseGiven(
  context: Context,
  {
    given,
    verb,
    pick,
    onMissing,
  }: {
    readonly given: readonly string[];
    readonly verb: string;
    readonly pick: PickFilter;
    /** Gets each text that means no webhook; without it, the first ends the command. */
    readonly onMissing?: OnMissing;
  },
): Promise<Chosen> {
  const chosen: Selected =
    given.length > 0
      ? await selectWebhooks(context, given, { onMissing })
      : { ids: await pickWebhooks(context, verb, pick), isGuess: true };
  const local = chosen.local ?? (await readLocalWebhooks(context));
  return { ...chosen, known: new Map(), local };
}

async function chooseAll(context: Context, filter: WebhookFilter): Promise<Chosen> {
  const session = await context.session();
  const [response, local] = await Promise.all([
    session.send(operations.listWebhooks, {}, {}),
    readLocalWebhooks(context),
  ]);
  const listing = listAll(context);
  assertComplete(response, 'act on all of them', {
    ...listing,
    text: `Give the ids instead. ${listing.text}`,
  });
  const { webhooks, unknown } = await filterWebhooks(context, toReadWebhooks(response), filter, local);
  await warnOfUnknown(context, unknown);
  if (webhooks.length === 0)
    throw new Failure('not_found', { message: 'No webhook matches', hint: onlyThisApplication });
  return {
    ids: webhooks.map(({ record }) => record.id),
    known: new Map(webhooks.map((one) => [one.record.id, one])),
    local,
    isGuess: true,
  };
}
