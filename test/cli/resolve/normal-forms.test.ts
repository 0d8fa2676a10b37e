// Names with accents in either form: what looks the same is the same, wherever a person names or searches something. Files from
// macOS have letters and marks apart.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedOf } from '#test/emulator/seed/any-seed.ts';
import { emulated } from '#test/support/program/emulated.ts';

const forms = ['NFC', 'NFD'] as const;

for (const stored of forms) {
  const typedAs = stored === 'NFC' ? 'NFD' : 'NFC';
  test(`names stored in ${stored}, typed in ${typedAs}`, async (context) => {
    const has = (text: string) => text.normalize(stored);
    const typed = (text: string) => text.normalize(typedAs);
    const seed = seedOf({
      version: 1,
      users: [{ firstName: has('Zoë'), lastName: has('Müller'), email: 'zoe@example.org', admin: true }],
      folders: [
        { title: has('Büro'), kind: 'space' },
        { title: has('Entwürfe'), parentIds: [has('Büro')] },
      ],
      customFields: [
        { title: has('Größe'), type: 'DropDown', values: [has('Größer'), 'Klein'] },
        { title: has('Fächer'), type: 'Multiple', values: [has('Öl, dünn'), has('Kürze')] },
      ],
      workflows: [
        {
          name: has('Ablauf für alle'),
          statuses: [{ name: has('Prüfung'), group: 'Active' }],
        },
      ],
      tasks: [{ title: has('Café plan'), parentIds: [has('Entwürfe')] }],
    });
    const { wm } = await emulated(context, { seed });
    for (const argv of [
      ['task', 'get', 'Café plan'],
      ['task', 'get', 'CAFÉ PLAN'],
      ['task', 'list', '--title', 'fé pl'],
      ['task', 'list', '--folder', 'Entwürfe'],
      ['task', 'list', '--space', 'büro', '--recursive'],
      ['task', 'list', '--responsible', 'Zoë Müller'],
      ['task', 'update', 'Café plan', '--custom-field', 'Größe=größer'],
      ['task', 'update', 'Café plan', '--custom-field', 'Fächer=Öl, dünn'],
      ['task', 'update', 'Café plan', '--custom-field', 'Fächer=Kürze,"Öl, dünn"'],
      ['task', 'update', 'Café plan', '--custom-status', 'Prüfung', '--add-responsibles', 'zoë müller'],
      ['folder', 'list', '--title', 'würf'],
      ['space', 'list', '--title', 'bür'],
      ['customfield', 'list', '--title', 'größ'],
      ['workflow', 'list', '--name', 'für'],
      ['workflow', 'list', '--status', 'prüf'],
    ]) {
      const ran = await wm(argv.map(typed), { exit: 0 });
      if (argv[1] === 'list' && argv[2] !== '--responsible')
        assert.notEqual(ran.output, '', `${argv.join(' ')}: ${ran.errors}`);
    }
    // The service filters these; it has the names as people type them.
    const contacts = await wm(['contact', 'list', '--name', 'Zoë Müller'.normalize('NFD')]);
    if (stored === 'NFC') assert.match(contacts.output, /Zoë/);
    const csv = `id,custom-field:${typed('Größe')},${typed('Übrig')}\n`;
    const from = ['task', 'update', '--from', '-', '--dry-run', '--ignore-column', has('Übrig')];
    const { id } = JSON.parse((await wm(['task', 'get', typed('Café plan'), '--json'])).output);
    await wm(from, { exit: 0, input: `${csv}${id},${typed('Größer')},x\n` });
    const near = await wm(['task', 'get', typed('Cafés plan')]);
    assert.ok(near.errors.includes(`Did you mean "${has('Café plan')}"?`), near.errors);
  });
}

test('finds a label in either form, and rejects it as a duplicate in the other', async (context) => {
  const { wm } = await emulated(context);
  const create = async (path: string): Promise<string> => {
    const url = `https://hooks.example.com/${path}`;
    return JSON.parse((await wm(['webhook', 'create', url, '--yes', '--json'])).output).id;
  };
  const [first, second] = [await create('a'), await create('b')];
  await wm(['webhook', 'label', first, 'Büro'.normalize('NFD')], { exit: 0 });
  await wm(['webhook', 'get', 'Büro'.normalize('NFC')], { exit: 0 });
  const twice = await wm(['webhook', 'label', second, 'Büro'.normalize('NFC')]);
  assert.match(twice.errors, /already has the label/);
});

test('an exact match wins between two titles that look the same', async (context) => {
  const { wm } = await emulated(context);
  const ids = new Map<string, string>();
  for (const form of forms) {
    const made = await wm(['task', 'create', 'Café'.normalize(form), '--folder', 'Website', '--json']);
    ids.set(form, JSON.parse(made.output).id);
  }
  for (const form of forms) {
    const got = await wm(['task', 'get', 'Café'.normalize(form), '--json']);
    assert.equal(JSON.parse(got.output).id, ids.get(form));
  }
});
