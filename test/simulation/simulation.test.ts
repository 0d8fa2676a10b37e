// Every scenario with deaths after a part of its steps, with the seeds that ever failed, and with ten more.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { simulate } from './simulate.ts';

test('every scenario survives a death after a step, and ten seeds', async () => {
  // A run of the last four has up to 180 steps. The deep suite tries more of them.
  for (const options of [
    ['bulk', 'emulator', 'login', 'renewal', 'suspend', 'undo', '--every=2'],
    ['apply', 'receiver', 'rotation', 'taskUndo', '--every=25'],
  ]) {
    const { status, output } = await simulate([...options, '--known', '--deaths', '--seeds=10']);
    assert.equal(status, 0, output);
  }
});

test('two runs of a seed are equal', async () => {
  const first = await simulate(['renewal', '--seed=7', '--trace']);
  const second = await simulate(['renewal', '--seed=7', '--trace']);
  assert.ok(first.output.length > 1000, first.output);
  assert.equal(withoutSeconds(second.output), withoutSeconds(first.output));
});

test('every mutant changes one place of the source', () => {
  for (const line of readFileSync('test/simulation/mutants.jsonl', 'utf8').trim().split('\n')) {
    const { file, from, what }: { file: string; from: string; what: string } = JSON.parse(line);
    assert.equal(readFileSync(file, 'utf8').split(from).length, 2, `${what}: ${file}`);
  }
});

function withoutSeconds(output: string): string {
  return output.replace(/"seconds":[\d.]+/, '');
}
