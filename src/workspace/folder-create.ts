// `wm folder create`: one folder in a folder, project or space.

import { command } from '#cli/command.ts';
import { readWholeList } from '#cli/read-pages.ts';
import { send } from '#cli/send.ts';
import { accountOperations } from '#contract/account-operations.ts';
import type { Folder } from '#contract/read-only-records.ts';
import { createOperations, folderCreateParameters } from '#contract/task-create.ts';
import { mayBeHtml } from '#html-reader/html-text.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { updateFlags } from '#tasks/input/update-flags.ts';
import { withCandidates } from '#tasks/lost-creation.ts';
import { createNameLists } from '#tasks/names/name-lists.ts';
import { resolveUsers } from '#tasks/names/user.ts';
import { assertTitle, placeFlag, requireFolderFlag, resolveFolder } from '#tasks/new-task/build-create.ts';
import type { Column } from '#terminal/table.ts';

const columns: readonly Column<Folder>[] = [
  { title: 'id', cell: ({ id }) => id, unbroken: true },
  { title: 'title', cell: ({ title }) => title ?? '' },
];

export default command({
  changes: 'the service',
  sendsRequests: true,
  examples: {
    'Create a folder in another, by its title': "wm folder create 'Drafts' --folder Website",
    'Create a folder in a space': "wm folder create 'Ideas' --folder Studio",
    'Share it with a user, and print it as JSON':
      "wm folder create 'Drafts' --folder IEAAAAAQI4AB5FLD --shareds KUAABENQ --json",
  },
  details: `The title is always literal. If the response is lost, wm does not send the request again, since that could create a second
folder: it looks for folders of the same title, names them, and exits with status 9.`,
  pipeColumns: columns,
  arguments: { title: { help: 'the title of the folder' } },
  flags: {
    folder: placeFlag,
    description: {
      ...updateFlags.description,
      help: `${folderCreateParameters.description.meaning}; @FILE or - reads it from there`,
    },
    shareds: { ...updateFlags.addShareds, help: folderCreateParameters.shareds.meaning },
  },
  async run({ arguments: { title }, flags: { folder, description, shareds } }, context) {
    assertTitle(title);
    const place = requireFolderFlag(context, folder);
    if (description !== undefined && mayBeHtml(description)) {
      const { htmlWarnings } = await import('#tasks/input/stripped-html.ts');
      for (const warning of htmlWarnings(description)) await context.report.warn(warning);
    }
    const users =
      shareds && (await resolveUsers(createNameLists(context.session, context), 'shareds', shareds));
    const folderId = await resolveFolder(context, place);
    const parameters = { title, ...omitUndefined({ description, shareds: users }) };
    const response = await withCandidates(
      context,
      {
        noun: 'folder',
        trait: 'this title',
        async find() {
          const session = await context.session();
          const folders = await readWholeList(session, accountOperations.listFolders, {}, { title });
          const here = folders.filter(({ parentIds }) => parentIds?.includes(folderId) !== false);
          return here.filter((folder) => folder.title === title);
        },
        look: ['folder list', []],
      },
      send(context, createOperations.createFolder, { folderId }, parameters),
    );
    if (response) await context.report.one({ columns, ...response });
  },
});
