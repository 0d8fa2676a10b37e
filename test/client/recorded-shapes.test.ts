// Every command of the program against a service that answers with the recorded shapes: it must succeed, and print all that its columns
// promise. Where a list shows less than a command needs, the command has to ask for it.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { commands } from '#app/commands.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
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

interface Row {
  readonly argv: readonly string[];
  /** Of standard output: all of it, or what it matches. */
  readonly prints: string | RegExp;
  /** What standard error matches. */
  readonly says?: RegExp;
  readonly before?: readonly (readonly string[])[];
  readonly input?: string;
  readonly terminal?: true;
  readonly status?: number;
}

const rows: readonly Row[] = [
  {
    argv: ['login', '--with-token', '--profile', 'recorded'],
    input: 'token',
    prints: /Ada Okafor\tKUAAAAAA\tExample/,
  },
  { argv: ['whoami'], prints: /^Ada Okafor\tKUAAAAAA\tExample\tIEAAAAAQ\t/ },
  {
    argv: ['account'],
    prints: /^IEAAAAAQ\tExample\tdd\/MM\/yyyy\tMon\t.*\tIEAAAAAQI7777777\tIEAAAAAQI7777776\t/,
  },
  { argv: ['doctor'], prints: /^service\tgood\t/m, says: /clock/, status: 10 },

  { argv: ['task', 'list'], prints: pages + launch + subtask + backlog },
  { argv: ['task', 'list', '--limit', '3'], prints: pages + launch + subtask },
  { argv: ['task', 'list', '--folder', 'Website'], prints: pages },
  { argv: ['task', 'list', '--folder', link(103), '--recursive'], prints: pages + subtask + backlog },
  { argv: ['task', 'list', '--space', 'Studio', '--recursive'], prints: pages + launch + subtask + backlog },
  { argv: ['task', 'list', '--title', 'page'], prints: pages + backlog },
  { argv: ['task', 'list', '--unassigned'], prints: launch + backlog },
  { argv: ['task', 'list', '--responsible', '@me'], prints: subtask },
  { argv: ['task', 'list', '--responsible', 'Ben Lang'], prints: pages },
  { argv: ['task', 'list', '--status', 'completed'], prints: launch },
  // Its workflow belongs to a space.
  { argv: ['task', 'list', '--status', 'in review'], prints: backlog },
  { argv: ['task', 'list', '--metadata', 'build', '--metadata', 'build=981'], prints: pages },
  { argv: ['task', 'list', '--custom-field', 'Risk=High', '--custom-field', 'Hours'], prints: pages },
  { argv: ['task', 'list', '--due-before', '2026-10-16'], prints: pages },
  { argv: ['task', 'list', '--updated-since', '2026-10-08'], prints: launch + subtask + backlog },
  {
    argv: ['task', 'list', '--folder', 'Website', '--json'],
    prints: /^\[\{.*"responsibleIds":\["KUAAAAAB"\].*\}\]\n$/,
  },
  {
    argv: ['task', 'list', '--folder', 'Website'],
    terminal: true,
    prints: /title +status +assignees +due +id\nPages +Active +Ben Lang +2026-10-15 +IEAAAAAQKQAB5BNG\n/,
  },

  { argv: ['task', 'get', ids.pages], prints: pagesAlone() },
  { argv: ['task', 'get', link(1)], prints: pagesAlone() },
  {
    argv: ['task', 'get', 'launch', ids.pages],
    prints:
      tabs(
        ...[ids.launch, 'Completed', 'Launch', 'Normal', 'Milestone, 2026-10-16T17:00:00', ''],
        '2026-10-08T02:00:00Z',
      ) + pagesAlone(),
  },
  {
    argv: ['task', 'get', link(1)],
    terminal: true,
    prints:
      /assignees: +Ben Lang\n.*\ndescription: .*<br \/>.*\n.*\nfolders: +Website .*\nfollowers: +Ben Lang, Ada Okafor\nmetadata: +build=981\ncustom fields: +Risk=High, Hours=12\n/,
  },
  {
    argv: ['task', 'get', ids.pages, '--fields', 'effortAllocation', '--fields', 'billingType'],
    prints: /\t\{"mode":"None","responsibleAllocation":\[\]\}\tNonBillable\n$/,
  },
  {
    argv: ['task', 'get', 'Pages'],
    prints: '',
    says: /IEAAAAAQKQAB5BNG {2}Active {2}in Website\n.*IEAAAAAQKQAB5BLG {2}Active {2}in Drafts\n/,
    status: 2,
  },
  {
    argv: ['task', 'get', link(999)],
    prints: '',
    says: /No task has the link "https:.*4500000999"/,
    status: 5,
  },

  { argv: ['task', 'update', ids.pages, '--title', 'New'], prints: pagesAlone('New', now) },
  { argv: ['task', 'update', link(1), '--title', 'New'], prints: pagesAlone('New', now) },
  {
    argv: ['task', 'update', 'Launch', '--status', 'Active', '--add-responsibles', 'Ben Lang'],
    terminal: true,
    prints: /status: +Completed -> Active\nassignees: +\(none\) -> Ben Lang\n/,
    says: /To undo: wm task undo IEAAAAAQKQAB5LCH/,
  },
  {
    argv: ['task', 'update', ids.pages, '--custom-field', 'Risk=Low', '--description', 'x', '--undoable'],
    prints: pagesAlone('Pages', now),
  },
  {
    argv: ['task', 'update', ids.launch, '--custom-status', 'In review'],
    prints: /^IEAAAAAQKQAB5LCH\tActive\tLaunch\t/,
  },
  {
    argv: ['task', 'update', ids.launch, '--custom-status', 'In reviw'],
    prints: '',
    says: /Did you mean "In review"/,
    status: 2,
  },
  {
    argv: ['task', 'update', ids.pages, ids.launch, '--importance', 'Low', '--yes'],
    prints: /^IEAAAAAQKQAB5BNG\tActive\tPages\tLow\t.*\nIEAAAAAQKQAB5LCH\tCompleted\tLaunch\tLow\t.*\n$/,
  },
  {
    argv: ['task', 'update', '--from', '-', '--yes', '--undoable'],
    input: `id,title\n${link(1)},New pages\nLaunch,New launch\n`,
    prints: /^2\tIEAAAAAQKQAB5BNG\tupdated\t\n3\tIEAAAAAQKQAB5LCH\tupdated\t\n$/,
  },
  {
    argv: ['task', 'update', '--ids', '-', '--importance', 'Low', '--add-parents', 'Drafts', '--yes'],
    input: `${ids.pages}\n`,
    prints: /^IEAAAAAQKQAB5BNG\tActive\tPages\tLow\t/,
  },
  {
    argv: ['task', 'undo', 'Launch', '--yes'],
    before: [
      ['task', 'update', 'Launch', '--status', 'Active', '--add-responsibles', 'Ben Lang', '--undoable'],
    ],
    prints: /^IEAAAAAQKQAB5LCH\tCompleted\tLaunch\tNormal\tMilestone, 2026-10-16T17:00:00\t\t/,
  },
  {
    argv: ['task', 'create', 'Catalogue', '--folder', link(103)],
    prints: tabs('IEAAAAAQKQAB5NEW', 'Active', 'Catalogue', 'Normal', 'Backlog', '', now),
  },
  {
    argv: ['task', 'comments', ids.pages],
    prints:
      tabs(ids.comment, '2026-10-08T02:00:00Z', ids.ada, "@Ben it's done 👍") +
      tabs(ids.olderComment, '2026-10-07T02:00:00Z', ids.ben, '1 > 0'),
  },
  { argv: ['task', 'comments', 'Launch'], prints: '', says: /No comments on this task/ },
  {
    argv: ['task', 'comment', link(1), "It's > 0 👍"],
    prints: tabs('IEAAAAAQIMAB5NEW', ids.pages, ids.ada, now, "It's > 0 👍"),
  },
  {
    argv: ['task', 'attach', ids.pages, file('notes.txt')],
    prints: tabs('IEAAAAAQIYAB5NEW', ids.pages, 'notes.txt', '17', now),
  },
  {
    argv: ['timelog', 'add', ids.pages, '--hours', '1h30m', '--comment', 'Proofreading'],
    prints: tabs('IEAAAAAQJQAB5NEW', ids.pages, ids.ada, '2026-10-13', '1.5', 'Proofreading'),
  },

  {
    argv: ['folder', 'list'],
    prints:
      tabs(ids.personal, 'Personal', 'space', 'Personal') +
      tabs(ids.space, 'Studio', 'space', 'Studio') +
      tabs(ids.folder, 'Website', 'folder', 'Studio / Website') +
      tabs(ids.inner, 'Drafts', 'folder', 'Studio / Website / Drafts') +
      tabs(ids.project, 'Relaunch', 'project', 'Studio / Relaunch'),
  },
  {
    argv: ['folder', 'list', '--folder', 'Website'],
    prints: tabs(ids.inner, 'Drafts', 'folder', 'Drafts'),
  },
  {
    argv: ['folder', 'list', '--space', 'Studio', '--projects'],
    prints: tabs(ids.project, 'Relaunch', 'project', 'Relaunch'),
  },
  {
    argv: ['folder', 'list'],
    terminal: true,
    prints: /Studio +IEAAAAAQI4AB5SPC +space\n.*Website +IEAAAAAQI4AB5FLD\n.*Drafts +IEAAAAAQI4AB5INN\n/,
  },
  { argv: ['folder', 'create', 'Ideas', '--folder', 'Relaunch'], prints: tabs('IEAAAAAQI4AB5NEW', 'Ideas') },
  {
    argv: ['space', 'list'],
    prints: tabs(ids.personal, 'Personal', 'Personal', '') + tabs(ids.space, 'Studio', 'Public', ''),
  },
  {
    argv: ['contact', 'list'],
    prints:
      tabs(ids.ada, 'Ada Okafor', 'ada@example.com', 'Person', 'you', 'Europe/Berlin') +
      tabs(ids.ben, 'Ben Lang', 'ben@example.com', 'Person', '', 'Europe/Berlin') +
      tabs(ids.team, 'Editors', '', 'Group', '', 'Z') +
      tabs(ids.bot, 'Publisher Bot', 'publisher@bots.example', 'Robot', '', 'Europe/Berlin'),
  },
  { argv: ['contact', 'list', '--type', 'Robot'], prints: /^KUAAAAAC\tPublisher Bot\t[^\n]*\n$/ },
  {
    argv: ['contact', 'list', '--id', `${ids.bot},${ids.ada}`],
    prints: /^KUAAAAAC\tPublisher Bot\t.*\nKUAAAAAA\tAda Okafor\t.*\n$/,
  },
  {
    argv: ['customfield', 'list'],
    prints: tabs(ids.risk, 'Risk', 'DropDown', 'Low, High') + tabs(ids.hours, 'Hours', 'Numeric', ''),
  },
  {
    argv: ['customfield', 'list', '--space', 'Studio'],
    prints: tabs(ids.risk, 'Risk', 'DropDown', 'Low, High'),
  },
  {
    argv: ['workflow', 'list'],
    prints:
      tabs(ids.active, 'Active', 'Active', 'Default Workflow', ids.standard, 'standard') +
      tabs(ids.completed, 'Completed', 'Completed', 'Default Workflow', ids.standard, 'standard') +
      tabs(ids.inReview, 'In review', 'Active', 'Publishing', ids.ofSpace, ''),
  },
  {
    argv: ['workflow', 'list', '--space', 'Studio'],
    prints: tabs(ids.inReview, 'In review', 'Active', 'Publishing', ids.ofSpace, ''),
  },
  {
    argv: ['audit-log'],
    prints: /^2026-10-08T05:00:00Z\tTaskDeleted\tada@example.com\tKUAAAAAA\tTask\tIEAAAAAQKQAB5BIN\t/,
  },
  {
    argv: ['batch', file('operations.json'), '--yes'],
    prints: /^1\tunknown\tPOST\t\/folders\/IEAAAAAQI4AB5FLD\/tasks\t\t\n$/,
    // The job's record shows no outcome of its operations.
    status: 9,
  },

  {
    argv: ['webhook', 'create', 'https://hooks.example.com/wm', '--folder', 'Relaunch', '--yes'],
    prints: /^IEAAAAAQJAAB5NEW\tActive\tfolder IEAAAAAQI4AB5PRJ\thttps:\/\/hooks.example.com\/wm\t/,
  },
  { argv: ['webhook', 'list'], prints: webhook() },
  {
    argv: ['webhook', 'list'],
    before: [['webhook', 'create', 'https://hooks.example.com/wm', '--folder', 'Relaunch', '--yes']],
    terminal: true,
    prints: /hooks.example.com\/wm +Relaunch +IEAAAAAQJAAB5NEW\n/,
  },
  { argv: ['webhook', 'get', ids.webhook], prints: webhook() },
  { argv: ['webhook', 'suspend', ids.webhook, '--yes'], prints: webhook('Suspended') },
  {
    argv: ['webhook', 'resume', ids.webhook, '--yes'],
    before: [['webhook', 'suspend', ids.webhook, '--yes']],
    prints: webhook(),
  },
  {
    argv: ['webhook', 'undo', '--yes'],
    before: [['webhook', 'suspend', ids.webhook, '--yes']],
    prints: webhook(),
  },
  { argv: ['webhook', 'label', ids.webhook, 'billing'], prints: webhook('Active', 'billing') },
  {
    argv: ['webhook', 'export'],
    prints: /\n {2}# IEAAAAAQJAAB5HK1\n {2}- url: https:\/\/hooks.example.com\/first\n/,
  },
  {
    argv: ['webhook', 'diff', file('hooks.yaml'), '--delete-others'],
    prints: /IEAAAAAQJAAB5HK1/,
    status: 10,
  },
  { argv: ['webhook', 'apply', file('hooks.yaml'), '--delete-others', '--yes'], prints: /IEAAAAAQJAAB5HK1/ },
  {
    argv: ['webhook', 'diagnose', ids.webhook],
    prints: /^record\tActive, https:\/\/hooks.example.com\/first\t/m,
  },
  { argv: ['webhook', 'watch', '--once'], prints: '', says: /No suspended webhooks \(1 checked\)/ },
  { argv: ['webhook', 'delete', ids.webhook, '--yes'], prints: tabs(ids.webhook, 'deleted', hookUrl) },

  { argv: ['api', 'GET', '/version'], prints: '{"kind":"version","data":[{"major":4,"minor":0}]}\n' },
  {
    argv: ['api', 'GET', '/tasks?pageSize=1', '--paginate', '--jq', '.[].id'],
    prints: `${[ids.pages, ids.launch, ids.subtask, ids.backlog].join('\n')}\n`,
  },
  { argv: ['api', 'GET', '/comments', '--paginate'], prints: /"id":"IEAAAAAQIMAB5CO2"/ },
  { argv: ['contract', 'probe'], prints: /^task-read\theld\t/m },
];

