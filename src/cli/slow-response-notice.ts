// Tells the user once for each command that the service has not responded yet, with the timeout. Scripts get no such
// line.

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
