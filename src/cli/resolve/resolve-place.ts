// Resolves the title of a folder, project or space to its id. If several places have the title, a user on a terminal picks
// one.

import { joinWithOr } from '#contract/format-list.ts';
import { type Operation, operations } from '#contract/operation.ts';
import type { Folder, Space } from '#contract/read-only-records.ts';
import { formatValue } from '#contract/schema.ts';
import { usageError } from '#failure.ts';
import type { Context } from '../context.ts';
import { withFlagName } from '../flags/with-flag-name.ts';
import { readWholeList } from '../read-pages.ts';
import { findByPermalink } from './find-by-permalink.ts';
import { isIdShaped, mayBeId } from './id-shape.ts';
import { ambiguousName, createListCommand, findByName, nameNotFound } from './match-name.ts';
import { idFromLink, isLink, isPermalink } from './permalink.ts';

type Place = Pick<Folder, 'id' | 'title' | 'childIds' | 'scope'> | Pick<Space, 'id' | 'title'>;

export type PlaceKind = 'folder' | 'space';

const lists: Readonly<Record<PlaceKind, Operation<Record<never, never>, Place>>> = {
  folder: operations.listFolders,
  space: operations.listSpaces,
};
const nouns: Readonly<Record<PlaceKind, readonly string[]>> = {
  folder: ['folder', 'project'],
  space: ['space'],
};

/** `kinds`: the flag's kinds of places. @throws {Failure} `usage` if the title is unknown, or ambiguous without a prompt. */
export async function resolvePlace(
  context: Context,
  text: string,
  flag: 'folder' | 'space',
  kinds: readonly PlaceKind[] = [flag],
): Promise<string> {
  if (isIdShaped(text)) return text;
  if (isLink(text)) return placeOfLink(context, text, flag);
  return resolvePlaceAmong(context, await readPlaces(context, kinds), text, flag, kinds);
}

/** In the recycle bin, or the recycle bin itself. */
export const isDeleted = (place: object) =>
  'scope' in place && (place.scope === 'RbFolder' || place.scope === 'RbRoot');

/** The account's places of these kinds, with titles. */
export async function readPlaces(context: Context, kinds: readonly PlaceKind[]): Promise<readonly Place[]> {
  const session = await context.session();
  const places = (await Promise.all(kinds.map((kind) => readWholeList(session, lists[kind])))).flat();
  // A space may also be in the list of folders.
  const all = [...new Map(places.map((one) => [one.id, one])).values()];
  if (all.every(({ title }) => title !== undefined)) return all;
  return fillTitles(all, kinds.includes('folder') ? places : await readWholeList(session, lists.folder));
}

async function placeOfLink(context: Context, link: string, flag: string): Promise<string> {
  const id = withFlagName(flag, () => idFromLink(link));
  if (!isPermalink(id)) return id;
  const found = await findByPermalink(await context.session(), 'folder', id);
  if (found === undefined) throw usageError(`--${flag}: nothing has the link ${formatValue(link)}`);
  return found;
}

/** Adds titles from the list of folders, which includes spaces: the list of spaces may lack titles. */
export function fillTitles<T extends Place>(all: readonly T[], folders: readonly Place[]): readonly T[] {
  const titles = new Map(folders.flatMap(({ id, title }) => (title === undefined ? [] : [[id, title]])));
  return all.map((one) => {
    const title = one.title ?? titles.get(one.id);
    return title === undefined ? one : { ...one, title };
  });
}

/** Like {@link resolvePlace}, among places that were read. An id does not have to be among them. */
export async function resolvePlaceAmong(
  context: Context,
  all: readonly Place[],
  text: string,
  flag: 'folder' | 'space',
  kinds: readonly PlaceKind[] = [flag],
): Promise<string> {
  if (isIdShaped(text) || all.some(({ id }) => id === text)) return text;
  if (isLink(text)) return placeOfLink(context, text, flag);
  const named = all.filter((one) => !isDeleted(one));
  const found = findByName(named, text, ({ title }) => title);
  const [first, ...more] = found;
  if (first !== undefined)
    return more.length === 0 ? first.id : pickPlace(context, { text, flag, found, all });
  // An unlisted place may still exist.
  if (mayBeId('FolderId', text)) return text;
  const titles = named.flatMap(({ title }) => title ?? []);
  const noun = joinWithOr(kinds.flatMap((kind) => nouns[kind]));
  // The list of folders includes spaces.
  const list = kinds.includes('folder') ? 'folder list' : 'space list';
  const listCommand = createListCommand(context, list, 'title');
  throw nameNotFound(flag, text, `the title of a ${noun}`, titles, { listCommand });
}

async function pickPlace(
  context: Context,
  {
    text,
    flag,
    found,
    all,
  }: {
    readonly text: string;
    readonly flag: string;
    readonly found: readonly Place[];
    readonly all: readonly Place[];
  },
): Promise<string> {
  const parentOf = ({ id }: Place) =>
    all.find((one) => 'childIds' in one && one.childIds?.includes(id) === true)?.title;
  const where = (one: Place) => {
    const parent = parentOf(one);
    return parent === undefined ? '' : `in ${parent}`;
  };
  const { common } = context;
  if (!context.canPrompt || common.dryRun || common.curl) {
    const lines = found.map((one) => [one.id, one.title, where(one)].join('  ').trimEnd());
    throw ambiguousName(flag, text, `${flag}s`, lines);
  }
  const entries = found.map((one) => ({
    title: one.title ?? one.id,
    details: [one.id, where(one)],
    value: one.id,
  }));
  return context.prompt(`--${flag}`, (prompt) =>
    prompt.pick(`${found.length} ${flag}s have the title ${JSON.stringify(text)}. Which?`, entries),
  );
}
