// In a pipe no control character of a value is left, since `cut` would print it to a terminal; and every value can be read back.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { escapeTabCell, sanitizeLine } from '#terminal/sanitize.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { jsonReply } from '#test/support/service/raw-server.ts';
import { ask, taskId } from '#test/support/service/scripted-service.ts';
import { createClock } from '#world/clock.ts';
import { readCell } from './read-cell.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
const control = /[\u0000-\u001f\u007f-\u009f]/;

test('a title with every control character: one line without them, and unchanged when read back', async () => {
  const codes = Array.from({ length: 0xa1 }, (_, code) => String.fromCharCode(code));
  const title = `a${codes.join('')}\\x1b\u202e\u00e9`;
  const { output } = await ask(
    ['task', 'get', taskId],
    [jsonReply(200, { kind: 'tasks', data: [{ id: taskId, title }] })],
  );
  const cells = output.replace(/\n$/, '').split('\t');
  for (const cell of cells) assert.doesNotMatch(cell, control);
  assert.ok(cells.map(readCell).includes(title), output);
  assert.ok(
    output.includes('\\x00\\x01') && output.includes('\\t\\n\\x0b\\x0c\\r') && output.includes('\\\\x1b'),
  );
});

test('any text survives a round trip', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('\\', 'x', '1', 'b', '\t', '\n', '\r', '\x1b', '\x7f', '\x9b', 'é'),
      }),
      (text) => {
        const cell = escapeTabCell(text);
        assert.doesNotMatch(cell, control);
        assert.equal(readCell(cell), text);
      },
    ),
  );
});

test('escapes the id and the reason of an invalid row', async (context) => {
  const folder = await ownFolder(context);
  const rows = join(folder, 'rows.ndjson');
  await writeFile(rows, `${JSON.stringify({ id: 'a\tb\x1b[31m\n', title: 'x' })}\n`);
  const environment = { WM_CONFIG_DIR: folder, XDG_STATE_HOME: folder };
  // An id that looks like none is looked up as a title.
  const none = jsonReply(200, { kind: 'tasks', data: [] });
  const { output } = await ask(['task', 'update', '--from', rows, '--yes'], [none], {
    environment,
    world: { clock: createClock() },
  });
  const lines = output.trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => line.split('\t').slice(0, 3)),
    [['1', 'a\\tb\\x1b[31m\\n', 'invalid']],
  );
  for (const cell of output.trimEnd().split('\t')) assert.doesNotMatch(cell, control);
});

test('shows a lone surrogate on a terminal, and keeps a whole pair', () => {
  assert.equal(sanitizeLine('a\ud800b\udc00c\u{1f600}'), 'a\ufffdb\ufffdc\u{1f600}');
});
