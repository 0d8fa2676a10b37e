// How a tree is drawn: within the width of the terminal, with no character of a title lost, and none that is harmful.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Folder } from '#contract/read-only-records.ts';
import { displayWidth } from '#terminal/width.ts';
import { drawTree, treeRows } from '#workspace/folder-tree/draw-tree.ts';
import { listFolderNodes } from '#workspace/folder-tree/folder-nodes.ts';

const read = (id: string, title: string, childIds: readonly string[] = []) => {
  const record: Folder = { id, title, childIds: [...childIds] };
  return { record, raw: { ...record } };
};

function draw(
  folders: readonly ReturnType<typeof read>[],
  width = 40,
  withLines = true,
  isOneLine = false,
): readonly string[] {
  const nodes = listFolderNodes(folders, new Set());
  return drawTree(treeRows(nodes, nodes), width, {
    withLines,
    isOneLine,
    redact: (text) => text.replace('s3cret', '***'),
  }).split('\n');
}

test('a long title continues below its beginning, beside the lines', () => {
  const folders = [
    read('A', 'Top', ['B', 'C']),
    read('B', 'A title that is much too long for one line of forty'),
    read('C', 'Last'),
  ];
  assert.deepEqual(draw(folders), [
    'Top  A',
    '├─ A title that is much too long for one',
    '│  line of forty  B',
    '└─ Last  C',
  ]);
  // Without --long it loses its middle.
  assert.deepEqual(draw(folders, 40, true, true)[1], '├─ A title that is much too… of forty  B');
  assert.deepEqual(draw(folders, 40, false), [
    'Top  A',
    '  A title that is much too long for one',
    '  line of forty  B',
    '  Last  C',
  ]);
});

test('leaves room for the title and the id deep in a tree', () => {
  const depth = 60;
  const folders = Array.from({ length: depth }, (_, at) =>
    read(`IEAAAAAQI4AB5${String(at).padStart(3, '0')}`, `Level ${at}`, [
      `IEAAAAAQI4AB5${String(at + 1).padStart(3, '0')}`,
    ]),
  );
  const lines = draw(folders);
  assert.equal(lines.length, depth, 'no line was broken');
  for (const line of lines) assert.ok(displayWidth(line) <= 40, line);
  assert.equal(lines.at(-1), '         └─ Level 59  IEAAAAAQI4AB5059');
});

test('marks a folder whose contents are shown elsewhere, unless it is empty', () => {
  const lines = draw(
    [
      read('A', 'One', ['S', 'E']),
      read('B', 'Two', ['S', 'E']),
      read('S', 'Shared', ['L']),
      read('L', 'Leaf'),
      read('E', 'Empty'),
    ],
    80,
  );
  assert.deepEqual(lines, [
    'One  A',
    '├─ Shared  S',
    '│  └─ Leaf  L',
    '└─ Empty  E',
    'Two  B',
    '├─ Shared  S  (expanded elsewhere)',
    '└─ Empty  E',
  ]);
});

test('a title cannot break a line, colour it or reveal a secret', () => {
  const lines = draw([read('A', 'one\ntwo\u001b[31m s3cret\u202e')], 80);
  assert.deepEqual(lines, ['one two\ufffd[31m ***\ufffd  A']);
});
