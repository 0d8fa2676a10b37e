// Where a text means no webhook: which account was searched, what comes near it, and other profiles in which it matches. At night the
// wrong profile, or a slash too many, looks like a webhook that is gone.

import type { Context } from '#cli/context.ts';
import { createCommandSession } from '#cli/create-session.ts';
import { nearestWords } from '#contract/did-you-mean.ts';
import { joinWithAnd, joinWithOr } from '#contract/format-list.ts';
import { operations } from '#contract/operation.ts';
import { Failure, joinHints, toFailure } from '#failure.ts';
import { readProfiles } from '#login/profile.ts';
import { loadCredentials, selectProfile } from '#login/select-account.ts';
import { foldCase } from '#terminal/picker/fold-case.ts';
import { type Hook, listAll, onlyThisApplication } from '../records/hook.ts';

/** Nobody should wait longer for what only helps. */
const withinMs = 5_000;
const mostProfiles = 5;

const silent = { isQuiet: true, info: () => {}, warn: () => {} };

/** Those that match but for a slash at the end, the query, http for https, spaces around it, or letter case. */
export function nearHooks(text: string, all: readonly Hook[]): readonly Hook[] {
  const wanted = toComparable(text);
  if (wanted === '') return [];
  return all.filter(({ record: { hookUrl = '' }, local }) =>
    [hookUrl, local?.label ?? ''].some((name) => toComparable(name).includes(wanted)),
  );
}

function toComparable(text: string): string {
  return foldCase(text.trim())
    .replace(/^https?:\/\//, '')
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '');
}

export async function noMatchFailure(context: Context, text: string, all: readonly Hook[]): Promise<Failure> {
  const names = all.flatMap(({ record, local }) => [record.hookUrl ?? [], local?.label ?? []].flat());
  const nearest = nearestWords(text, names).slice(0, 3);
  const account = await searchedAccount(context, all);
  const others = await otherProfiles(context, text);
  return new Failure('not_found', {
    message: `No webhook matches ${JSON.stringify(text)}`,
    why: `it is no id, label or URL of a webhook that the service lists, nor a part of one${account === undefined ? '' : `; searched: ${account}`}`,
    hint: joinHints([
      ...(nearest.length === 0 ? [] : [`Did you mean ${joinWithOr(nearest)}?`]),
      ...(others.length === 0
        ? []
        : [`It matches in ${others.length === 1 ? 'the profile' : 'the profiles'} ${joinWithAnd(others)}.`]),
      ...(others.length === 0
        ? [listAll(context)]
        : others
            .slice(0, 1)
            .map((profile) => listAll({ ...context, common: { ...context.common, profile } }))),
      onlyThisApplication,
    ]),
  });
}

/** As the profile names it; otherwise the id that the webhooks have. */
async function searchedAccount(
  { account, world }: Context,
  all: readonly Hook[],
): Promise<string | undefined> {
  const listed = all.find(({ record }) => record.accountId !== undefined)?.record.accountId;
  if (account.token !== undefined) return listed === undefined ? undefined : `account ${listed}`;
  const profile = await selectProfile(world, account).catch(toFailure);
  if (profile === undefined || profile instanceof Failure) return listed;
  return `account ${profile.account ?? listed ?? ''} (profile ${profile.name})`.replace('  ', ' ');
}

/** Those of the other profiles that are signed in and have a webhook that the text means. Whatever fails says nothing. */
async function otherProfiles(context: Context, text: string): Promise<readonly string[]> {
  const { world, account } = context;
  if (account.token !== undefined) return [];
  const own = await selectProfile(world, account).catch(toFailure);
  const known = await readProfiles(world).catch(toFailure);
  if (known instanceof Failure || own instanceof Failure) return [];
  const others = known.profiles.filter(({ name }) => name !== own?.name).slice(0, mostProfiles);
  const wanted = foldCase(text);
  const found = await Promise.all(
    others.map(async ({ name }) => {
      try {
        const selected = { ...account, profile: name, folderProfile: undefined };
        const credentials = await loadCredentials(world, selected, silent);
        const session = await createCommandSession(context, { credentials, timeoutMs: withinMs });
        const { records } = await session.send(operations.listWebhooks, {}, {});
        const isThere = records.some(
          ({ id, hookUrl = '' }) => id === text || foldCase(hookUrl).includes(wanted),
        );
        return isThere ? [name] : [];
      } catch {
        return [];
      }
    }),
  );
  return found.flat();
}
