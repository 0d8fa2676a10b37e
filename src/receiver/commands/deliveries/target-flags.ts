// Formats the target flags of a printed command, for targets that are not recorded.

import { flagWords } from '#cli/format-command.ts';
import type { Route } from '../listening/event-routes.ts';

/** Stands for unknown flags, which the user must complete. */
export const unknownTargetFlags: readonly string[] = ['--forward-to', 'URL'];

export interface TargetFlags {
  readonly forwardTo?: string | undefined;
  readonly route?: readonly Route[] | undefined;
  readonly exec?: string | undefined;
}

/** Repeats the target flags of the running command. The user must fill in what may be a secret. */
export function formatTargetFlags({ forwardTo, route = [], exec }: TargetFlags): readonly string[] {
  const shown = (url: string) => (/[?@]/.test(url) ? 'URL' : url);
  return [
    ...flagWords('--forward-to', forwardTo && shown(forwardTo)),
    ...route.flatMap(({ events, url }) => events.flatMap((event) => ['--route', `${event}=${shown(url)}`])),
    ...flagWords('--exec', exec),
  ];
}
