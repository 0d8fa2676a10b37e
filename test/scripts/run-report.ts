// Runs test files of a given text with the runner of the tests, and reports what it says of them.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { nodeTest, runFiles, type TestEvent } from '../../scripts/testing/run-files.mjs';

const head = `import { test, describe, before, beforeEach, after } from ${JSON.stringify(nodeTest)};
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
`;

/** Where a test prints `expire`, the time limit of its process has passed. */
export async function report(t: TestContext, bodies: readonly string[], namePattern?: string) {
  const folder = await ownFolder(t);
  const temporary = join(folder, 'temporary');
  await mkdir(temporary);
  const files = await Promise.all(
    bodies.map(async (body, at) => {
      const path = join(folder, `${at}.mjs`);
      await writeFile(path, head + body);
      return { name: `${at}`, path };
    }),
  );
  const events: TestEvent[] = [];
  let expireTimer = () => {};
  const { NODE_TEST_CONTEXT: _own, ...environment } = process.env;
  await runFiles(files, {
    folder: temporary,
    environment,
    processes: 1,
    limitMs: 60_000,
    namePattern,
    startTimer(_ms, expire) {
      expireTimer = expire;
      return () => {};
    },
    on(event) {
      events.push(event);
      if (event.text === 'expire') expireTimer();
    },
  });
  const lines = events
    .filter(({ kind }) => kind === 'test')
    .map(
      ({ file, name, failure, skip }) =>
        `${file}: ${name}: ${failure?.split('\n')[0] ?? (skip === undefined ? 'passed' : `skipped: ${skip}`)}`,
    );
  const ended = events.filter(({ kind }) => kind === 'file').map(({ file }) => file);
  return { lines, ended, output: events.map(({ text }) => text ?? '').join(''), temporary };
}

/** Declares the test of a file whose test, called `named`, goes on for ever. */
export function testEnded(how: string, body: string, named: string): void {
  test(`a test that ${how} is named and stopped, and the files after it still run`, async (t) => {
    const { lines, ended } = await report(t, [body, "test('is fine', () => {});"]);
    assert.deepEqual(lines, [`0: ${named}: stood still for 60 s`, '1: is fine: passed']);
    assert.deepEqual(ended, ['0', '1']);
  });
}
