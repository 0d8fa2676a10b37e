// The process of one keychain request, and lines that are none.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { internalCommands } from '#internal-commands.ts';

function runProcess(input: string): Promise<string> {
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, [resolve('bin/wm.js'), internalCommands.keychainProcess], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (bytes) => {
      output += bytes;
    });
    child.on('error', reject).on('close', () => done(output));
    child.stdin.write(input);
    // It ends by itself; its input stays open until then, as that of its parent does.
    child.stdout.on('end', () => child.stdin.end());
  });
}

const request = { service: 'wm', account: 'work', action: 'read' };

export const noRequests: readonly string[] = [
  'null',
  '"read"',
  '{}',
  JSON.stringify({ ...request, service: 1 }),
  JSON.stringify({ ...request, account: undefined }),
  JSON.stringify({ ...request, action: undefined }),
  JSON.stringify({ ...request, action: 'list' }),
  JSON.stringify({ ...request, action: 'write' }),
  JSON.stringify({ ...request, action: 'write', secret: 5 }),
];

export function testNoRequests(lines: readonly string[]): void {
  for (const line of lines)
    test(`${line} is not a request`, async () => {
      assert.equal(await runProcess(`${line}\n`), '{"fault":"failed","detail":"not a request"}');
    });
}
