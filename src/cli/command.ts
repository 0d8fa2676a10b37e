// What a command is: one value. The path of its file gives its words, and the command table its summary; the rest is
// here. Parsing (`parse` of a flag) and work (`run`) are separate, so that an invalid value ends the command before
// anything happens.

import type { Context } from './context.ts';
import type { CompletedValue, Flags, ParsedFlags } from './flags/flag.ts';
import type { Changes, Example, TopicPart } from './program-description.ts';

export interface Argument {
  readonly help: string;
  readonly optional?: true;
  readonly many?: true;
  /** What a shell completes it with. */
  readonly completes?: CompletedValue;
  readonly choices?: readonly string[];
  /** `true` and `false` are values of it, and not of a flag that they follow. */
  readonly mayBeBoolean?: true;
  /** Another program's words, flags among them: they come after --. */
  readonly afterDoubleDash?: true;
}

export type Arguments = Readonly<Record<string, Argument>>;

type ParsedArgument<A> = A extends { many: true }
  ? readonly string[]
  : A extends { optional: true }
    ? string | undefined
    : string;

export type ParsedArguments<A extends Arguments> = { readonly [K in keyof A]: ParsedArgument<A[K]> };

export interface Input<A extends Arguments, F extends Flags> {
  readonly arguments: ParsedArguments<A>;
  readonly flags: ParsedFlags<F>;
}

/** More help than fits on one page: `wm task update --help dates`. */
export interface Topic {
  /** For the list of topics: a fragment without a full stop. */
  readonly summary: string;
  readonly load: () => Promise<{ readonly default: TopicPage }>;
}

export interface TopicPage {
  readonly parts: readonly TopicPart[];
  readonly examples: readonly [Example, ...Example[]];
}

export interface Command<A extends Arguments = Arguments, F extends Flags = Flags> {
  readonly changes: Changes;
  /** The contract of the service names what it sends and does not show its shape. Its row in commands.ts says so too. */
  readonly experimental?: true;
  readonly examples: readonly [Example, ...Example[]];
  /** More than the summary says, where there is more to know before using it. */
  readonly details?: string;
  readonly topics?: Readonly<Record<string, Topic>>;
  /** Of what it prints in a pipe: a script that cuts them has to know their order. */
  readonly pipeColumns?: readonly { readonly title: string }[];
  readonly arguments: A;
  /** What to do about too many arguments, where one of them may be what standard input is for. */
  readonly tooManyArgumentsHint?: string;
  readonly flags: F;
  /** Those that people use, for the first page of its help, where there are more than about twelve. */
  readonly firstFlags?: readonly (keyof F & string)[];
  /** Changes something only if its flags ask for it: with --read-only it starts, and ends before the first change. */
  readonly mayOnlyRead?: true;
  /** What it sends can be shown instead: it takes --dry-run and --curl. */
  readonly sendsRequests?: true;
  /** Runs even if a file of settings is invalid: it shows what is wrong, or helps to correct it. */
  readonly repairsSettings?: true;
  /** Handles Ctrl-C itself, and shuts down cleanly. */
  readonly handlesInterrupt?: true;
  /** Throws a Failure; the number, where there is one, is another program's exit status. */
  run(input: Input<A, F>, context: Context): Promise<number | undefined>;
}

export function command<const A extends Arguments, const F extends Flags>(
  definition: Command<A, F>,
): Command<A, F> {
  return definition;
}

const experimentalNote =
  'Experimental: the contract of the service names this request and does not show its shape, so wm assumes it (see `wm emulator assumptions`). It may change.';

/** What its help says beside its flags. */
export function detailsOf({
  experimental,
  details,
}: Pick<Command, 'experimental' | 'details'>): string | undefined {
  if (!experimental) return details;
  return details === undefined ? experimentalNote : `${experimentalNote}\n\n${details}`;
}
