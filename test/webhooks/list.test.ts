// `wm webhook list` and `get`: what each webhook covers, in words, since when it has its status, and what is unknown.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { eventNames, events } from '#contract/event.ts';
import { sample } from '#emulator/state/sample-ids.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { localPath, readLocal, writeLocal } from './local-records.ts';
import { withOldAndNew } from './matching/old-and-new.ts';

const notShown = 'not shown by the service';
const rowsOf = (output: string) =>
  output
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'));

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
    return texts.join('').replaceAll(/[ \r]+$/gm, '');
  };
  const unknown = await get();
  for (const line of ['events', 'filters', 'signed'])
    assert.match(unknown, new RegExp(`^${line}: +${notShown}$`, 'm'));
  assert.match(unknown, /^id +status +scope +url +events$/m);
  assert.match(unknown, /^since: +(now|\d+ seconds? ago) or earlier$/m);
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
  const details = await get();
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
  const suspended = await get();
  assert.match(suspended, /^since: +between .* and .*$/m);
  assert.match(suspended, /^id +status +scope +url +events +filters +label +since$/m);
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
