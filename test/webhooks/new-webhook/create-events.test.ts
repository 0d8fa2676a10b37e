// Which events a new webhook delivers: names, groups, filters and payload fields become the two parameters of the request.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedOf } from '#test/emulator/seed/any-seed.ts';
import { type Emulated, emulated } from '#test/support/program/emulated.ts';
import * as witness from '#test/witness/events.ts';

const url = 'http://hooks.example.com/orders';
const copies = 'IEAAAAAQJUAB5NUM';
const colours = 'IEAAAAAQJUAB5TXT';

/** The parameters as --dry-run shows them. */
async function parametersOf({ wm }: Emulated, ...flags: string[]) {
  const ran = await wm(['webhook', 'create', url, ...flags, '--dry-run', '--json']);
  assert.equal(ran.status, 0, ran.errors);
  const body = new URLSearchParams(JSON.parse(ran.output).body);
  const read = (name: string) => JSON.parse(body.get(name) ?? 'null');
  return { events: read('events'), parameterisedEvents: read('parameterisedEvents') };
}

const named = (pattern: RegExp) =>
  witness.events.map(({ name }) => name).filter((name) => pattern.test(name));

test('accepts groups ignoring case and mixed with names; sends each event once', async (context) => {
  const service = await emulated(context);
  for (const [text, pattern] of [
    ['comment', /Comment/],
    ['COMMENT', /Comment/],
    ['approval', /Approval/],
    ['attachment', /Attachment/],
    ['customField', /CustomField/],
    ['timelog', /Timelog/],
    ['project', /^Project/],
    ['comment,CommentAdded,taskcreated', /Comment|^TaskCreated$/],
  ] as const) {
    const { events } = await parametersOf(service, '--events', text);
    assert.deepEqual(events.toSorted(), named(pattern).toSorted(), text);
  }
  const { events } = await parametersOf(service, '--events', 'task');
  for (const name of named(/^Task/)) assert.ok(events.includes(name), name);
  for (const name of named(/^(Folder|Project)/)) assert.ok(!events.includes(name), name);
  const folder = await parametersOf(service, '--events', 'folder');
  assert.deepEqual(folder.events.toSorted(), named(/^Folder/).toSorted());
});

test('all: sends no event names, unless an event has a filter or payload fields', async (context) => {
  const service = await emulated(context);
  for (const flags of [['all'], ['ALL,TaskCreated'], ['[all]']]) {
    assert.deepEqual(await parametersOf(service, '--events', ...flags), {
      events: null,
      parameterisedEvents: null,
    });
  }
  const all = witness.events.map(({ name }) => name);
  const eventsExcept = (...excluded: readonly string[]) => all.filter((name) => !excluded.includes(name));
  assert.deepEqual(await parametersOf(service, '--events', 'all', '--filter', 'TaskCreated:recurrent=true'), {
    events: eventsExcept('TaskCreated'),
    parameterisedEvents: [{ event: 'TaskCreated', recurrent: true }],
  });
  assert.deepEqual(
    await parametersOf(service, '--events', 'all', '--parameterised-events', '[{"event":"TaskDeleted"}]'),
    { events: eventsExcept('TaskDeleted'), parameterisedEvents: [{ event: 'TaskDeleted' }] },
  );
  const { events, parameterisedEvents } = await parametersOf(
    service,
    ...['--events', 'all', '--payload-fields', 'project'],
  );
  assert.deepEqual(events, named(/^(?!Folder|Project)/));
  assert.equal(parameterisedEvents.length, named(/^(Folder|Project)/).length);
});

test('accepts the notation of the contract, with and without quotes', async (context) => {
  const service = await emulated(context);
  for (const text of [
    '[TaskCreated,TaskDeleted]',
    '[ TaskCreated, TaskDeleted ]',
    '["TaskCreated","TaskDeleted"]',
  ]) {
    assert.deepEqual((await parametersOf(service, '--events', text)).events, ['TaskCreated', 'TaskDeleted']);
  }
  const wrong = await service.wm(['webhook', 'create', url, '--events', '[TaskCreate]']);
  assert.equal(wrong.status, 2);
  assert.match(wrong.errors, /^wm: --events: "TaskCreate" is not an event\n {2}Did you mean TaskCreated/);
});

