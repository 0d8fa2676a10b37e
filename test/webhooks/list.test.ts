// `wm webhook list` and `get`: what each webhook covers, in words, since when it has its status, and what is unknown.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { eventNames, events } from '#contract/event.ts';
import { sample } from '#emulator/state/sample-ids.ts';
import { clockAt } from '#test/support/program/emulated.ts';
import { hook, hooks } from '#test/support/service/scripted-service.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { localPath, readLocal, writeLocal } from './local-records.ts';
import { urls, withOldAndNew } from './matching/old-and-new.ts';
import { answering } from './records.ts';

const noon = Date.UTC(2026, 2, 2, 12);
const at = (minutes: number) => ({ world: { clock: clockAt(noon + minutes * 60_000) } });
const time = (minutes: number) => new Date(noon + minutes * 60_000).toISOString();
const onlyThisApplication = "Only webhooks created by this token's application are listed.\n";
const notShown = 'not shown by the service';
const rowsOf = (output: string) =>
  output
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'));

for (const bare of [false, true]) {
  test(`the scope of each webhook, ${bare ? 'with the contract’s fields alone' : 'with the assumed fields'}`, async (context) => {
    const { wm, ids, environment } = await withOldAndNew(context, { mode: bare ? 'bare' : 'default' });
    const rows = async () =>
      rowsOf((await wm(['webhook', 'list', '-q'])).output).map((row) => row.slice(2, 6));
    const folder = `folder ${sample.folder}`;
    // Without a local record.
    assert.deepEqual(await rows(), [
      ['account or space', urls.archive, notShown, notShown],
      ['account or space', urls.billing, notShown, notShown],
      ['account or space', urls.invoices, notShown, notShown],
      bare
        ? [`${folder} (subfolders: ${notShown})`, urls.tasks, notShown, notShown]
        : [folder, urls.tasks, 'TaskCreated, TaskDeleted', notShown],
    ]);
    const made = { at: time(0), signed: false };
    await writeLocal(environment, {
      [ids.archive]: { created: { ...made, hookUrl: urls.archive } },
      [ids.billing]: {
        created: {
          ...made,
          hookUrl: urls.billing,
          spaceId: sample.space,
          recursive: true,
          events: ['CommentAdded'],
          parameterisedEvents: [
            {
              event: 'TaskCustomFieldChanged',
              customFields: [sample.text, sample.numeric],
              fields: ['title'],
            },
            { event: 'TaskCreated', recurrent: false },
            { event: 'TaskDeleted' },
          ],
        },
      },
      [ids.invoices]: { created: { ...made, hookUrl: urls.invoices, customItemTypes: [sample.bugType] } },
      [ids.tasks]: {
        created: {
          ...made,
          hookUrl: urls.tasks,
          folderId: sample.folder,
          events: ['TaskCreated', 'TaskDeleted'],
        },
      },
    });
    assert.deepEqual(await rows(), [
      ['account', urls.archive, 'all events', ''],
      [
        `space ${sample.space} and below`,
        urls.billing,
        'CommentAdded, TaskCustomFieldChanged, TaskCreated, TaskDeleted',
        `TaskCustomFieldChanged:customFields=${sample.text},${sample.numeric}:fields=title; TaskCreated:recurrent=false`,
      ],
      ['account', urls.invoices, 'all events', `customItemTypes=${sample.bugType}`],
      [folder, urls.tasks, 'TaskCreated, TaskDeleted', ''],
    ]);
    const json = JSON.parse((await wm(['webhook', 'list', '--json'])).output);
    assert.equal(json[1].local.created.spaceId, sample.space);
    assert.equal('events' in json[1], false);
  });
}

test('on a terminal: titles, groups of events, and no empty columns', async (context) => {
  const stage = await setStage(context);
  const taskEvents = eventNames.filter((name) => events[name].subject === 'task');
  const { emulator, environment } = stage;
  const { body } = await call(emulator, 'POST', '/webhooks?hookUrl=https%3A%2F%2Fhooks.example.com%2Fa');
  const { id } = body.data[0];
  const get = async () => {
    const texts: string[] = [];
    for (const line of [`wm webhook get ${id}`, 'wm webhook list --long -q']) {
      const terminal = openInProcess(context, stage, line, { columns: 400 });
      assert.equal(await terminal.ended, 0, terminal.text);
      texts.push(terminal.text);
    }
    return texts
      .join('')
      .split('\n')
      .map((line) => line.trimEnd());
  };
  const unknown = await get();
  for (const line of ['events', 'filters', 'signed'])
    assert.match(unknown.join('\n'), new RegExp(`^${line}: +${notShown}$`, 'm'));
  assert.match(unknown.join('\n'), /^id +status +scope +url +events$/m);
  assert.match(unknown.join('\n'), /^since: +(now|\d+ seconds? ago) or earlier$/m);
  await writeLocal(environment, {
    [id]: {
      label: 'night sync',
      created: {
        at: new Date(Date.now() - 3 * 3_600_000).toISOString(),
        hookUrl: 'https://hooks.example.com/a',
        spaceId: sample.space,
        events: [...taskEvents.filter((name) => name !== 'TaskCustomFieldChanged'), 'FolderCreated'],
        parameterisedEvents: [
          {
            event: 'TaskCustomFieldChanged',
            customFields: [sample.text, 'IEAAAAAQJUAB5XXX'],
            fields: ['title'],
          },
          { event: 'FolderDeleted' },
        ],
        customItemTypes: [sample.bugType],
        signed: true,
      },
    },
  });
  const details = (await get()).join('\n');
  for (const line of [
    `scope: +space [^(]+ \\(${sample.space}\\)`,
    'events: +all task events, FolderCreated, FolderDeleted',
    `filters: +TaskCustomFieldChanged only for [^(]+ \\(${sample.text}\\), IEAAAAAQJUAB5XXX, with title in the payload; only items of type ${sample.bugType}`,
    'label: +night sync',
    'created: +3 hours ago, by wm',
    'signed: +yes',
  ])
    assert.match(details, new RegExp(`^${line}$`, 'm'));
  assert.match(details, /^id +status +scope +url +events +filters +label$/m);
  await call(emulator, 'PUT', `/webhooks/${id}?status=Suspended`);
  const suspended = (await get()).join('\n');
  assert.match(suspended, /^since: +between .* and .*$/m);
  assert.match(suspended, /^id +status +scope +url +events +filters +label +since$/m);
});

