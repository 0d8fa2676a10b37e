// Runs `npm run simulate` for the tests.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';

/** `output`: what it printed, on both outputs. */
export async function simulate(options: readonly string[]): Promise<{ status: number; output: string }> {
  const child = spawn(process.execPath, ['scripts/simulate.mjs', ...options]);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const status = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)));
  return { status, output };
}

/** Of a long scenario, each Nth blow and pair. */
export function testScenarios(rows: readonly (readonly [scenario: string, seeds: number, every: number])[]) {
  for (const [scenario, seeds, every] of rows)
    test(`${scenario}: blows at each step, pairs of them, and ${seeds} seeds`, async () => {
      const options = ['--singles', '--pairs', `--every=${every}`, `--seeds=${seeds}`];
      const { status, output } = await simulate([scenario, ...options]);
      assert.equal(status, 0, output);
    });
}