test('--payload-fields moves only the events that can carry them', async (context) => {
  const service = await emulated(context);
  assert.deepEqual(
    await parametersOf(service, '--events', 'TaskCreated,FolderCreated', '--payload-fields', 'Title,status'),
    {
      events: null,
      parameterisedEvents: [
        { event: 'TaskCreated', fields: ['title', 'status'] },
        { event: 'FolderCreated', fields: ['title'] },
      ],
    },
  );
  assert.deepEqual(
    await parametersOf(service, '--events', 'TaskCreated,FolderCreated', '--payload-fields', 'project'),
    { events: ['TaskCreated'], parameterisedEvents: [{ event: 'FolderCreated', fields: ['project'] }] },
  );
});

test('--filter removes its event from --events; one event can have several filters', async (context) => {
  const service = await emulated(context);
  assert.deepEqual(
    await parametersOf(
      service,
      ...['--events', 'TaskCreated,TaskDeleted', '--filter', 'TaskCreated:recurrent=true'],
      ...[
        '--filter',
        `taskcustomfieldchanged:CustomFields=${copies},${colours}`,
        '--payload-fields',
        'title',
      ],
      ...['--parameterised-events', '[{"event":"FolderCreated"}]'],
    ),
    {
      events: null,
      parameterisedEvents: [
        { event: 'TaskDeleted', fields: ['title'] },
        { event: 'TaskCreated', recurrent: true, fields: ['title'] },
        { event: 'TaskCustomFieldChanged', customFields: [copies, colours], fields: ['title'] },
        { event: 'FolderCreated' },
      ],
    },
  );
  const { parameterisedEvents } = await parametersOf(service, '--filter', 'TaskCreated:recurrent=false');
  assert.deepEqual(parameterisedEvents, [{ event: 'TaskCreated', recurrent: false }]);
});

test('--filter accepts titles of custom fields, and the created webhook delivers', async (context) => {
  const service = await emulated(context);
  const filter = ['--filter', `TaskCustomFieldChanged:customFields=copies, ${colours}`];
  assert.deepEqual((await parametersOf(service, ...filter)).parameterisedEvents, [
    { event: 'TaskCustomFieldChanged', customFields: [copies, colours] },
  ]);
  const created = await service.wm(['webhook', 'create', url, ...filter, '-q']);
  assert.equal(created.status, 0, created.errors);
  const unknown = await service.wm([
    'webhook',
    'create',
    url,
    '--filter',
    'TaskCustomFieldChanged:customFields=Copiez',
  ]);
  assert.equal(unknown.status, 2);
  assert.match(
    unknown.errors,
    /^wm: --filter: "Copiez" is not the title of a custom field\n {2}Did you mean "Copies"/,
  );
});

test('--filter with a title of two custom fields: the error gives their ids', async (context) => {
  const customFields = [1, 2].map(() => ({ title: 'Copies', type: 'Numeric' }));
  const { wm } = await emulated(context, { seed: seedOf({ version: 1, customFields }) });
  const ran = await wm(['webhook', 'create', url, '--filter', 'TaskCustomFieldChanged:customFields=copies']);
  assert.equal(ran.status, 2, ran.errors);
  assert.match(
    ran.errors,
    /^wm: --filter: "copies" is the name of 2 custom fields\n(?:.*\n)*(?: +IE\w+ {2}Copies\n){2}/,
  );
});

test('filters and fields that cannot be delivered are usage errors; nothing is sent', async (context) => {
  const { wm } = await emulated(context);
  for (const [flags, message] of [
    [['--payload-fields', 'title'], /^wm: --payload-fields needs --events or --filter\n/],
    [
      ['--payload-fields', 'project', '--events', 'TaskCreated'],
      /^wm: --payload-fields: none of the events can carry project\n/,
    ],
    [['--payload-fields', 'colour', '--events', 'task'], /--payload-fields: "colour" is not one of title, /],
    [['--filter', 'TaskCreated'], /--filter: "TaskCreated" is not of the form EVENT:KEY=VALUES/],
    [['--filter', 'TaskCreate:recurrent=true'], /^wm: --filter: "TaskCreate" is not an event/],
    [
      ['--filter', 'TaskCreated:customFields=x'],
      /"customFields" is not a filter of TaskCreated, which takes recurrent/,
    ],
    [['--filter', 'TaskDeleted:recurrent=true'], /is not a filter of TaskDeleted, which takes none/],
    [['--filter', 'TaskCreated:recurrent=maybe'], /"maybe" is neither true nor false/],
  ] as const) {
    const ran = await wm(['webhook', 'create', url, ...flags]);
    assert.equal(ran.status, 2, ran.errors);
    assert.match(ran.errors, message);
  }
  assert.equal((await wm(['webhook', 'list', '-q'])).output, '');
});
