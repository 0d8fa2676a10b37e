// Runs `npm run simulate` for the tests.

import { spawn } from 'node:child_process';

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
