// The table of the `wm emulator` commands that send one control request and print its response: a row for each, by its word.

import type { Command } from '#cli/command.ts';
import { countOf } from '#cli/count-of.ts';
import { durationFlag } from '#cli/flags/entry-flags.ts';
import { booleanFlag, integerFlag, textFlag, valueFlag } from '#cli/flags/flag.ts';
import { timestampSchema } from '#contract/date.ts';
import { boolean, list, number, object, optional, readLeniently, text } from '#contract/schema.ts';
import { sample } from '../state/sample-ids.ts';
import { accessCommands } from './access-commands.ts';
import { controlCommand, doneWith, jsonObjectFlag, listOf } from './control-command.ts';
import { eventCommands } from './event-commands.ts';
import { injectionCommands } from './injection-commands.ts';

const example = '{"importance":"High"}';

export const controlCommands = {
  clock: controlCommand({
    examples: {
      'Advance it by five minutes: retries, expiry and other due jobs run': 'wm emulator clock --advance 5m',
      'Stop it at a given time': 'wm emulator clock --freeze --at 2026-05-01T00:00:00Z',
      'Let it run again': 'wm emulator clock --resume',
    },
    flags: {
      advance: durationFlag('Move the clock forward by this much'),
      freeze: booleanFlag('Stop the clock'),
      at: valueFlag(timestampSchema, 'TIME', 'The time to stop it at (default: now)'),
      resume: booleanFlag('Let the clock run again'),
    },
    call({ flags: { advance, freeze, at, resume } }) {
      const freezes = freeze || at !== undefined || undefined;
      const body = { freeze: freezes, at, advanceSeconds: advance && advance / 1_000, resume };
      return { path: '/clock', body, waitsForDeliveries: advance !== undefined };
    },
    print: (response, { report }) =>
      report.one({
        columns: [
          { title: 'now', cell: ({ now }) => now },
          { title: 'runs', cell: ({ frozen }) => (frozen ? 'frozen' : 'running') },
        ],
        records: [readLeniently(object('clock', { now: timestampSchema, frozen: boolean }), response)],
        raw: [response],
      }),
  }),
  'make-tasks': controlCommand({
    examples: {
      'Create a thousand tasks and store their ids': 'wm emulator make-tasks --count 1000 > ids',
      'Create tasks with the titles Row 1 to Row 20': 'wm emulator make-tasks --count 20 --title Row',
    },
    details: 'Prints the ids of the tasks, oldest first. Notifies no webhook.',
    flags: {
      count: integerFlag('N', 'Create this many tasks (default: 1)', 1, 100_000),
      title: textFlag('TEXT', 'Start the titles with this text; a number follows (default: Task)'),
      folder: textFlag(
        'ID',
        'Create them in this folder, project or space (default: the sample folder)',
        'place',
      ),
    },
    call: ({ flags: { count = 1, title, folder: folderId } }) => ({
      path: '/tasks',
      body: { count, title, folderId },
    }),
    print: listOf('taskIds', text('TaskId'), [{ title: 'id', cell: (id) => id, unbroken: true }]).print,
  }),
  'mass-action': controlCommand({
    examples: {
      'Update two tasks at once, as the web workspace does': `wm emulator mass-action IEAAAAAQKQAB5BNG IEAAAAAQKQAB5MIL --parameters '${example}'`,
    },
    details: `A mass action notifies no webhook. Its parameters are those of the service's task update, under the service's names.`,
    arguments: { id: { help: 'the id of a task', many: true, completes: 'task' } },
    flags: {
      parameters: {
        ...jsonObjectFlag('--parameters', 'The changes', example),
        required: `For example: --parameters '${example}'`,
      },
    },
    call: ({ arguments: { id: taskIds }, flags: { parameters } }) => ({
      path: '/mass-actions',
      body: { taskIds, parameters },
    }),
    ...doneWith('tasks', (count) => `Updated ${countOf(count, 'task')} without notifying webhooks.`),
  }),
  snapshot: controlCommand({
    onlyReads: true,
    examples: {
      'Store the data in a seed file': 'wm emulator snapshot > seed.yaml',
      'Check a seed file in an editor': 'wm emulator snapshot --schema > seed.schema.json',
      'The same as JSON': 'wm emulator snapshot --json > seed.json',
    },
    details: `Prints what \`wm emulator start --seed FILE\` starts with: users, folders, tasks, webhooks and the rest, in YAML (JSON with
--json). Dates and ids stay as they are. docs/emulator.md describes the format.

It has the secrets of webhooks and applications and the permanent tokens that were created; only an emulator accepts those. It has
no sign-ins, no contents of attachments, and nothing that is under way: deliveries, mails, faults, stubs.`,
    flags: {
      schema: booleanFlag('Print the JSON Schema of such a file instead; no emulator is needed'),
    },
    async call({ flags: { schema } }, { report }) {
      if (!schema) return { path: '/seed' };
      const { createSeedSchema } = await import('../seed/seed-json-schema.ts');
      await report.line(JSON.stringify(createSeedSchema(), null, 2));
      return undefined;
    },
    async print(response, context) {
      const missing = countContents(response);
      if (missing > 0)
        await context.report.info(
          `The contents of ${missing === 1 ? 'an attachment are' : `${missing} attachments are`} not in it: downloads from the next emulator are 404.`,
        );
      // Without its secrets, the seed would start a different emulator.
      const report = context.report.withSecrets();
      if (report.wantsJson) return report.json(response);
      const { formatYamlValue } = await import('#cli/yaml-document.ts');
      const comment = "Data of wm's emulator. To start one with it: wm emulator start --seed FILE";
      await report.line(formatYamlValue(comment, response).trimEnd());
    },
  }),
  reset: controlCommand({
    examples: { 'Before each test': 'wm emulator reset' },
    details: `Removes the tokens that the emulator has issued, and restores the permanent tokens of the sample. The clock runs again
and shows the real time.`,
    flags: {},
    call: () => ({ path: '/reset', method: 'POST' }),
    ...doneWith('reset', () => 'Restored the seed, or the sample without one, and the clock.'),
  }),
  ...accessCommands,
  ...eventCommands,
  ...injectionCommands,
} as const satisfies Readonly<Record<string, Command>>;

const file = object('file', { id: text('id'), size: optional(number('bytes')) });
const itemList = list(object('task or folder', { attachments: optional(list(file)) }));
const seedFiles = object('seed', { tasks: optional(itemList), folders: optional(itemList) });

/** The number of attachments with contents, without the sample's, which every emulator has. */
function countContents(seed: unknown): number {
  const { tasks = [], folders = [] } = readLeniently(seedFiles, seed);
  return [...tasks, ...folders]
    .flatMap(({ attachments = [] }) => attachments)
    .filter(({ id, size = 0 }) => size > 0 && id !== sample.attachment).length;
}
