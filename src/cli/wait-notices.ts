// Tells a person why a command waits: for a response, or for a rate limit. Reports each once.

import type { Report } from '#terminal/report.ts';
import type { Http, World } from '#world/world.ts';

/** Normal responses are faster. */
const noticeAfterMs = 3000;

/** Reports the first request that takes long. `timeoutMs`: the time limit of a request. */
export function withSlowResponseNotice(
  { http, clock }: Pick<World, 'http' | 'clock'>,
  timeoutMs: number,
  report: Pick<Report, 'info'>,
): Http {
  let isReported = false;
  return {
    async send(request, options) {
      if (isReported || timeoutMs <= noticeAfterMs) return http.send(request, options);
      const cancel = clock.after(noticeAfterMs, () => {
        if (isReported) return;
        isReported = true;
        void report.info(
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

/** A shorter wait would be over before the user reads the line. */
const leastWaitMs = 1000;

/** The returned function is called for each wait of a rate limit. */
export function createRateLimitNotice(report: Pick<Report, 'info'>): (waitMs: number) => void {
  let isReported = false;
  return (waitMs) => {
    if (isReported || waitMs < leastWaitMs) return;
    isReported = true;
    void report.info(`The service limits the rate of requests. Waiting ${Math.ceil(waitMs / 1000)} s.`);
  };
}
