// Tells a person why a command waits: for a response, or for a rate limit. Reports each once.

import type { Report } from '#terminal/report.ts';
import type { Http, World } from '#world/world.ts';

/** Normal responses are faster. */
const noticeAfterMs = 3000;

/** A shorter wait would be over before the user reads the line. */
const leastWaitMs = 1000;

/** What a session needs for the notices. `timeoutMs`: the time limit of a request. */
export function createWaitNotices(
  { http, clock }: Pick<World, 'http' | 'clock'>,
  timeoutMs: number,
  report: Pick<Report, 'info'>,
) {
  let isSlowReported = false;
  let isLimitReported = false;
  return {
    http: (): Http => ({
      async send(request, options) {
        if (isSlowReported || timeoutMs <= noticeAfterMs) return http.send(request, options);
        const cancel = clock.after(noticeAfterMs, () => {
          if (isSlowReported) return;
          isSlowReported = true;
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
    }),
    onRateLimit(waitMs: number): void {
      if (isLimitReported || waitMs < leastWaitMs) return;
      isLimitReported = true;
      void report.info(`The service limits the rate of requests. Waiting ${Math.ceil(waitMs / 1000)} s.`);
    },
  };
}
