// The flags of a printed command that say where to send, where that is not written down.

import { flagWords } from '#cli/format-command.ts';
import type { Route } from '../listening/event-routes.ts';

/** Where not even the flags are known: for the user to complete. */
export const unknownTargetFlags: readonly string[] = ['--forward-to', 'URL'];

export interface TargetFlags {
  readonly forwardTo?: string | undefined;
  readonly route?: readonly Route[] | undefined;
  readonly exec?: string | undefined;
}

/** The flags of the running command, for one that sends to the same targets. What may be a secret is left for the user to fill in. */
export function formatTargetFlags({ forwardTo, route = [], exec }: TargetFlags): readonly string[] {
  const shown = (url: string) => (/[?@]/.test(url) ? 'URL' : url);
  return [
    ...flagWords('--forward-to', forwardTo && shown(forwardTo)),
    ...route.flatMap(({ events, url }) => events.flatMap((event) => ['--route', `${event}=${shown(url)}`])),
    ...flagWords('--exec', exec),
  ];
}