/** Its records are those of this machine, or of the emulator; or a test of its own runs it. */
const isElsewhere = (words: string) =>
  invocations[words]?.isLocal ||
  invocations[words]?.notRun !== undefined ||
  /^(?:emulator|webhook secret)/.test(words);

test('tries every command that reads or changes records', () => {
  const tried = (words: string) => rows.some(({ argv }) => argv.join(' ').startsWith(words));
  assert.deepEqual(
    commands.map(({ words }) => words).filter((words) => !isElsewhere(words) && !tried(words)),
    [],
  );
});

for (const { argv, prints, says, before = [], input, terminal, status = 0 } of rows) {
  const shown = argv.join(' ').replaceAll(`${service.folder}/`, '');
  test(`recorded shapes: wm ${shown}${terminal ? ', on a terminal' : ''}`, async () => {
    for (const earlier of before) assert.equal((await service.wm(earlier)).status, 0);
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

const after400or403: readonly (readonly [string, readonly string[], RegExp])[] = [
  [
    'an update',
    ['task', 'update', ids.inBin, '--title', 'x'],
    /in the recycle bin\. Add --restore, or restore it first: wm task update IEAAAAAQKQAB5BIN --restore/,
  ],
  [
    'a restore of what is not there',
    ['task', 'update', ids.pages, '--restore'],
    /It may not be in the recycle bin/,
  ],
  ['a deletion', ['api', 'DELETE', `/tasks/${ids.inBin}`, '--yes'], /It may be in the recycle bin already/],
  [
    'of a folder',
    ['api', 'DELETE', `/folders/${ids.deletedFolder}`, '--yes'],
    /It may be in the recycle bin already/,
  ],
  [
    'a restore of a folder that is not there',
    ['api', 'PUT', `/folders/${ids.folder}`, '-f', 'restore=true', '--yes'],
    /It may not be in the recycle bin/,
  ],
];
for (const [name, argv, says] of after400or403)
  for (const binStatus of [400, 403] as const)
    test(`the recycle bin: ${name}, rejected with ${binStatus}, shows its hint`, async () => {
      service.reset({ binStatus });
      const { status, errors } = await service.wm(argv);
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
