// Runs test files in a few processes, each of which takes the next file when one has ended. Replaces a process that a file ended or
// that hangs, and fails the file.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';

const worker = new URL('worker.mjs', import.meta.url);
/** The URL of what test files get for `node:test`: the module that the worker runs them with. */
export const nodeTest = new URL('node-test.mjs', import.meta.url).href;
/** Starts a new process after this many files, so that memory does not pile up. */
const filesInProcess = 70;

/**
 * `limitMs`: how long a process may run without the start or end of a test. `startTimer(ms, expire)` returns a cancel function. The
 * events of `on`: `begins`, `output`, `file`, and `test` with `failure` or `skip`.
 * @typedef {{ kind: string, file?: string, name?: string, failure?: string, skip?: string, text?: string, ms?: number, tests?: number, commandLines?: string[][] }} TestEvent
 * @param {readonly { name: string, path: string }[]} files
 * @param {{ on(event: TestEvent): void, startTimer?(ms: number, expire: () => void): () => void, [option: string]: any }} options
 */
export async function runFiles(
  files,
  { folder, environment, processes, limitMs, namePattern, flags = [], startTimer = startRealTimer, on },
) {
  const waiting = [...files];
  await Promise.all(
    Array.from({ length: Math.min(processes, files.length) }, async () => {
      while (waiting.length > 0)
        await runProcess(waiting, { folder, environment, limitMs, namePattern, flags, startTimer, on });
    }),
  );
}

function startRealTimer(ms, expire) {
  const timer = setTimeout(expire, ms);
  return () => clearTimeout(timer);
}

async function runProcess(waiting, { folder, environment, limitMs, namePattern, flags, startTimer, on }) {
  const child = fork(worker, [], {
    execArgv: [
      '--enable-source-maps',
      // Every core has a process of its own, so threads that help to collect garbage only get in the way.
      '--single-threaded-gc',
      ...flags,
    ],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...environment, TEST_FOLDER: folder },
  });
  let finished = 0;
  let current;
  let isExpired = false;
  let cancelTimer = () => {};
  const emit = (event) => {
    if (event.kind === 'test') current.tests++;
    on({ ...event, file: current?.name });
  };
  const emitEnd = (event) =>
    emit({ ...event, kind: 'file', tests: current.tests, ms: performance.now() - current.begins });
  const fail = (name, failure) => emit({ kind: 'test', name, failure });
  const failRunning = (failure) => fail([...current.running].join(', ') || 'outside its tests', failure);
  const watchTest = () => {
    cancelTimer();
    cancelTimer = startTimer(limitMs, () => {
      failRunning(`stood still for ${limitMs / 1000} s`);
      isExpired = true;
      child.kill('SIGKILL');
    });
  };

  const next = () => {
    current = finished < filesInProcess ? waiting.shift() : undefined;
    if (current === undefined) {
      cancelTimer();
      child.send(null);
      return;
    }
    current = { ...current, running: new Set(), tests: 0, begins: performance.now() };
    // A process that has just ended reports that itself.
    child.send({ url: pathToFileURL(current.path).href, namePattern }, () => {});
    watchTest();
  };
  child.on('message', (event) => {
    if (current === undefined) return;
    if (event.kind === 'begins') current.running.add(event.name);
    if (event.kind === 'test') current.running.delete(event.name);
    if (event.kind === 'file') {
      if (current.tests === 0 && namePattern === undefined) fail('the file', 'it has no test');
      emitEnd(event);
      finished++;
      next();
    } else {
      emit(event);
      watchTest();
    }
  });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => emit({ kind: 'output', text }));
  next();
  // Not `close`: a process that outlives the file may keep its pipes open.
  const [status, signal] = await once(child, 'exit');
  cancelTimer();
  if (current === undefined) return;
  if (!isExpired) failRunning(`the process ended with ${signal ?? status}`);
  emitEnd();
}
