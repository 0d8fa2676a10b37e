// The benchmark's counterpart of `wm webhook listen`: the shortest receiver that responds only after a sync. Checks the signature,
// and appends bodies to one file, without deduplication or limits. node bare-receiver.mjs FILE SECRET; prints its port.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { fdatasync, openSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';

const [, , path, secret] = process.argv;
const file = openSync(path, 'a');
let waiting = [];
let isSyncing = false;

function commit() {
  if (isSyncing || waiting.length === 0) return;
  isSyncing = true;
  const batch = waiting;
  waiting = [];
  writeSync(file, Buffer.concat(batch.map(({ body }) => body)));
  fdatasync(file, (error) => {
    isSyncing = false;
    for (const { response } of batch) {
      response.statusCode = error ? 503 : 200;
      response.end();
    }
    commit();
  });
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    const expected = createHmac('sha256', secret).update(body).digest();
    const given = Buffer.from(request.headers['x-hook-signature'] ?? '', 'hex');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      response.statusCode = 503;
      response.end();
      return;
    }
    waiting.push({ body, response });
    // All that arrive in this turn share the sync.
    setImmediate(commit);
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
process.once('SIGTERM', () => process.exit(0));
