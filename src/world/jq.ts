// Runs a jq filter on its own thread (jq-worker.ts), started only for --jq.

import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Jq, JqResults } from './world.ts';

/** Beside the program, or inside a single executable. */
const workerFile = 'jq-worker.cjs';

export const compileFilter: Jq['compile'] = async (filter, self, variables) => {
  const [{ Worker }, { getAsset, isSea }] = await Promise.all([
    import('node:worker_threads'),
    import('node:sea'),
  ]);
  // The user may have started the program through a link.
  const program = realpathSync(self.at(-1) ?? '');
  const path = join(dirname(program), '..', 'dist', workerFile);
  // Ignore its streams: WebAssembly only repeats its error there.
  const worker = new Worker(isSea() ? getAsset(workerFile, 'utf8') : path, {
    eval: isSea(),
    workerData: { filter, variables: [...variables] },
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  let onReply: (reply: JqResults) => void = () => {};
  let ended: JqResults | undefined;
  const end = (why: string) => {
    const error = `jq ended early: ${why}`;
    ended ??= { lines: [], notes: '', error, isInvalidJson: false, hasEnded: true };
    onReply(ended);
  };
  worker.on('message', (reply: JqResults) => onReply(reply));
  worker.on('error', (error) => end(error.message));
  worker.on('exit', () => end('its thread ended'));
  const reply = () =>
    new Promise<JqResults>((resolve) => {
      onReply = resolve;
    });
  const stop = async () => void (await worker.terminate());
  const { error: invalid, hasEnded } = await reply();
  if (hasEnded) throw new Error(invalid);
  if (invalid !== undefined) {
    await stop();
    return { invalid };
  }
  return {
    async run(documents) {
      if (ended) return ended;
      const results = reply();
      worker.postMessage(documents);
      return results;
    },
    stop,
  };
};
