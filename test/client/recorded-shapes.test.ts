// Every command of the program against a service that answers with the recorded shapes: it must succeed, and print all that its columns
// promise. Where a list shows less than a command needs, the command has to ask for it.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { commands } from '#app/commands.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { unquotedWords } from '#test/support/terminal/run-line.ts';
import { key, skip } from '#test/support/terminal/terminal.ts';
import { invocations } from '../app/invocations.ts';
import { ids } from '../witness/recorded-shapes.ts';
import { type Behaviour, recordedService } from './recorded-service.ts';

const service = await recordedService({ after });
beforeEach(() => service.reset());

const link = (number: number) => `https://any.host.example/open.htm?id=${4_500_000_000 + number}`;
const file = (name: string) => `${service.folder}/${name}`;
const tabs = (...cells: readonly string[]) => `${cells.join('\t')}\n`;
const hookUrl = 'https://hooks.example.com/first';
const unshown = 'not shown by the service';

const pages = tabs(
  ...[ids.pages, 'Active', 'Pages', 'High', '2026-10-12T09:00:00', '2026-10-15T17:00:00'],
  ...[ids.ben, '2026-10-07T01:00:00Z', 'Active'],
);
const launch = tabs(
  ...[ids.launch, 'Completed', 'Launch', 'Normal', '', '2026-10-16T17:00:00', '', '2026-10-08T02:00:00Z'],
  'Completed',
);
const subtask = tabs(
  ...[ids.subtask, 'Active', 'Proofread, "twice"', 'Normal', '', '', ids.ada, '2026-10-08T03:00:00Z'],
  'Active',
);
const backlog = tabs(
  ...[ids.backlog, 'Active', 'Pages', 'Normal', '', '', '', '2026-10-08T04:00:00Z'],
  'In review',
);
const pagesAlone = (title = 'Pages', updated = '2026-10-07T01:00:00Z') =>
  tabs(
    ...[ids.pages, 'Active', title, 'High'],
    ...['Planned, 2026-10-12T09:00:00 to 2026-10-15T17:00:00, 1920 min', ids.ben, updated],
  );
const now = '2026-10-13T08:00:00Z';
const webhook = (status = 'Active', label = '', since = /.*/) =>
  new RegExp(
    `^${tabs(ids.webhook, status, 'account or space', hookUrl, unshown, unshown, label, since.source, '', '')}$`,
  );

interface More {
  /** What standard error matches. */
  readonly says?: RegExp;
  readonly before?: readonly string[];
  readonly input?: string;
  readonly terminal?: true;
  readonly status?: number;
}

/** What is typed after `wm`; standard output, all of it or what it matches. */
type Row = readonly [typed: string, prints: string | RegExp, more?: More];

