// A reporter of node --test that says nothing until the end, and then lists the tests that failed, with their errors: a log
// of thousands of tests is often cut, and its end is what remains.

import { inspect } from 'node:util';

export default async function* failedTests(events) {
  const failed = [];
  for await (const { type, data } of events) {
    if (type !== 'test:fail' || data.todo !== undefined || data.skip !== undefined) continue;
    const { error } = data.details;
    // A test fails again for each one above it that contains it.
    if (error?.failureType === 'subtestsFailed') continue;
    failed.push(`${data.file ?? ''}: ${data.name}\n${indent(messageOf(error))}\n`);
  }
  if (failed.length > 0) yield `\nFailed tests: ${failed.length}\n\n${failed.join('\n')}`;
}

function messageOf(error) {
  const { cause } = error ?? {};
  const message = cause?.stack ?? cause ?? error?.message ?? error;
  // Some errors lose their prototype on the way here.
  return typeof message === 'string' ? message : inspect(message);
}

/** The log above has it whole. */
function indent(text) {
  const lines = text.split('\n');
  const shown = lines.length > 12 ? [...lines.slice(0, 12), '...'] : lines;
  return shown.map((line) => `    ${line.slice(0, 200)}`).join('\n');
}
