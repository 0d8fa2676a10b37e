// The recipes of src/README.md as data: where each of their steps stands, and what a made-up parameter, event, endpoint,
// failure code and command need there. src/README.md names the same places in the same order; a test holds that.

import assert from 'node:assert/strict';
import type { Check } from './checks.ts';

export interface Step {
  /** As src/README.md names it: below src/ unless it begins with test/ or docs/. A folder where the file is new. */
  readonly place: string;
  /** Below `place`, where that is a folder. */
  readonly newFile?: string;
  /** Each text stands after, or before, a text that is in the file once. */
  readonly after?: string;
  readonly before?: string;
  readonly text: string;
  /** Fails without the step. */
  readonly check: Check;
}

export interface Recipe {
  /** In bold in src/README.md. */
  readonly name: string;
  readonly steps: readonly [Step, ...Step[]];
}

export const recipes: readonly Recipe[] = [
  {
    name: 'A new command',
    steps: [
      {
        place: 'account/',
        check: 'types',
        newFile: 'made-up.ts',
        text: `// \`wm made-up\`: what the recipe of a new command makes. It stands in copies of the project alone.

import { command } from '#cli/command.ts';
import { booleanFlag } from '#cli/flags/flag.ts';
import { Failure } from '#failure.ts';

export default command({
  changes: 'nothing',
  examples: { 'Print something made up': 'wm made-up' },
  arguments: {},
  flags: { fail: booleanFlag('Fail instead') },
  async run({ flags }, { report }) {
    if (flags.fail) throw new Failure('made_up', { message: 'It was made up' });
    await report.line('made up');
  },
});
`,
      },
      {
        place: 'app/commands.ts',
        check: 'test/app/invocations',
        after: `  Account: [\n`,
        text: `    row('made-up', 'Print something made up', () => import('#account/made-up.ts')),\n`,
      },
      {
        place: 'docs/commands.md',
        check: 'commands',
        before: '| `wm webhook events`',
        text: '| `wm made-up` | print something made up |\n',
      },
      {
        place: 'test/app/invocations.ts',
        check: 'test/app/invocations',
        after: 'export const invocations: Readonly<Record<string, Invocation>> = {\n',
        text: `  'made-up': { arguments: [], isLocal: true },\n`,
      },
      {
        place: 'test/transcript/',
        check: 'commands',
        newFile: 'made-up.txt',
        text: `# What the recipes of a new command and of a new failure code make.

$ wm made-up
> made up

$ wm made-up --fail
! wm: It was made up
exit 11
`,
      },
    ],
  },
  {
    name: 'A new task parameter',
    steps: [
      {
        place: 'contract/task.ts',
        check: 'types',
        after: 'export const taskUpdateParameters = {\n',
        text: `  madeUp: parameter(metadataValue, 'Set the made-up text'),\n`,
      },
      {
        place: 'emulator/task/effects.ts',
        check: 'types',
        after: 'export const taskEffects: Effects<Draft, Required<TaskUpdate>> = {\n',
        text: `  madeUp(draft, value, around, update) {
    taskEffects.metadata(draft, [{ key: 'madeUp', value }], around, update, 'metadata');
  },
`,
      },
      {
        place: 'tasks/parts/changed-parts.ts',
        check: 'types',
        after: 'const partsByParameter: PartsByParameter = {\n',
        text: `  madeUp: (sent) => [metadataPart({ key: 'madeUp', value: sent })],\n`,
      },
      {
        place: 'test/witness/task-update.ts',
        check: 'test/contract/witness',
        after: 'export const taskParameters: readonly TaskParameter[] = [\n',
        text: `  { name: 'madeUp', type: 'string', json: false },\n`,
      },
      {
        place: 'test/witness/task-update.ts',
        check: 'test/tasks/update-requests',
        after: 'const written: readonly Written[] = [\n',
        text: `  [
    ['--made-up', 'a b'],
    'madeUp=a%20b',
    { shows: { metadata: [{ key: 'source', value: 'import' }, { key: 'madeUp', value: 'a b' }] } },
  ],
`,
      },
    ],
  },
  {
    name: 'A new event',
    steps: [
      {
        place: 'contract/event.ts',
        after: 'const rows = {\n',
        text: '  TaskMadeUp: task,\n',
        check: 'types',
      },
      {
        place: 'test/witness/events.ts',
        check: 'test/contract/witness',
        after: 'const written: readonly Written[] = [\n',
        text: `  ['TaskMadeUp', [], 'taskId', { causedBy: 'addFollowers=%5B%22KUAABENQ%22%5D' }],\n`,
      },
      {
        place: 'test/package/receiver.ts',
        check: 'types',
        before: "    case 'FolderCreated':\n",
        text: "    case 'TaskMadeUp':\n      return texts(event.taskId);\n",
      },
      {
        place: 'emulator/update/changes.ts',
        check: 'events',
        before: '  const { customItemTypeId: newId } = after;\n',
        text: `  if (isTask(before) && isTask(after) && before.followerIds.length < after.followerIds.length)
    add('TaskMadeUp', {});\n`,
      },
    ],
  },
  {
    name: 'A new endpoint',
    steps: [
      {
        place: 'contract/account-operations.ts',
        check: 'types',
        after: 'export const accountOperations = withNames({\n',
        text: `  getMadeUp: operation('GET', '/made_up', { kind: 'accounts', record: accountRecord }),\n`,
      },
      {
        place: 'test/witness/operations.ts',
        check: 'test/contract/witness',
        after: 'const written: readonly Written[] = [\n',
        text: `  ['GET', '/made_up', 'accounts', null, []],\n`,
      },
      {
        place: 'emulator/endpoints/',
        check: 'types',
        after: 'export const accountHandlers = {\n',
        newFile: 'account.ts',
        text: `  getMadeUp: () => ({ kind: 'accounts', data: [] }),\n`,
      },
    ],
  },
  {
    name: 'A new failure code',
    steps: [
      {
        place: 'failure.ts',
        check: 'types',
        after: 'const rows = {\n',
        text: `  made_up: { exit: 11, changed: 'no', concerns: 'command', retry: 'never', hint: undefined },\n`,
      },
      {
        place: 'docs/exit-statuses.md',
        check: 'test/root/failure',
        before: '| 129    |',
        text: '| 11     | `made_up` | something made up |\n',
      },
      {
        place: 'docs/decisions/failures.md',
        check: 'test/root/failure',
        before: '| `usage` |',
        text: '| `made_up` | 11 | end | again | once |\n',
      },
      {
        place: 'test/root/failure.test.ts',
        check: 'test/root/failure',
        after: '  assert.deepEqual(ours, {\n',
        text: `    made_up: 'not-sent, fatal',\n`,
      },
      {
        place: 'cli/exit-statuses.ts',
        before: '  129: ',
        text: "  11: 'something made up',\n",
        check: 'types',
      },
      {
        place: 'test/witness/errors.ts',
        before: '129, 130, 143];',
        text: '11, ',
        check: 'test/root/failure',
      },
    ],
  },
  {
    name: 'A new flag',
    steps: [
      {
        place: 'workspace/space-list.ts',
        check: 'commands',
        after: '    limit: limitFlag,\n',
        text: `    madeUpFlag: booleanFlag('Something made up'),\n`,
      },
      {
        place: 'test/transcript/',
        check: 'flags',
        newFile: 'made-up-flag.txt',
        text: `# What the recipe of a new flag makes.

$ wm space list --made-up-flag --title 'made up'
! None of 2 spaces matches.
`,
      },
    ],
  },
  {
    name: 'A new column',
    steps: [
      {
        place: 'workspace/timelog-add.ts',
        check: 'test/workspace/timelog-add',
        after: `  { title: 'comment', cell: ({ comment }) => comment ?? '' },\n`,
        text: `  { title: 'made up', cell: () => 'made up' },\n`,
      },
      {
        place: 'test/workspace/timelog-add.test.ts',
        after: '1\\\\.25\\\\tx',
        text: '\\\\tmade up',
        check: 'test/workspace/timelog-add',
      },
    ],
  },
  {
    name: 'A new setting',
    steps: [
      {
        place: 'cli/settings/setting-table.ts',
        check: 'test/cli/settings/change-settings.test',
        after: 'export const settings = {\n',
        text: `  'made-up': {
    schema: boolean,
    placeholder: 'BOOLEAN',
    help: 'Something made up',
    default: 'false',
    inFolder: 'allowed',
  },
`,
      },
      {
        place: 'docs/config-file.md',
        check: 'test/cli/settings/change-settings.test',
        before: '| `profile`',
        text: '| `made-up` | `true`, `false` | Something made up | false | yes |\n',
      },
    ],
  },
  {
    name: 'A new assumption',
    steps: [
      {
        place: 'contract/assumption.ts',
        check: 'types',
        after: 'const rows = {\n',
        text: `  'made-up': { about: 'something made up', assumed: 'that it is made up' },\n`,
      },
      {
        place: 'test/witness/assumption-sources.ts',
        check: 'test/emulator/rows',
        after: '  assumed: `',
        text: 'made-up ',
      },
      {
        place: 'emulator/endpoints/account.ts',
        check: 'test/emulator/rows',
        after: `    request.assume('audit-log-scopes');\n`,
        text: `    request.assume('made-up');\n`,
      },
      {
        place: 'tools/probing/assumption-judgements.ts',
        check: 'test/tools/probing/probe',
        after: 'const unseenIds: Readonly<Record<string, string>> = {\n',
        text: `  'it is made up': 'made-up',\n`,
      },
      {
        place: 'test/emulator/bare-members.test.ts',
        check: 'test/emulator/rows',
        after: `import { shows } from './shows.ts';\n`,
        text: `\ntest('what is made up', () => {\n  shows('made-up', 'default');\n});\n`,
      },
      {
        place: 'docs/contract-tests.md',
        check: 'test/emulator/rows',
        before: '| `method-parameter`',
        text: '| `made-up` | assumed | default | what is made up | `emulator/bare-members` |\n',
      },
    ],
  },
];

/** From the root of the project. */
export function fileOf({ place, newFile = '' }: Step): string {
  return `${/^(?:test|docs)\//.test(place) ? '' : 'src/'}${place}${newFile}`;
}

/** Throws if the place of the step is not in the text exactly once. */
export function followStep(text: string, step: Step): string {
  const anchor = step.after ?? step.before;
  if (anchor === undefined) return step.text;
  const parts = text.split(anchor);
  assert.equal(
    parts.length,
    2,
    `${fileOf(step)} has ${JSON.stringify(anchor)} ${parts.length - 1} times, not once`,
  );
  return parts.join(step.after === undefined ? step.text + anchor : anchor + step.text);
}
