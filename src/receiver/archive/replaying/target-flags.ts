// Defines the flags that name targets and say how to send to them. Says whether flags name any, and how a printed command repeats them for
// targets that are not recorded.

import { eventsFlagFor, parseEventOrGroup } from '#cli/event-groups.ts';
import { entryFlag, type Flag, integerFlag, type ParsedFlags, textFlag } from '#cli/flags/flag.ts';
import { flagWords } from '#cli/format-command.ts';
import type { LastTarget } from '#cli/journal-folder.ts';
import { invalidValue, ValidationError } from '#contract/schema.ts';
import { type Failure, usageError } from '#failure.ts';
import { execTargetName } from '#receiver/core/forwarding/exec-target.ts';
import { checkTargetHost, checkTargetUrl } from '#receiver/core/forwarding/target.ts';

export const targetDefaults = {
  concurrency: 10,
  forwardTimeoutSeconds: 30,
  execTimeoutSeconds: 300,
} as const;

const routeFlag: Flag<NonNullable<LastTarget['routes']>> = {
  help: 'Forward the deliveries of this event, or group of events, to this URL instead',
  placeholder: 'EVENT=URL,...',
  repeats: true,
  parse(texts) {
    // A URL may contain a comma.
    const routes = texts
      .flatMap((text) => text.split(/,(?=\s*\w+=https?:)/i))
      .map((text) => parseRoute(text.trim()));
    const urlOfEvent = new Map<string, string>();
    for (const { events, url } of routes)
      for (const event of events) {
        if ((urlOfEvent.get(event) ?? url) !== url)
          throw new ValidationError(event, `is routed to ${urlOfEvent.get(event)} and to ${url}`);
        urlOfEvent.set(event, url);
      }
    return routes;
  },
};

function parseRoute(text: string) {
  const [, name = '', url = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (name === '' || url === '')
    throw invalidValue(text, 'is not of the form EVENT=URL, as in TaskCreated=http://127.0.0.1:3000/created');
  return { events: parseEventOrGroup(name, '--route: '), url: checkTargetUrl(url, '--route') };
}

export const targetFlags = {
  forwardTo: entryFlag('URL', 'Forward each delivery to this URL', (text) =>
    checkTargetUrl(text, '--forward-to'),
  ),
  route: routeFlag,
  exec: textFlag('COMMAND', 'Run this command for each delivery, with the body on standard input'),
};

export const requestFlags = {
  forwardHeader: {
    help: 'Send this header too; NAME:@FILE reads its value from a file',
    placeholder: 'NAME:VALUE',
    repeats: true,
    parse: (texts) => texts,
  } satisfies Flag<readonly string[]>,
  forwardCa: textFlag('FILE', 'Trust the certificates in this PEM file when forwarding'),
  forwardHost: entryFlag('HOST', 'Send this Host header when forwarding', (text) =>
    checkTargetHost(text, '--forward-host'),
  ),
  forwardTimeout: integerFlag(
    'SECONDS',
    `Time limit for one attempt (default: ${targetDefaults.forwardTimeoutSeconds}; for --exec ${targetDefaults.execTimeoutSeconds})`,
    1,
    3_600,
  ),
};

export const printFlag = eventsFlagFor(
  '--print',
  'Print deliveries of these events or groups of events, or all (the default if nothing else gets them)',
);

export const concurrencyFlag = integerFlag(
  'N',
  `Forward up to this many deliveries at once, of different tasks (default: ${targetDefaults.concurrency})`,
  1,
  1_000,
);

export type TargetFlags = ParsedFlags<
  typeof targetFlags &
    typeof requestFlags & { readonly print: typeof printFlag; readonly concurrency: typeof concurrencyFlag }
>;

/** Stands for the unknown flags of the targets with these names, which the user must complete. */
export const unknownTargetFlags = (names: readonly string[]): readonly string[] => [
  ...(names.length > 0 && names.every((name) => name === execTargetName) ? [] : ['--forward-to', 'URL']),
  ...(names.includes(execTargetName) ? ['--exec', 'COMMAND'] : []),
];

type NamedTargets = { readonly [Name in keyof typeof targetFlags]?: TargetFlags[Name] | undefined };

/** Repeats the target flags of the running command. The user must fill in what may be a secret. */
export function formatTargetFlags({ forwardTo, route = [], exec }: NamedTargets): readonly string[] {
  const shown = (url: string) => (/[?@]/.test(url) ? 'URL' : url);
  return [
    ...flagWords('--forward-to', forwardTo && shown(forwardTo)),
    ...route.flatMap(({ events, url }) => events.flatMap((event) => ['--route', `${event}=${shown(url)}`])),
    ...flagWords('--exec', exec),
  ];
}

export const namesTargets = ({ forwardTo, route, exec }: NamedTargets): boolean =>
  [forwardTo, route, exec].some((flag) => flag !== undefined);

/** For a command that needs a target. `why`: none is recorded. */
export function unknownTarget(why?: string): Failure {
  return usageError(
    'Missing: where to send the deliveries',
    'Give --forward-to URL, --route EVENT=URL or --exec COMMAND.',
    why,
  );
}
