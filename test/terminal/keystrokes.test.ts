// Whatever is typed, in whatever pieces it is read: the same strokes come out of it, and no character is lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countLines, parseKeystrokes, toOneLine } from '#terminal/keystrokes.ts';

const paste = (text: string) => `\x1b[200~${text}\x1b[201~`;
const part = fc.oneof(
  fc.constantFrom('\x1b[A', '\x1bOB', '\x1b[5~', '\x1b[1;5C', '\x1bb', '\x1b[[A', '\x1b[?1;2c', '\x1b\x1b[D'),
  fc.constantFrom('\r', '\n', '\t', '\x00', '\x7f', '\x03', '\x1a', '\u009b', '\u202e'),
  fc.stringMatching(/^[a-zé漢🎉 ]{1,8}$/u),
  fc.string({ unit: fc.constantFrom(...'ab\r\n\t\x00'), maxLength: 8 }).map(paste),
);

test('parses the same keystrokes however the input is split into reads', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), fc.array(fc.nat(60), { maxLength: 6 }), (parts, cuts) => {
      const input = parts.join('');
      const all = parseKeystrokes(input);
      assert.equal(all.keystrokes.map(({ source }) => source).join('') + all.rest, input);
      // A read gives whole characters.
      const characters = [...input];
      const edges = cuts.map((cut) => Math.min(cut, characters.length)).toSorted((a, b) => a - b);
      let rest = '';
      const pieces = [...edges, characters.length].flatMap((edge, at, list) => {
        const read = parseKeystrokes(rest + characters.slice(list[at - 1] ?? 0, edge).join(''));
        rest = read.rest;
        return read.keystrokes;
      });
      assert.equal(rest, all.rest);
      // Text comes in runs, as long as the reads.
      const joined = (strokes: typeof pieces) =>
        strokes.flatMap((stroke) => (stroke.kind === 'text' ? [...stroke.text] : [JSON.stringify(stroke)]));
      assert.deepEqual(joined(pieces), joined([...all.keystrokes]));
    }),
    { numRuns: 3000 },
  );
});

test('any bytes: none are lost, and only an incomplete sequence waits for more input', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'\x1b[]O200~201~;?a\r\x03\x9b') }), (input) => {
      const { keystrokes, rest } = parseKeystrokes(input);
      assert.equal(keystrokes.map(({ source }) => source).join('') + rest, input);
      assert.ok(rest === '' || rest.startsWith('\x1b'));
      assert.ok(keystrokes.every(({ source }) => source !== ''));
    }),
    { numRuns: 3000 },
  );
});

test('a paste may contain its own markers; it never presses Enter or swallows Ctrl-C', () => {
  const kinds = (input: string) => parseKeystrokes(input).keystrokes.map(({ kind, text }) => [kind, text]);
  // A hostile text ends its paste itself; the terminal's own mark comes later.
  assert.deepEqual(kinds(paste('a\x1b[201~\rrm\r')), [['paste', 'a\x1b[201~\rrm\r']]);
  assert.deepEqual(kinds(`${paste('a')}\r${paste('b')}`), [
    ['paste', 'a'],
    ['key', '\r'],
    ['paste', 'b'],
  ]);
  assert.deepEqual(kinds('\x1b[200~no end\x03'), [['key', '\x03']]);
  assert.deepEqual(parseKeystrokes('\x1b[200~no end yet\r'), {
    keystrokes: [],
    rest: '\x1b[200~no end yet\r',
  });
});

test('joins a paste into one line', () => {
  assert.equal(toOneLine('\r\n one\r\ntwo\tthree\x00\x1b[31m\u009b\n\n'), 'one two three');
  assert.equal(countLines('\none\r\ntwo\n\n'), 2);
  assert.equal(countLines('one\n'), 1);
});
