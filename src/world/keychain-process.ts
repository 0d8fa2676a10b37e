// The child process of keychain.ts. Reads one request from standard input and writes the result to standard output. Killing it ends
// a prompt that the user has left unanswered.

import { createInterface } from 'node:readline';
import { type KeychainRequest, runKeychainRequest } from './keychain-library.ts';

// A write ends by then even if the parent has died.
const maxLifetimeMs = 150_000;

export async function runKeychainProcess(): Promise<void> {
  setTimeout(killSelf, maxLifetimeMs).unref();
  const lines = createInterface({ input: process.stdin });
  const request = await new Promise<KeychainRequest | undefined>((resolve) => {
    lines.once('line', (line) => resolve(parseRequest(line)));
    lines.once('close', () => resolve(undefined));
  });
  // Without the parent, a prompt is useless. A write continues: it may hold the only copy of a token.
  if (request?.action !== 'write') lines.once('close', killSelf);
  const outcome = request ? await runKeychainRequest(request) : { fault: 'failed', detail: 'not a request' };
  lines.off('close', killSelf);
  await new Promise<void>((resolve) => {
    process.stdout.on('error', () => resolve());
    process.stdout.write(JSON.stringify(outcome), () => resolve());
  });
  lines.close();
  process.stdin.destroy();
}

/** Not process.exit: it waits for the library, which waits for the prompt. */
function killSelf(): void {
  process.kill(process.pid, 'SIGKILL');
}

function parseRequest(line: string): KeychainRequest | undefined {
  const { action, service, account, secret } = Object(JSON.parse(line));
  if (typeof service !== 'string' || typeof account !== 'string') return undefined;
  if (action === 'read' || action === 'remove') return { action, service, account };
  return action === 'write' && typeof secret === 'string' ? { action, service, account, secret } : undefined;
}
