// Text is cut into the same documents, however it arrives.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createDocumentSplitter } from '#cli/filtered-output.ts';

test('the documents are the same for all pieces that the text may arrive in', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue(), { maxLength: 5 }),
      fc.constantFrom(undefined, 2),
      fc.array(fc.nat(8), { maxLength: 200 }),
      (values, indent, sizes) => {
        const text = values.map((value) => `${JSON.stringify(value, null, indent)}\n`).join('');
        const splitter = createDocumentSplitter();
        const documents: string[] = [];
        let at = 0;
        for (const size of sizes) {
          documents.push(...splitter.push(text.slice(at, at + size)));
          at += size;
        }
        documents.push(...splitter.push(text.slice(at)));
        assert.deepEqual(
          documents.map((document): unknown => JSON.parse(document)),
          values.map((value): unknown => JSON.parse(JSON.stringify(value))),
        );
        assert.equal(splitter.rest(), '');
      },
    ),
  );
});

test('a document is there as soon as it is complete, and a number at the end is the rest', () => {
  const splitter = createDocumentSplitter();
  assert.deepEqual(splitter.push('{"a":"}\\""}[1]"x" 12'), ['{"a":"}\\""}', '[1]', '"x"']);
  assert.equal(splitter.rest(), '12');
  assert.deepEqual(splitter.push('3\n{'), ['123']);
  assert.equal(splitter.rest(), '{');
});

test('what is no JSON comes out too, for jq to reject', () => {
  const splitter = createDocumentSplitter();
  assert.deepEqual(splitter.push('] GET /tasks\n'), [']', 'GET', '/tasks']);
});
