// Tells the user once for each command that the service has not responded yet, with the timeout, and once that a rate limit makes it
// wait. Scripts get no such lines.

import type { Http, World } from '#world/world.ts';

/** Longer than a good answer takes. */
const noticeAfterMs = 3000;

/** `say` hears of it; `limitMs` is how long a call may take. */
export function withSlowResponseNotice(
  { http, clock }: Pick<World, 'http' | 'clock'>,
  timeoutMs: number,
  showLine: (line: string) => void,
): Http {
  let isReported = false;
  return {
    async send(request, options) {
      if (isReported || timeoutMs <= noticeAfterMs) return http.send(request, options);
      const cancel = clock.after(noticeAfterMs, () => {
        if (isReported) return;
        isReported = true;
        showLine(
          `${new URL(request.url).host} has not responded yet. Still waiting (up to ${timeoutMs / 1000} s; change with --timeout).`,
        );
      });
      try {
        return await http.send(request, options);
      } finally {
        cancel();
      }
    },
  };
}

/** A shorter wait is over before its line is read. */
const leastWaitMs = 1000;

/** For each wait that a rate limit asks for. */
export function createRateLimitNotice(showLine: (line: string) => void): (waitMs: number) => void {
  let isReported = false;
  return (waitMs) => {
    if (isReported || waitMs < leastWaitMs) return;
    isReported = true;
    showLine(`The service limits how often it is asked. Waiting ${Math.ceil(waitMs / 1000)} s.`);
  };
}
