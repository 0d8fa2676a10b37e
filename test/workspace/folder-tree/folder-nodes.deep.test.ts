// The tree of very many folders: the work grows with their number.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { treeRows } from '#workspace/folder-tree/draw-tree.ts';
import { formatPath, listFolderNodes } from '#workspace/folder-tree/folder-nodes.ts';
import { folder } from './folders.ts';

test('deeply nested folders: paths show the last levels, and the work grows linearly', () => {
  const count = 50_000;
  const all = Array.from({ length: count }, (_, level) => folder(`f${level}`, [`f${level + 1}`]));
  const nodes = listFolderNodes(all, new Set());
  assert.equal(nodes.length, count);
  assert.equal(
    formatPath(at(nodes, 29)),
    Array.from({ length: 30 }, (_, level) => `T f${level}`).join(' / '),
  );
  const last = Array.from({ length: 30 }, (_, level) => `T f${count - 30 + level}`);
  assert.equal(formatPath(at(nodes, -1)), ['…', ...last].join(' / '));
  const rows = treeRows(nodes, nodes);
  assert.equal(Math.max(...rows.map(({ continues }) => continues.length)), 30);
  // More in one folder than a call takes arguments.
  const wide = Array.from({ length: 200_000 }, (_, at) => folder(`w${at}`));
  const top = folder(
    'top',
    wide.map(({ record }) => record.id),
  );
  assert.equal(listFolderNodes([top, ...wide], new Set()).length, 200_001);
});

test('many cycles of folders that share one long chain', () => {
  const line = Array.from({ length: 3000 }, (_, at) => folder(`l${at}`, [`l${at + 1}`]));
  let reads = 0;
  const pairs = Array.from({ length: 3000 }, (_, at) => [
    folder(`a${at}`, [`b${at}`]),
    folder(`b${at}`, [`a${at}`, 'l0']),
  ]).flat();
  const counted = [...pairs, ...line].map(({ record, raw }) => ({
    raw,
    record: {
      ...record,
      get childIds() {
        reads += 1;
        return record.childIds ?? [];
      },
    },
  }));
  const once = listFolderNodes(counted, new Set()).filter(({ isRepeated }) => !isRepeated);
  assert.equal(once.length, counted.length);
  assert.ok(reads < 10 * counted.length, `${reads} reads of childIds`);
});

function at<T>(list: readonly T[], index: number): T {
  const one = list.at(index);
  assert.ok(one !== undefined);
  return one;
}
