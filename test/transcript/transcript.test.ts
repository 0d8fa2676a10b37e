// Plays transcripts of this folder. The test itself runs `wm` (run-line.ts); the deep suite plays all, and with processes.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { commands } from '#app/commands.ts';
import { reportRun } from '#test/support/program/program.ts';
import { fill, type Known, matchLines } from './match.ts';
import { play, readTranscripts } from './play.ts';
import { readSession } from './session.ts';

const transcripts = await readTranscripts();

describe('transcripts', () => {
  for (const transcript of transcripts) {
    const { name, skip, isDeep } = transcript;
    if (isDeep) continue;
    test(name, { skip }, (context) => play(context, transcript, { isInside: true }));
  }
});

// The deep suite plays these, so their flags count as typed.
for (const { command, exit } of transcripts.flatMap(({ isDeep, session }) => (isDeep ? session.steps : [])))
  for (const [, words = ''] of command.matchAll(/\bwm ((?:'[^']*'|"[^"]*"|[^|;&()'"])*)/g))
    reportRun(words.match(/(?:'[^']*'|"[^"]*"|\S)+/g) ?? [], exit);

test('every command has a transcript', () => {
  const typed = transcripts.flatMap(({ session }) => session.steps.map(({ command }) => command));
  const without = commands.filter(
    ({ words }) => !typed.some((line) => new RegExp(`\\bwm ${words}\\b(?!.*--help)`).test(line)),
  );
  assert.deepEqual(
    without.map(({ words }) => words),
    [],
  );
});

test('fails on output missing from the transcript, or of the wrong kind', () => {
  const known: Known = new Map([['{{host}}', '127.0.0.1:4010']]);
  const fits = (expected: string[], lines: string[]) => matchLines(expected, lines, known) !== undefined;
  assert.ok(fits(['a', '...', 'z'], ['a', 'b', 'c', 'z']));
  assert.ok(fits(['at {{host}} {{number}} {{number}}.'], ['at 127.0.0.1:4010 7 7.']));
  assert.ok(!fits(['a'], ['a', 'b']));
  assert.ok(!fits(['a', 'b'], ['a']));
  assert.ok(!fits(['a.c'], ['abc']));
  assert.ok(!fits(['at {{host}}'], ['at 127.0.0.1:4011']));
  assert.ok(!fits(['{{number}} {{number}}'], ['7 8']));
  assert.ok(!fits(['{{hook}}'], ['IEAAAAAQ']));
  assert.throws(() => fits(['{{nonsense}}'], ['a']), /no kind/);
  assert.throws(() => fill('{{hook}}', known), /nothing has shown/);
  assert.throws(() => readSession('$ true\nhello'), /line 2/);
  assert.throws(() => readSession('$ true\n~ hello'), /line 2/);
  assert.throws(() => readSession('with: terminal\n$ true\n~ ?\n< y\n< y'), /line 5/);
  assert.deepEqual(readSession('with: dumb\n$ true\n~ a\n~ b\n< y\n~ c').steps[0]?.dialogue, [
    { shows: ['a', 'b'], keys: 'y' },
    { shows: ['c'], keys: undefined },
  ]);
});
