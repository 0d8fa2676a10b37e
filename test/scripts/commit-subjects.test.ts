// The subjects of commits: at most 72 characters, imperative mood, no period at the end. That real commits are checked, in
// whole and in shallow histories, is in test/system: it takes git, which npm does not bring.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subjectFaults } from '../../scripts/commit-subjects.mjs';

for (const subject of [
  'Add a flag for the port',
  'contract: name values and errors in standard terms',
  'Undo, tests: restore duration and weekends',
  `Name ${'x'.repeat(67)}`,
  `Name ${'é'.repeat(67)}`,
  'Read .wmrc before the flags',
]) {
  test(`accepts the subject: ${subject}`, () => assert.deepEqual(subjectFaults(subject), []));
}

const imperative = /is not known as an imperative/;
for (const [subject, fault] of [
  ['Keep what nobody reads', /"nobody": say it as a colleague would/],
  ['Let a receiver refuse a host', /"refuse"/],
  [`Name ${'x'.repeat(68)}`, /it has 73 characters; at most 72 are allowed/],
  ['Add a flag.', /ends with a full stop/],
  ['Add a flag…', /ends with a full stop/],
  ['Added a flag', imperative],
  ['Adds a flag', imperative],
  ['Adding a flag', imperative],
  ['Undo: restores duration', imperative],
  ['The port has a flag', imperative],
  ['bulk: outcomes have names', imperative],
  ['', imperative],
] as const) {
  test(`rejects the subject: ${subject}`, () => {
    const faults = subjectFaults(subject);
    assert.equal(faults.length, 1);
    assert.match(faults[0] ?? '', fault);
  });
}
