// One test for each call, with the strange responses that a suite tries. `wm api` reads in one way what has the same method and the same
// form: one operation of each form meets every response, and each other operation every eighth one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ending } from '#test/support/program/emulated.ts';
import { strangeResponses } from '../witness/strange-responses.ts';
import { allOperations, type Call, callsOf } from './strange-calls.ts';
import { startPlace } from './strange-place.ts';
import { findUntruth } from './strange-verdict.ts';

export async function testStrange(
  ending: Ending,
  isTried: (call: string, strange: string) => boolean,
): Promise<void> {
  const place = await startPlace(ending);
  const forms = new Set<string>();
  for (const [at, call] of callsOf(place.created).entries()) {
    const form = apiForm(call);
    const isFirst = form === undefined || !forms.has(form);
    if (form !== undefined) forms.add(form);
    const tried = [...strangeResponses].filter(
      ([name], index) => isTried(call.name, name) && (isFirst || (at + index) % 8 === 0),
    );
    if (tried.length === 0) continue;
    test(`${call.name} reports nothing untrue after a strange response`, async () => {
      const untruths: string[] = [];
      for (const [name, strange] of tried)
        for (const when of ['before', 'after'] as const) {
          if (!place.isPossible(call, strange, when)) continue;
          const result = await place.run(call, strange, when);
          const untruth = findUntruth(call, strange, result);
          if (untruth !== undefined)
            untruths.push(`${name}, ${when} the effect: ${untruth}: ${result.errors}`);
        }
      // Not deepEqual, which shows only the first few.
      assert.ok(untruths.length === 0, untruths.join('\n'));
    });
  }
}

/** By what `wm api` decides how to read a response; undefined for other commands. */
function apiForm({ argv, operation }: Call): string | undefined {
  const row = allOperations[operation];
  return argv[0] === 'api' ? `${row.method} ${row.path.endsWith('}')} ${'returnsFile' in row}` : undefined;
}
