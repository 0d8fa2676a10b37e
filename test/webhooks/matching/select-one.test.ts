// Commands that act on a single webhook: where their argument is left out, or means several, a list on a terminal, of which one can
// be picked, and an error elsewhere.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { key } from '#test/support/terminal/terminal.ts';
import { onStage } from '../on-stage.ts';
import { answering } from '../records.ts';

const commands = [
  ['diagnose', 'WEBHOOK', 'Which webhook to diagnose?'],
  ['verify', 'WEBHOOK', 'Which webhook to verify?'],
  ['secret', 'ID', 'The secret of which webhook?'],
  ['rotate-secret', 'ID', 'Which webhook gets a new secret?'],
  ['label', 'ID', 'Which webhook to label?'],
] as const;

test('in a script, the error names the command that lists webhooks; nothing is sent', async (context) => {
  const { wm, asked } = await answering(context, {});
  for (const [name, argument] of commands) {
    const ran = await wm(['webhook', name, ...(name === 'label' ? ['--remove'] : [])]);
    assert.equal(ran.status, 2, ran.errors);
    assert.ok(ran.errors.startsWith(`wm: Missing: ${argument}\n`), ran.errors);
    assert.match(ran.errors, /\n {2}To list them: wm webhook list\n$/);
  }
  assert.deepEqual(asked, []);
});

for (const TERM of ['xterm-256color', 'dumb']) {
  test(`on a terminal, picks one, TERM=${TERM}`, async (context) => {
    const { ids, ...stage } = await onStage(context, 'one', 'two');
    const open = async (line: string, question: string) => {
      const terminal = stage.open(line, { columns: 140, environment: { TERM } });
      await terminal.shows(question);
      if (TERM === 'dumb') await terminal.shows(/Number, or text to filter by: $/);
      else await terminal.screenShows('2 of 2');
      return terminal;
    };
    const second = TERM === 'dumb' ? `2${key.enter}` : `${key.down}${key.enter}`;
    const [, two = ''] = ids;
    for (const [name, , question] of commands) {
      const terminal = await open(`wm webhook ${name}`, question);
      // Only where several can be picked is there something to mark.
      assert.doesNotMatch(terminal.text, /\[ \]|Numbers/);
      terminal.type(key.interrupt);
      assert.equal(await terminal.ended, 130, terminal.text);
    }
    const secret = await open('wm webhook secret', 'The secret of which webhook?');
    secret.type(second);
    await secret.shows(new RegExp(`id: +${two}`));
    await secret.shows(/secret: +not stored/);
    assert.equal(await secret.ended, 0, secret.text);
    const label = await open("wm webhook label hooks 'night sync'", '"hooks" matches 2 webhooks. Which?');
    label.type(second);
    await label.shows(`Labelled: https://hooks.example.com/two (${two}, 'night sync').`);
    assert.equal(await label.ended, 0, label.text);
  });
}

test('on a terminal without any webhooks: not found', async (context) => {
  const { open } = await onStage(context);
  for (const [name] of commands) {
    const terminal = open(`wm webhook ${name}`);
    await terminal.shows('wm: No webhook');
    await terminal.shows('Only webhooks created by this token');
    assert.equal(await terminal.ended, 5, terminal.text);
  }
});
