// Says to a person that the service has not responded yet, once for a command, with the time limit. A script gets no such
// line, since it knows no "yet".

import type { Http, World } from '../world/world.ts';

/** Longer than a good answer takes. */
const quietMs = 3000;

/** `say` hears of it; `limitMs` is how long a call may take. */
export function tellingOfWaits(
  { http, clock }: Pick<World, 'http' | 'clock'>,
  limitMs: number,
  say: (line: string) => void,
): Http {
  let told = false;
  return {
    async send(request, options) {
      if (told || limitMs <= quietMs) return http.send(request, options);
      const cancel = clock.after(quietMs, () => {
        if (told) return;
        told = true;
        say(
          `${new URL(request.url).host} has not responded yet. Still waiting (up to ${limitMs / 1000} s; change with --timeout).`,
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
