// Explains why a text matches no webhook: names the searched account, near matches, and other profiles where it matches. At
// night a wrong profile, or a slash too many, looks like a deleted webhook.

import type { Context } from '#cli/context.ts';
import { createCommandSession } from '#cli/create-session.ts';
import { nearestWords } from '#contract/did-you-mean.ts';
import { joinWithAnd, joinWithOr } from '#contract/format-list.ts';
import { webhookOperations } from '#contract/webhook.ts';
import { Failure, joinHints, toFailure } from '#failure.ts';
import { readProfiles } from '#login/profile.ts';
import { loadCredentials, selectProfile } from '#login/select-account.ts';
import { foldCase } from '#terminal/picker/fold-case.ts';
import { type Hook, listAll, onlyThisApplication } from '../records/hook.ts';

/** The suggestions must not delay the error for longer. */
const withinMs = 5_000;
const mostProfiles = 5;

const silent = { isQuiet: true, info: () => {}, warn: () => {} };

/** Ignores a final slash, the query, http or https, spaces around the text, and letter case. */
export function nearHooks(text: string, hooks: readonly Hook[]): readonly Hook[] {
  const comparable = toComparable(text);
  if (comparable === '') return [];
  return hooks.filter(({ record: { hookUrl = '' }, local }) =>
    [hookUrl, local?.label ?? ''].some((name) => toComparable(name).includes(comparable)),
  );
}

function toComparable(text: string): string {
  return foldCase(text.trim())
    .replace(/^https?:\/\//, '')
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '');
}

export async function noMatchFailure(context: Context, text: string, hooks: readonly Hook[]) {
  const names = hooks.flatMap(({ record, local }) => [record.hookUrl ?? [], local?.label ?? []].flat());
  const nearest = nearestWords(text, names).slice(0, 3);
  const account = await searchedAccount(context, hooks);
  const otherNames = await otherProfiles(context, text);
  const [profile] = otherNames;
  return new Failure('not_found', {
    message: `No webhook matches ${JSON.stringify(text)}`,
    why: `no listed webhook has that id, label or URL, or contains it${account === undefined ? '' : `; searched: ${account}`}`,
    hint: joinHints([
      ...(nearest.length === 0 ? [] : [`Did you mean ${joinWithOr(nearest)}?`]),
      ...(profile === undefined
        ? [listAll(context)]
        : [
            `It matches in ${otherNames.length === 1 ? 'the profile' : 'the profiles'} ${joinWithAnd(otherNames)}.`,
            listAll({ ...context, common: { ...context.common, profile } }),
          ]),
      onlyThisApplication,
    ]),
  });
}

/** The profile's name for the account; otherwise the account id in the webhooks. */
async function searchedAccount({ account, world }: Context, hooks: readonly Hook[]) {
  const listed = hooks.find(({ record }) => record.accountId !== undefined)?.record.accountId;
  const profile = await selectProfile(world, account).catch(() => undefined);
  const names = [profile?.account ?? listed ?? [], profile ? `(profile ${profile.name})` : []].flat();
  return names.length === 0 ? undefined : `account ${names.join(' ')}`;
}

async function otherProfiles(context: Context, text: string): Promise<readonly string[]> {
  const { world, account } = context;
  if (account.token !== undefined) return [];
  const own = await selectProfile(world, account).catch(toFailure);
  const stored = await readProfiles(world).catch(toFailure);
  if (stored instanceof Failure || own instanceof Failure) return [];
  const candidates = stored.profiles.filter(({ name }) => name !== own?.name).slice(0, mostProfiles);
  const folded = foldCase(text);
  const matches = await Promise.all(
    candidates.map(async ({ name }) => {
      try {
        const selected = { ...account, profile: name, folderProfile: undefined };
        const credentials = await loadCredentials(world, selected, silent);
        const session = await createCommandSession(context, { credentials, timeoutMs: withinMs });
        const { records } = await session.send(webhookOperations.listWebhooks, {}, {});
        const isThere = records.some(
          ({ id, hookUrl = '' }) => id === text || foldCase(hookUrl).includes(folded),
        );
        return isThere ? [name] : [];
      } catch {
        return [];
      }
    }),
  );
  return matches.flat();
}
