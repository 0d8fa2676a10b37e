// A command that reads the service again and again, such as `wm webhook watch`. The test moves its clock: at each wait the test
// changes something, and the next read sees it.

import type { ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import type { World } from '#world/world.ts';
import { createTestClock } from '../clock.ts';
import { inFront } from '../service/intercept.ts';
import type { Emulated } from './emulated.ts';
import { handSignals } from './manual-signals.ts';

export type Step = () => unknown;

type Respond = (response: ServerResponse) => true;

/** `words`: the command, whose reads are `intervalMs` apart. */
export async function watched<Service extends Pick<Emulated, 'wm' | 'environment'>>(
  context: TestContext,
  service: Service,
  words: readonly string[],
  intervalMs: number,
) {
  let respond: Respond | undefined;
  const host = await inFront(
    context,
    service.environment['WM_HOST'],
    (_request, response) => respond?.(response) ?? false,
  );
  return {
    ...service,
    /** In place of the service, until it is set to `undefined`. */
    respondWith(newRespond: Respond | undefined) {
      respond = newRespond;
    },
    /** Each step happens in one wait between two reads; in the wait after the last one the user presses Ctrl-C. */
    async watch(
      argv: readonly string[],
      steps: readonly Step[],
      more: Partial<World> = {},
      processes: Partial<World['process']> = {},
    ) {
      const signals = handSignals();
      const left = [...steps];
      const waits: number[] = [];
      const clock = createTestClock((milliseconds) => {
        // Retries of one request wait for less.
        if (milliseconds < intervalMs) return clock.advance(milliseconds);
        waits.push(milliseconds);
        const step = left.shift();
        if (!step) return signals.interrupt();
        void Promise.resolve(step()).then(() => clock.advance(milliseconds));
      });
      const ran = await service.wm([...words, ...argv], {
        environment: { WM_HOST: host },
        world: { clock, process: { ...signals.process, self: ['node'], ...processes }, ...more },
      });
      return { ...ran, waits };
    },
  };
}
