// One test for each call, with the strange responses that a suite tries.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ending } from '#test/support/program/emulated.ts';
import { strangeResponses } from '../witness/strange-responses.ts';
import { callsOf } from './strange-calls.ts';
import { startPlace } from './strange-place.ts';
import { findUntruth } from './strange-verdict.ts';

export async function testStrange(
  ending: Ending,
  isTried: (call: string, strange: string) => boolean,
): Promise<void> {
  const place = await startPlace(ending);
  for (const call of callsOf(place.created)) {
    const tried = [...strangeResponses].filter(([name]) => isTried(call.name, name));
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