test('since when: first seen, changed between two reads, changed by wm', async (context) => {
  const { wm, ids, suspend } = await withOldAndNew(context);
  const since = async (minutes: number) =>
    rowsOf((await wm(['webhook', 'get', ids.billing, '-q'], at(minutes))).output)[0]?.[7];
  assert.equal(await since(0), `${time(0)} or earlier`);
  assert.equal(await since(60), `${time(0)} or earlier`);
  await suspend(ids.billing);
  // The look in between changed nothing, and a command that only reads then writes nothing.
  assert.equal(await since(90), `between ${time(0)} and ${time(90)}`);
  assert.equal((await wm(['webhook', 'resume', ids.billing, '--no-verify'], at(100))).status, 0);
  assert.equal(await since(120), `${time(100)}, by wm`);
  const several = await wm(['webhook', 'suspend', ids.billing, ids.archive, '--yes'], at(130));
  assert.deepEqual(
    rowsOf(several.output).map((row) => row[7]),
    [`${time(130)}, by wm`, `${time(130)}, by wm`],
  );
});

test('list takes the filters; an empty list says which webhooks it covers', async (context) => {
  const { wm, ids, suspend, emulator } = await withOldAndNew(context);
  await suspend(ids.invoices);
  for (const [flags, names] of [
    [['--status', 'suspended'], [ids.invoices]],
    [
      ['--url', 'https://old.example/*'],
      [ids.archive, ids.invoices],
    ],
    [['--folder', sample.folder], [ids.tasks]],
    [['--folder', 'Website'], [ids.tasks]],
    [['--event', 'TaskCreated'], [ids.tasks]],
    [['--status', 'Active', '--url', 'OLD'], [ids.archive]],
  ] as const) {
    const ran = await wm(['webhook', 'list', ...flags, '--json']);
    assert.equal(ran.status, 0, ran.errors);
    assert.deepEqual(
      JSON.parse(ran.output).map(({ id }: { id: string }) => id),
      names,
    );
    const isWarned = ran.errors.includes(
      'Left out 3 webhooks: the service does not show the events or the space, and this machine has no record.',
    );
    assert.equal(isWarned, flags[0] === '--folder' || flags[0] === '--event', ran.errors);
  }
  const none = await wm(['webhook', 'list', '--url', 'nowhere']);
  assert.deepEqual(
    [none.status, none.output, none.errors],
    [0, '', `None of 4 webhooks matches.\n${onlyThisApplication}`],
  );
  for (const id of Object.values(ids)) await call(emulator, 'DELETE', `/webhooks/${id}`);
  const empty = await wm(['webhook', 'list', '--status', 'Active']);
  assert.deepEqual(
    [empty.status, empty.output, empty.errors],
    [0, '', `No webhooks.\n${onlyThisApplication}`],
  );
});

test('reports a list in pages as incomplete', async (context) => {
  const { wm } = await answering(context, { 'GET webhooks': [{ ...hooks(hook), nextPageToken: 'more' }] });
  const ran = await wm(['webhook', 'list', '-q']);
  assert.equal(ran.status, 0);
  assert.equal(
    ran.errors,
    'The list is not complete: the service returned it in pages, which its contract does not document.\n',
  );
});

test('warns about broken local records, and ignores an invalid member', async (context) => {
  const { wm, ids, environment } = await withOldAndNew(context);
  await writeLocal(environment, {});
  await writeFile(localPath(environment), 'nonsense');
  const ran = await wm(['webhook', 'list', '-q']);
  assert.equal(ran.status, 0, ran.errors);
  assert.equal(rowsOf(ran.output).length, 4);
  assert.match(ran.errors, /^Cannot read .*: it is not the JSON that wm writes/m);
  await writeFile(
    localPath(environment),
    JSON.stringify({
      format: 1,
      webhooks: { [ids.billing]: { label: 'sync', note: 7, created: { at: 1 } } },
    }),
  );
  const healed = await wm(['webhook', 'get', ids.billing]);
  assert.equal(healed.errors, '');
  assert.equal(rowsOf(healed.output)[0]?.[6], 'sync');
  assert.equal((await readLocal(environment))[ids.billing]?.observed?.status, 'Active');
});
