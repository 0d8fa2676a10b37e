// `wm folder list`: the folders and projects that the user can see, as a tree on a terminal, each with its path in a pipe.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { booleanFlag, integerFlag, textFlag } from '#cli/flags/flag.ts';
import { limitFlag, longFlag } from '#cli/print-list.ts';
import { emptyAfter } from '#cli/read-pages.ts';
import { fillTitles, resolvePlace } from '#cli/resolve/resolve-place.ts';
import { createTextMatch } from '#cli/resolve/text-match.ts';
import { createRequestFormatter, printDryRun } from '#cli/send.ts';
import { followPages } from '#client/follow-pages.ts';
import type { Session } from '#client/session.ts';
import { accountOperations } from '#contract/account-operations.ts';
import type { Operation } from '#contract/operation.ts';
import type { Account } from '#contract/read-only-records.ts';
import { usageError } from '#failure.ts';
import { canDrawLines, widthOf } from '#terminal/line-drawing.ts';
import type { Column } from '#terminal/table.ts';
import {
  type FolderNode,
  fillScopes,
  formatPath,
  listFolderNodes,
  type ReadFolder,
} from './folder-tree/folder-nodes.ts';

/** Scripts select columns by position, so add new ones at the end. */
const pipeColumns: readonly Column<FolderNode>[] = [
  { title: 'id', cell: ({ record }) => record.id, unbroken: true },
  { title: 'title', cell: ({ record }) => record.title ?? '' },
  { title: 'type', cell: ({ type }) => type },
  { title: 'path', cell: formatPath },
];

export default command({
  changes: 'nothing',
  sendsRequests: true,
  examples: {
    'Show the folders as a tree': 'wm folder list',
    'Find a folder by its title': 'wm folder list --title copy',
    'Show what is in a space': 'wm folder list --space Studio --depth 1',
    'List the projects': 'wm folder list --projects',
    'Get ids and paths in a script': 'wm folder list | cut -f1,4',
  },
  details: `A terminal shows a tree, in which folders without an id only show where other folders are; a pipe gets a line for each
folder, with its path. If a folder is below more than 30 levels, only the last 30 are shown, after '…'. The root and the recycle bin are
not listed: wm account shows their ids.

The service sends all folders; wm itself applies the flags.`,
  pipeColumns,
  flags: {
    space: textFlag('SPACE', 'Only what is in this space (title or id)'),
    folder: textFlag('FOLDER', 'Only what is in this folder or project (title or id)'),
    title: textFlag('TEXT', 'Only folders whose title contains this text, ignoring case'),
    projects: booleanFlag('Only projects; --no-projects: no projects', { negatable: true }),
    depth: integerFlag('N', 'Only the first N levels', 1, 1_000_000),
    limit: limitFlag,
    long: longFlag,
  },
  async run({ flags: { space, folder, title, projects, depth, limit, long } }, context) {
    if (space !== undefined && folder !== undefined)
      throw usageError('--space and --folder cannot be combined', 'Give only the space or only the folder.');
    const { report, world } = context;
    if (context.isDryRun) {
      const format = await createRequestFormatter(context);
      return printDryRun(context, [
        format(accountOperations.listFolders, {}, {}),
        format(accountOperations.listSpaces, {}, {}),
      ]);
    }
    const session = await context.session();
    const readAll = async <R>(operation: Operation<Record<never, never>, R>) => {
      const items: { record: R; raw: ReadFolder['raw'] }[] = [];
      for await (const { records, raw } of followPages(session, operation, {}, {}))
        for (const [index, record] of records.entries()) items.push({ record, raw: raw[index] ?? {} });
      return items;
    };
    const [folders, spaces] = await Promise.all([
      readAll(accountOperations.listFolders),
      readAll(accountOperations.listSpaces),
    ]);
    const recordsOf = <R>(items: readonly { readonly record: R }[]) => items.map(({ record }) => record);
    const place = space ?? folder;
    const kind = space === undefined ? 'folder' : 'space';
    const places =
      space === undefined ? recordsOf(folders) : fillTitles(recordsOf(spaces), recordsOf(folders));
    const startId =
      place === undefined ? undefined : await resolvePlace(context, place, kind, [kind], places);
    if (startId !== undefined && !folders.some(({ record }) => record.id === startId)) {
      // The service rejects the id, or returns a folder that the list lacks.
      const { records, raw } = await session.send(accountOperations.getFolders, { folderIds: [startId] }, {});
      folders.push(...records.map((record, index) => ({ record, raw: raw[index] ?? {} })));
    }

    const lacksScopes = folders.some(({ record }) => record.scope === undefined);
    const withScopes = lacksScopes ? fillScopes(folders, await readAccount(session)) : folders;
    const nodes = listFolderNodes(withScopes, new Set(spaces.map(({ record }) => record.id)), startId);
    const hasTitle = createTextMatch(title);
    const { output } = world.streams;
    const asTree = output.isTerminal && !report.wantsJson;
    const matching = nodes.filter(
      (node) =>
        // A tree shows a folder below each of its parents; a list shows it once.
        (asTree || !node.isRepeated) &&
        hasTitle(node.record.title) &&
        (projects === undefined || (node.type === 'project') === projects) &&
        (depth === undefined || node.depth <= depth),
    );
    const selected = matching.slice(0, limit);
    if (!asTree)
      await report.parts(
        inPortions(context, selected, (records) => ({
          columns: pipeColumns,
          records,
          raw: records.map(({ raw }) => raw),
        })),
      );
    else if (selected.length > 0) {
      const { drawTree, treeRows } = await import('./folder-tree/draw-tree.ts');
      const rows = treeRows(nodes, selected);
      const style = {
        isOneLine: !long,
        withLines: canDrawLines(output, world.environment, world.process.platform),
        redact: (text: string) => report.textOf(text, 'title'),
      };
      const draw = (portion: typeof rows) => drawTree(portion, widthOf(output), style);
      const texts: string[] = [];
      for await (const text of inPortions(context, rows, draw)) texts.push(text);
      await report.line(texts.join('\n'), { mayBeLong: true, isData: true });
    }
    if (selected.length > 0) return;
    const count = nodes.filter(({ isRepeated }) => !isRepeated).length;
    const none =
      startId === undefined
        ? 'No folders that you can see.'
        : `${place} contains no folders that you can see.`;
    await report.info(count === 0 ? none : `None of ${countOf(count, 'folder')} matches.`);
  },
});

/** Empty if it cannot be read: then the list has the root and the recycle bin too. */
async function readAccount(session: Session): Promise<Pick<Account, 'rootFolderId' | 'recycleBinId'>> {
  const read = async () => (await session.send(accountOperations.getAccount, {}, {})).records;
  return (await emptyAfter(() => true, read))[0] ?? {};
}

const portionSize = 1000;

/** Formats the items in portions, so that Ctrl-C works between them. */
async function* inPortions<T, U>(
  { world }: Pick<Context, 'world'>,
  items: readonly T[],
  format: (portion: readonly T[]) => U,
): AsyncGenerator<U, void, undefined> {
  for (let start = 0; start < items.length; start += portionSize) {
    await world.clock.nextTurn();
    yield format(items.slice(start, start + portionSize));
  }
}
