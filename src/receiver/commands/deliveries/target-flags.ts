// What the flags of targets say: whether they name any, and how a printed command repeats them for targets that are not recorded.

import { flagWords } from '#cli/format-command.ts';
import { type Failure, usageError } from '#failure.ts';
import { execTargetName } from '#receiver/forwarding/exec-target.ts';
import type { ListenFlags } from '../listening/listen-flags.ts';

/** Stands for the unknown flags of the targets with these names, which the user must complete. */
export const unknownTargetFlags = (names: readonly string[]): readonly string[] => [
  ...(names.length > 0 && names.every((name) => name === execTargetName) ? [] : ['--forward-to', 'URL']),
  ...(names.includes(execTargetName) ? ['--exec', 'COMMAND'] : []),
];

type TargetFlags = { readonly [Name in 'forwardTo' | 'route' | 'exec']?: ListenFlags[Name] | undefined };

/** Repeats the target flags of the running command. The user must fill in what may be a secret. */
export function formatTargetFlags({ forwardTo, route = [], exec }: TargetFlags): readonly string[] {
  const shown = (url: string) => (/[?@]/.test(url) ? 'URL' : url);
  return [
    ...flagWords('--forward-to', forwardTo && shown(forwardTo)),
    ...route.flatMap(({ events, url }) => events.flatMap((event) => ['--route', `${event}=${shown(url)}`])),
    ...flagWords('--exec', exec),
  ];
}

export const namesTargets = ({ forwardTo, route, exec }: TargetFlags): boolean =>
  [forwardTo, route, exec].some((flag) => flag !== undefined);

/** For a command that needs a target. `why`: none is recorded. */
export function unknownTarget(why?: string): Failure {
  return usageError(
    'Missing: where to send the deliveries',
    'Give --forward-to URL, --route EVENT=URL or --exec COMMAND.',
    why,
  );
}