const rows: readonly Row[] = [
  ['login --with-token --profile recorded', /Ada Okafor\tKUAAAAAA\tExample/, { input: 'token' }],
  ['whoami', /^Ada Okafor\tKUAAAAAA\tExample\tIEAAAAAQ\t/],
  ['account', /^IEAAAAAQ\tExample\tdd\/MM\/yyyy\tMon\t.*\tIEAAAAAQI7777777\tIEAAAAAQI7777776\t/],
  ['doctor', /^service\tgood\t/m, { says: /clock/, status: 10 }],

  ['task list', pages + launch + subtask + backlog],
  ['task list --limit 3', pages + launch + subtask],
  ['task list --folder Website', pages],
  [`task list --folder '${link(103)}' --recursive`, pages + subtask + backlog],
  ['task list --space Studio --recursive', pages + launch + subtask + backlog],
  ['task list --title page', pages + backlog],
  ['task list --unassigned', launch + backlog],
  ['task list --responsible @me', subtask],
  ["task list --responsible 'Ben Lang'", pages],
  ['task list --status completed', launch],
  // Its workflow belongs to a space.
  ["task list --status 'in review'", backlog],
  ['task list --metadata build --metadata build=981', pages],
  ['task list --custom-field Risk=High --custom-field Hours', pages],
  ['task list --due-before 2026-10-16', pages],
  ['task list --updated-since 2026-10-08', launch + subtask + backlog],
  ['task list --folder Website --json', /^\[\{.*"responsibleIds":\["KUAAAAAB"\].*\}\]\n$/],
  [
    'task list --folder Website',
    /title +status +assignees +due +id\nPages +Active +Ben Lang +2026-10-15 +IEAAAAAQKQAB5BNG\n/,
    { terminal: true },
  ],

  [`task get ${ids.pages}`, pagesAlone()],
  [`task get '${link(1)}'`, pagesAlone()],
  [
    `task get launch ${ids.pages}`,
    tabs(
      ...[ids.launch, 'Completed', 'Launch', 'Normal', 'Milestone, 2026-10-16T17:00:00', ''],
      '2026-10-08T02:00:00Z',
    ) + pagesAlone(),
  ],
  [
    `task get '${link(1)}'`,
    /assignees: +Ben Lang\n.*\ndescription: .*<br \/>.*\n.*\nfolders: +Website .*\nfollowers: +Ben Lang, Ada Okafor\nmetadata: +build=981\ncustom fields: +Risk=High, Hours=12\n/,
    { terminal: true },
  ],
  [
    `task get ${ids.pages} --fields effortAllocation --fields billingType`,
    /\t\{"mode":"None","responsibleAllocation":\[\]\}\tNonBillable\n$/,
  ],
  [
    'task get Pages',
    '',
    {
      says: /IEAAAAAQKQAB5BNG {2}Active {2}in Website\n.*IEAAAAAQKQAB5BLG {2}Active {2}in Drafts\n/,
      status: 2,
    },
  ],
  [`task get '${link(999)}'`, '', { says: /No task has the link "https:.*4500000999"/, status: 5 }],

  [`task update ${ids.pages} --title New`, pagesAlone('New', now)],
  [`task update '${link(1)}' --title New`, pagesAlone('New', now)],
  [
    "task update Launch --status Active --add-responsibles 'Ben Lang'",
    /status: +Completed -> Active\nassignees: +\(none\) -> Ben Lang\n/,
    { terminal: true, says: /To undo: wm task undo IEAAAAAQKQAB5LCH/ },
  ],
  [`task update ${ids.pages} --custom-field Risk=Low --description x --undoable`, pagesAlone('Pages', now)],
  [`task update ${ids.launch} --custom-status 'In review'`, /^IEAAAAAQKQAB5LCH\tActive\tLaunch\t/],
  [
    `task update ${ids.launch} --custom-status 'In reviw'`,
    '',
    { says: /Did you mean "In review"/, status: 2 },
  ],
  [
    `task update ${ids.pages} ${ids.launch} --importance Low --yes`,
    /^IEAAAAAQKQAB5BNG\tActive\tPages\tLow\t.*\nIEAAAAAQKQAB5LCH\tCompleted\tLaunch\tLow\t.*\n$/,
  ],
  [
    'task update --from - --yes --undoable',
    /^2\tIEAAAAAQKQAB5BNG\tupdated\t\n3\tIEAAAAAQKQAB5LCH\tupdated\t\n$/,
    { input: `id,title\n${link(1)},New pages\nLaunch,New launch\n` },
  ],
  [
    'task update --ids - --importance Low --add-parents Drafts --yes',
    /^IEAAAAAQKQAB5BNG\tActive\tPages\tLow\t/,
    { input: `${ids.pages}\n` },
  ],
  [
    'task undo Launch --yes',
    /^IEAAAAAQKQAB5LCH\tCompleted\tLaunch\tNormal\tMilestone, 2026-10-16T17:00:00\t\t/,
    { before: ["task update Launch --status Active --add-responsibles 'Ben Lang' --undoable"] },
  ],
  [
    `task create Catalogue --folder '${link(103)}'`,
    tabs('IEAAAAAQKQAB5NEW', 'Active', 'Catalogue', 'Normal', 'Backlog', '', now),
  ],
  [
    `task comments ${ids.pages}`,
    tabs(ids.comment, '2026-10-08T02:00:00Z', ids.ada, "@Ben it's done 👍") +
      tabs(ids.olderComment, '2026-10-07T02:00:00Z', ids.ben, '1 > 0'),
  ],
  ['task comments Launch', '', { says: /No comments on this task/ }],
  [
    `task comment '${link(1)}' "It's > 0 👍"`,
    tabs('IEAAAAAQIMAB5NEW', ids.pages, ids.ada, now, "It's > 0 👍"),
  ],
  [
    `task attach ${ids.pages} ${file('notes.txt')}`,
    tabs('IEAAAAAQIYAB5NEW', ids.pages, 'notes.txt', '17', now),
  ],
  [
    `timelog add ${ids.pages} --hours 1h30m --comment Proofreading`,
    tabs('IEAAAAAQJQAB5NEW', ids.pages, ids.ada, '2026-10-13', '1.5', 'Proofreading'),
  ],

  [
    'folder list',
    tabs(ids.personal, 'Personal', 'space', 'Personal') +
      tabs(ids.space, 'Studio', 'space', 'Studio') +
      tabs(ids.folder, 'Website', 'folder', 'Studio / Website') +
      tabs(ids.inner, 'Drafts', 'folder', 'Studio / Website / Drafts') +
      tabs(ids.project, 'Relaunch', 'project', 'Studio / Relaunch'),
  ],
  ['folder list --folder Website', tabs(ids.inner, 'Drafts', 'folder', 'Drafts')],
  ['folder list --space Studio --projects', tabs(ids.project, 'Relaunch', 'project', 'Relaunch')],
  [
    'folder list',
    /Studio +IEAAAAAQI4AB5SPC +space\n.*Website +IEAAAAAQI4AB5FLD\n.*Drafts +IEAAAAAQI4AB5INN\n/,
    { terminal: true },
  ],
  ['folder create Ideas --folder Relaunch', tabs('IEAAAAAQI4AB5NEW', 'Ideas')],
  ['space list', tabs(ids.personal, 'Personal', 'Personal', '') + tabs(ids.space, 'Studio', 'Public', '')],
  [
    'contact list',
    tabs(ids.ada, 'Ada Okafor', 'ada@example.com', 'Person', 'you', 'Europe/Berlin') +
      tabs(ids.ben, 'Ben Lang', 'ben@example.com', 'Person', '', 'Europe/Berlin') +
      tabs(ids.team, 'Editors', '', 'Group', '', 'Z') +
      tabs(ids.bot, 'Publisher Bot', 'publisher@bots.example', 'Robot', '', 'Europe/Berlin'),
  ],
  ['contact list --type Robot', /^KUAAAAAC\tPublisher Bot\t[^\n]*\n$/],
  [`contact list --id ${ids.bot},${ids.ada}`, /^KUAAAAAC\tPublisher Bot\t.*\nKUAAAAAA\tAda Okafor\t.*\n$/],
  [
    'customfield list',
    tabs(ids.risk, 'Risk', 'DropDown', 'Low, High') + tabs(ids.hours, 'Hours', 'Numeric', ''),
  ],
  ['customfield list --space Studio', tabs(ids.risk, 'Risk', 'DropDown', 'Low, High')],
  [
    'workflow list',
    tabs(ids.active, 'Active', 'Active', 'Default Workflow', ids.standard, 'standard') +
      tabs(ids.completed, 'Completed', 'Completed', 'Default Workflow', ids.standard, 'standard') +
      tabs(ids.inReview, 'In review', 'Active', 'Publishing', ids.ofSpace, ''),
  ],
  ['workflow list --space Studio', tabs(ids.inReview, 'In review', 'Active', 'Publishing', ids.ofSpace, '')],
  ['audit-log', /^2026-10-08T05:00:00Z\tTaskDeleted\tada@example.com\tKUAAAAAA\tTask\tIEAAAAAQKQAB5BIN\t/],
  // The job's record shows no outcome of its operations.
  [
    `batch ${file('operations.json')} --yes`,
    /^1\tunknown\tPOST\t\/folders\/IEAAAAAQI4AB5FLD\/tasks\t\t\n$/,
    { status: 9 },
  ],

  [
    'webhook create https://hooks.example.com/wm --folder Relaunch --yes',
    /^IEAAAAAQJAAB5NEW\tActive\tfolder IEAAAAAQI4AB5PRJ\thttps:\/\/hooks.example.com\/wm\t/,
  ],
  ['webhook list', webhook()],
  [
    'webhook list',
    /hooks.example.com\/wm +Relaunch +IEAAAAAQJAAB5NEW\n/,
    { before: ['webhook create https://hooks.example.com/wm --folder Relaunch --yes'], terminal: true },
  ],
  [`webhook get ${ids.webhook}`, webhook()],
  [`webhook suspend ${ids.webhook} --yes`, webhook('Suspended')],
  [`webhook resume ${ids.webhook} --yes`, webhook(), { before: [`webhook suspend ${ids.webhook} --yes`] }],
  ['webhook undo --yes', webhook(), { before: [`webhook suspend ${ids.webhook} --yes`] }],
  [`webhook label ${ids.webhook} billing`, webhook('Active', 'billing')],
  ['webhook export', /\n {2}# IEAAAAAQJAAB5HK1\n {2}- url: https:\/\/hooks.example.com\/first\n/],
  [`webhook diff ${file('hooks.yaml')} --delete-others`, /IEAAAAAQJAAB5HK1/, { status: 10 }],
  [`webhook apply ${file('hooks.yaml')} --delete-others --yes`, /IEAAAAAQJAAB5HK1/],
  [`webhook diagnose ${ids.webhook}`, /^record\tActive, https:\/\/hooks.example.com\/first\t/m],
  ['webhook watch --once', '', { says: /No suspended webhooks \(1 checked\)/ }],
  [`webhook delete ${ids.webhook} --yes`, tabs(ids.webhook, 'deleted', hookUrl)],

  ['api GET /version', '{"kind":"version","data":[{"major":4,"minor":0}]}\n'],
  [
    "api GET '/tasks?pageSize=1' --paginate --jq '.[].id'",
    `${[ids.pages, ids.launch, ids.subtask, ids.backlog].join('\n')}\n`,
  ],
  ['api GET /comments --paginate', /"id":"IEAAAAAQIMAB5CO2"/],
  ['contract probe', /^task-read\theld\t/m],
];

/** Its records are those of this machine, or of the emulator; or a test of its own runs it. */
const isElsewhere = (words: string) =>
  invocations[words]?.isLocal ||
  invocations[words]?.notRun !== undefined ||
  /^(?:emulator|webhook secret)/.test(words);

test('tries every command that reads or changes records', () => {
  const tried = (words: string) => rows.some(([typed]) => typed.startsWith(words));
  assert.deepEqual(
    commands.map(({ words }) => words).filter((words) => !isElsewhere(words) && !tried(words)),
    [],
  );
});

for (const [typed, prints, more = {}] of rows) {
  const { says, before = [], input, terminal, status = 0 } = more;
  const argv = unquotedWords(typed);
  const shown = argv.join(' ').replaceAll(`${service.folder}/`, '');
  test(`recorded shapes: wm ${shown}${terminal ? ', on a terminal' : ''}`, async () => {
    for (const earlier of before) assert.equal((await service.wm(unquotedWords(earlier))).status, 0);
    const ran = await service.wm(argv, {
      ...(input === undefined ? {} : { input }),
      ...(terminal ? { terminal } : {}),
    });
    assert.equal(ran.status, status, ran.errors);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
    const output = ran.output.replace(/\u001b\[\d*m/g, '');
    if (typeof prints === 'string') assert.equal(output, prints);
    else assert.match(output, prints);
    if (says) assert.match(ran.errors, says);
    assert.doesNotMatch(output + ran.errors, /undefined|\[object|\bNaN\b/);
  });
}

const after400or403: readonly (readonly [name: string, typed: string, says: RegExp])[] = [
  [
    'an update',
    `task update ${ids.inBin} --title x`,
    /in the recycle bin\. Add --restore, or restore it first: wm task update IEAAAAAQKQAB5BIN --restore/,
  ],
  [
    'a restore of what is not there',
    `task update ${ids.pages} --restore`,
    /It may not be in the recycle bin/,
  ],
  ['a deletion', `api DELETE /tasks/${ids.inBin} --yes`, /It may be in the recycle bin already/],
  ['of a folder', `api DELETE /folders/${ids.deletedFolder} --yes`, /It may be in the recycle bin already/],
  [
    'a restore of a folder that is not there',
    `api PUT /folders/${ids.folder} -f restore=true --yes`,
    /It may not be in the recycle bin/,
  ],
];
for (const [name, typed, says] of after400or403)
  for (const binStatus of [400, 403] as const)
    test(`the recycle bin: ${name}, rejected with ${binStatus}, shows its hint`, async () => {
      service.reset({ binStatus });
      const { status, errors } = await service.wm(unquotedWords(typed));
      assert.equal(status, binStatus === 400 ? 2 : 3, errors);
      assert.match(errors, says);
    });

test('restores a task from the recycle bin', async () => {
  assert.equal((await service.wm(['task', 'update', ids.inBin, '--restore'])).status, 0);
  assert.equal(service.stored('tasks', ids.inBin)['scope'], 'WsTask');
});

const links: readonly (readonly string[])[] = [
  ['task', 'update', link(1), '--title', 'New'],
  ['task', 'update', ids.launch, '--add-super-tasks', link(1)],
  ['task', 'list', '--folder', link(103)],
];
for (const argv of links)
  for (const ownHostOnly of [false, true])
    test(`a permalink of another host: wm ${argv.join(' ')}, ${ownHostOnly ? 'which only GET /ids knows' : 'by the filter'}`, async () => {
      service.reset({ ownHostOnly });
      const { status, errors } = await service.wm(argv);
      assert.equal(status, 0, errors);
      assert.equal(
        service.requests.some((request) => request.startsWith('GET /ids')),
        ownHostOnly,
      );
      assert.ok(service.requests.some((request) => /IEAAAAAQKQAB5BNG|IEAAAAAQI4AB5FLD/.test(request)));
    });

const lists: readonly (readonly string[])[] = [
  ['task', 'list'],
  ['api', 'GET', '/tasks?pageSize=2', '--paginate', '--json'],
];
const endings: readonly (readonly [string, Partial<Behaviour>, number])[] = [
  ['an empty page whose token is rejected ends the list', { endsEmpty: true }, 0],
  ['a rejected token of a page with records is an error', { rejectsTokens: true }, 2],
];
for (const [name, behaviour, wanted] of endings)
  for (const argv of lists)
    test(`${name}: wm ${argv.join(' ')}`, async () => {
      service.reset(behaviour);
      const { status, output, errors } = await service.wm(argv);
      assert.equal(status, wanted, errors);
      assert.equal(output.includes(ids.pages), true);
      assert.equal(output.includes(ids.backlog), wanted === 0);
    });

test('an empty list whose page token is rejected is an empty list', async () => {
  service.reset({ endsEmpty: true });
  const list = '/folders/IEAAAAAQI4AB5PER/tasks?pageSize=2';
  assert.match(
    (await service.wm(['api', 'GET', list, '--paginate'])).output,
    /^\{"kind":"tasks",.*"data":\[\]\}\n$/,
  );
  assert.equal((await service.wm(['api', 'GET', list, '--paginate', '--json'])).output, '[]\n');
  const { status, output, errors } = await service.wm(['task', 'list', '--folder', 'Personal']);
  assert.deepEqual([status, output], [0, ''], errors);
});

const picks: readonly (readonly [string, RegExp, string])[] = [
  ['wm task get', /Proofread, "twice" +Root +updated /, ids.subtask],
  [
    'wm task get Pages',
    /Pages +IEAAAAAQKQAB5BNG +Website +updated [\s\S]*Pages +IEAAAAAQKQAB5BLG +Drafts /,
    ids.pages,
  ],
];
for (const [line, list, picked] of picks)
  test(`a picker lists folders: ${line}`, { skip }, async (context) => {
    const stage = { environment: { ...service.environment(), NO_COLOR: '1' }, folder: service.folder };
    const terminal = openInProcess(context, stage, line, { columns: 120 });
    assert.match((await terminal.screenShows(/updated /)).join('\n'), list);
    terminal.type(key.enter);
    await terminal.shows(new RegExp(`id: +${picked}`));
    assert.equal(await terminal.ended, 0);
  });
