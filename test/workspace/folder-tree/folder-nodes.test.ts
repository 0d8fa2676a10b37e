// The tree of folders, whatever a service sends: each folder is there once with its contents, on its highest level, and
// nothing goes round in circles.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { treeRows } from '#workspace/folder-tree/draw-tree.ts';
import { type FolderNode, formatPath, listFolderNodes } from '#workspace/folder-tree/folder-nodes.ts';
import { folder, read } from './folders.ts';

const outline = (nodes: readonly FolderNode[]) =>
  nodes.map(({ record, depth, isRepeated }) => `${depth} ${record.id}${isRepeated ? ' again' : ''}`);

test('lists the contents of a folder with two parents at its highest level', () => {
  const nodes = listFolderNodes(
    [
      folder('top', ['deep', 'shared']),
      folder('deep', ['shared']),
      folder('shared', ['leaf']),
      folder('leaf'),
    ],
    new Set(),
  );
  assert.deepEqual(outline(nodes), ['1 top', '2 deep', '3 shared again', '2 shared', '3 leaf']);
  assert.deepEqual(nodes.filter(({ isRepeated }) => !isRepeated).map(formatPath), [
    'T top',
    'T top / T deep',
    'T top / T shared',
    'T top / T shared / T leaf',
  ]);
});

test('lists folders that contain each other, or themselves, once', () => {
  const all = [folder('a', ['b']), folder('b', ['a']), folder('self', ['self']), folder('alone')];
  assert.deepEqual(outline(listFolderNodes(all, new Set())), [
    '1 alone',
    '1 a',
    '2 b',
    '3 a again',
    '1 self',
    '2 self again',
  ]);
  assert.deepEqual(outline(listFolderNodes(all, new Set(), 'a')), ['1 b']);
});

test('leaves out the root and the contents of the recycle bin; a folder without a title has its id', () => {
  const nodes = listFolderNodes(
    [
      folder('root', ['space', 'bin'], { scope: 'WsRoot' }),
      folder('bin', ['gone'], { scope: 'RbRoot' }),
      folder('gone', [], { scope: 'RbFolder' }),
      read({ id: 'space', childIds: ['unseen'], scope: 'WsFolder' }),
      read({ id: 'plan', title: 'Plan', project: {} }),
    ],
    new Set(['space']),
  );
  assert.deepEqual(
    nodes.map((node) => [formatPath(node), node.type]),
    [
      ['space', 'space'],
      ['Plan', 'project'],
    ],
  );
  assert.deepEqual(listFolderNodes([], new Set()), []);
  assert.deepEqual(listFolderNodes([folder('a')], new Set(), 'missing'), []);
});

const graphs = fc.array(fc.array(fc.nat(12), { maxLength: 4 }), { maxLength: 12 }).map((children) =>
  children.map((ids, at) =>
    folder(
      `f${at}`,
      ids.map((id) => `f${id}`),
    ),
  ),
);

test('any folders: each once with its contents, on its highest level, below one of its parents', () => {
  fc.assert(
    fc.property(graphs, (folders) => {
      const nodes = listFolderNodes(folders, new Set());
      const once = nodes.filter(({ isRepeated }) => !isRepeated);
      assert.deepEqual(
        once.map(({ record }) => record.id).toSorted(),
        folders.map(({ record }) => record.id).toSorted(),
      );
      for (const node of nodes) {
        const { parent, record, depth } = node;
        assert.equal(depth, (parent?.depth ?? 0) + 1);
        if (parent) assert.ok(parent.record.childIds?.includes(record.id) && !parent.isRepeated);
        // Only where nothing is at the top may a lower place have come first.
        const own = once.find((one) => one.record.id === record.id);
        if (topOf(node) === topOf(own)) assert.ok(own && own.depth <= depth);
      }
    }),
  );
});

function topOf(node: FolderNode | undefined): FolderNode | undefined {
  return node?.parent ? topOf(node.parent) : node;
}

test('any selection: the tree has the selected folders and their ancestors, each with its lines', () => {
  fc.assert(
    fc.property(
      graphs,
      fc.nat(12),
      fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
      (folders, modulus, limit) => {
        const nodes = listFolderNodes(folders, new Set());
        const matches = ({ record }: FolderNode) => Number(record.id.slice(1)) % (modulus + 1) === 0;
        const selected = nodes.filter(matches).slice(0, limit);
        const rows = treeRows(nodes, selected);
        assert.deepEqual(
          rows.filter(({ isContext }) => !isContext).map(({ node }) => node),
          selected,
        );
        const above = new Set(selected.flatMap((node) => ancestors(node)));
        assert.deepEqual(
          rows.map(({ node }) => node),
          nodes.filter((node) => above.has(node)),
        );
        for (const [at, { node, continues }] of rows.entries()) {
          assert.equal(continues.length, node.depth - 1);
          if (node.parent === undefined) continue;
          const more = rows.slice(at + 1).some((later) => later.node.parent === node.parent);
          assert.equal(continues.at(-1), more);
        }
      },
    ),
  );
});

function ancestors(node: FolderNode | undefined): readonly FolderNode[] {
  return node ? [node, ...ancestors(node.parent)] : [];
}
