// Resolves the title of a folder, project or space to its id. If several places have the title, a user on a terminal picks one.

import { accountOperations } from '#contract/account-operations.ts';
import { joinWithOr } from '#contract/format-list.ts';
import type { Operation } from '#contract/operation.ts';
import type { Folder, Space } from '#contract/read-only-records.ts';
import { formatValue } from '#contract/schema.ts';
import { usageError } from '#failure.ts';
import type { Context } from '../context.ts';
import { withValueName } from '../parse-values.ts';
import { readWholeList } from '../read-pages.ts';
import { findByPermalink } from './find-by-permalink.ts';
import { idFromLink, isIdShaped, isLink, isPermalink, mayBeId, unquoteId } from './id-shape.ts';
import { ambiguousName, createListCommand, findByName, nameNotFound } from './match-name.ts';

type Place = Pick<Folder, 'id' | 'title' | 'childIds' | 'scope'> | Pick<Space, 'id' | 'title'>;
export type PlaceKind = 'folder' | 'space';

const lists: Readonly<Record<PlaceKind, Operation<Record<never, never>, Place>>> = {
  folder: accountOperations.listFolders,
  space: accountOperations.listSpaces,
};
const nouns: Readonly<Record<PlaceKind, readonly string[]>> = {
  folder: ['folder', 'project'],
  space: ['space'],
};

/** `known`: the places, if they were read already; an id need not be among them. Throws `usage` for an unknown or ambiguous title. */
export async function resolvePlace(
  context: Context,
  text: string,
  flag: 'folder' | 'space',
  kinds: readonly PlaceKind[] = [flag],
  known?: readonly Place[],
): Promise<string> {
  if (isIdShaped(unquoteId(text))) return unquoteId(text);
  if (isLink(text)) return placeOfLink(context, text, flag);
  const places = known ?? (await readPlaces(context, kinds));
  if (places.some(({ id }) => id === text)) return text;
  const existing = places.filter((place) => !isDeleted(place));
  const matches = findByName(existing, text, ({ title }) => title);
  const [first, ...more] = matches;
  if (first !== undefined)
    return more.length === 0 ? first.id : pickPlace(context, text, flag, matches, places);
  // An unlisted place may still exist.
  if (mayBeId('FolderId', text)) return text;
  const titles = existing.flatMap(({ title }) => title ?? []);
  const noun = joinWithOr(kinds.flatMap((kind) => nouns[kind]));
  // The list of folders includes spaces.
  const list = kinds.includes('folder') ? 'folder list' : 'space list';
  const listCommand = createListCommand(context, list, 'title');
  throw nameNotFound(flag, text, `the title of a ${noun}`, titles, { listCommand });
}

export const isDeleted = (place: object) =>
  'scope' in place && (place.scope === 'RbFolder' || place.scope === 'RbRoot');

export async function readPlaces(context: Context, kinds: readonly PlaceKind[]): Promise<readonly Place[]> {
  const session = await context.session();
  const places = (await Promise.all(kinds.map((kind) => readWholeList(session, lists[kind])))).flat();
  // A space may also be in the list of folders.
  const distinct = [...new Map(places.map((place) => [place.id, place])).values()];
  if (distinct.every(({ title }) => title !== undefined)) return distinct;
  return fillTitles(distinct, kinds.includes('folder') ? places : await readWholeList(session, lists.folder));
}

async function placeOfLink(context: Context, link: string, flag: string): Promise<string> {
  const id = withValueName(`--${flag}`, () => idFromLink(link));
  if (!isPermalink(id)) return id;
  const placeId = await findByPermalink(await context.session(), accountOperations.listFolders, id);
  if (placeId === undefined) throw usageError(`--${flag}: nothing has the link ${formatValue(link)}`);
  return placeId;
}

/** Adds titles from the list of folders, which includes spaces: the list of spaces may lack titles. */
export function fillTitles<T extends Place>(places: readonly T[], folders: readonly Place[]): readonly T[] {
  const titles = new Map(folders.flatMap(({ id, title }) => (title === undefined ? [] : [[id, title]])));
  return places.map((place) => {
    const title = place.title ?? titles.get(place.id);
    return title === undefined ? place : { ...place, title };
  });
}

async function pickPlace(
  context: Context,
  text: string,
  flag: string,
  matches: readonly Place[],
  places: readonly Place[],
): Promise<string> {
  const location = ({ id }: Place) => {
    const parent = places.find((place) => 'childIds' in place && place.childIds?.includes(id));
    return parent?.title === undefined ? '' : `in ${parent.title}`;
  };
  if (!context.canPrompt || context.isDryRun) {
    const lines = matches.map((place) => [place.id, place.title, location(place)].join('  ').trimEnd());
    throw ambiguousName(flag, text, `${flag}s`, lines);
  }
  const entries = matches.map((place) => ({
    title: place.title ?? place.id,
    details: [place.id, location(place)],
    value: place.id,
  }));
  return context.prompt(`--${flag}`, (prompt) =>
    prompt.pick(`${matches.length} ${flag}s have the title ${JSON.stringify(text)}. Which?`, entries),
  );
}
