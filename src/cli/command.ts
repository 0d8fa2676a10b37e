// The type of a command. Its words are its file's path, and the command table has its summary. Parsing (`parse` of a flag) and
// work (`run`) are separate, so that an invalid value ends the command before anything happens.

import type { Context } from './context.ts';
import type { CompletedValue, Flags, ParsedFlags } from './flags/flag.ts';

interface Argument {
  readonly help: string;
  readonly optional?: true;
  readonly many?: true;
  readonly completes?: CompletedValue;
  readonly choices?: readonly string[];
  /** Accepts `true` and `false`, which otherwise look like the value of a boolean flag. Only for the last argument. */
  readonly mayBeBoolean?: true;
  /** Another program's words and flags, given after --. Only for the last argument. */
  readonly afterDoubleDash?: true;
}

export type Arguments = Readonly<Record<string, Argument>>;

type ParsedArgument<A> = A extends { many: true }
  ? readonly string[]
  : A extends { optional: true }
    ? string | undefined
    : string;

export function needsDoubleDash(rows: Arguments): boolean {
  return Object.values(rows).at(-1)?.afterDoubleDash === true;
}

export type ParsedArguments<A extends Arguments> = { readonly [K in keyof A]: ParsedArgument<A[K]> };

export interface Input<A extends Arguments, F extends Flags> {
  readonly arguments: ParsedArguments<A>;
  readonly flags: ParsedFlags<F>;
}

/** The most that a command may change besides wm's own records: who runs it may have to know before. */
type Changes = 'nothing' | 'this machine' | 'the emulator' | 'a receiver' | 'the service';
/** The commands by what they do: at least one. */
export type Examples = Readonly<Record<string, string>>;

export function listExamples(examples: Examples) {
  return Object.entries(examples).map(([description, command]) => ({ description, command }));
}

interface TopicPart {
  readonly title?: string;
  readonly text?: string;
  readonly rows?: readonly (readonly [term: string, text: string])[];
}

/** More help than fits on one page: `wm task update --help dates`. */
export interface Topic {
  /** Shown in the list of topics: a fragment without a full stop. */
  readonly summary: string;
  readonly load: () => Promise<{ readonly default: TopicPage }>;
}

export interface TopicPage {
  readonly parts: readonly TopicPart[];
  readonly examples: Examples;
}

export interface Command<A extends Arguments = Arguments, F extends Flags = Flags> {
  readonly changes: Changes;
  readonly examples: Examples;
  /** What a user should know before using the command, beyond the summary. */
  readonly details?: string;
  readonly topics?: Readonly<Record<string, Topic>>;
  /** The columns of its output in a pipe: a script that cuts them has to know their order. */
  readonly pipeColumns?: readonly { readonly title: string }[];
  readonly arguments: A;
  /** The hint for too many arguments, if one of them may belong on standard input. */
  readonly tooManyArgumentsHint?: string;
  readonly flags: F;
  /** The most used flags, for the first page of help, if the command has more than about twelve. */
  readonly firstFlags?: readonly (keyof F & string)[];
  /** Makes changes only for some flags: with --read-only it starts, and ends before the first change. */
  readonly mayOnlyRead?: true;
  /** Takes --dry-run and --curl, which print requests instead of sending them. */
  readonly sendsRequests?: true;
  /** Runs even if a settings file is invalid, because it shows or corrects the problem. */
  readonly repairsSettings?: true;
  /** Handles Ctrl-C itself, and shuts down cleanly. */
  readonly handlesInterrupt?: true;
  /** Throws a Failure. A returned number is another program's exit status. */
  run(input: Input<A, F>, context: Context): Promise<number | undefined>;
}

type None = Readonly<Record<never, never>>;

/** Without `arguments` or `flags`, the command takes none. */
export function command<const A extends Arguments = None, const F extends Flags = None>(
  definition: Omit<Command<A, F>, 'arguments' | 'flags'> & { readonly arguments?: A; readonly flags?: F },
): Command<A, F> {
  // A type parameter without a value to infer it from is its default, which the empty object has.
  return { arguments: {}, flags: {}, ...definition } as Command<A, F>;
}
