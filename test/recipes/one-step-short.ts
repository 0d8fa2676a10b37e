// Every step of the recipes but one: the check that is named beside it fails. A test for each.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Check } from './checks.ts';
import type { Copy } from './copy.ts';
import { recipes } from './recipes.ts';

export function testWithoutEachStep(copy: Copy, isTried: (check: Check) => boolean): void {
  for (const { name, steps } of recipes)
    for (const [index, step] of steps.entries())
      if (isTried(step.check))
        test(`${name}: without step ${index + 1}, ${step.place}, this fails: ${step.check}`, async () => {
          await copy.follow(step);
          const { status, output } = await copy.check(step.check);
          assert.equal(status, 1, output);
        });
}
