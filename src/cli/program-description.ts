// The types of the data that `wm help --json` prints, and that the reference and the man pages are generated from. An absent
// member means no, or none. app/reference/ creates the data.

import type { ExitStatusRow } from './exit-statuses.ts';

/**
 * The most that a command may change, besides wm's own records, for programs and people that have to know before they run
 * it.
 */
export type Changes = 'nothing' | 'this machine' | 'the emulator' | 'a receiver' | 'the service';

/** The commands by what they do: at least one. */
export type Examples = Readonly<Record<string, string>>;

export interface Example {
  readonly description: string;
  readonly command: string;
}

export function listExamples(examples: Examples): readonly Example[] {
  return Object.entries(examples).map(([description, command]) => ({ description, command }));
}

/** Paragraphs with a title, and a table of terms. */
export interface TopicPart {
  readonly title?: string;
  readonly text?: string;
  readonly rows?: readonly (readonly [term: string, text: string])[];
}

export interface ProgramDescription {
  readonly name: 'wm';
  readonly version: string;
  readonly summary: string;
  readonly groups: readonly { readonly word: string; readonly summary: string }[];
  readonly commands: readonly CommandDescription[];
  readonly commonFlags: readonly FlagDescription[];
  /** The flags of every command with `sendsRequests`. */
  readonly requestFlags: readonly FlagDescription[];
  readonly exitStatuses: readonly ExitStatusRow[];
  readonly environment: readonly VariableDescription[];
  readonly otherVariables: readonly string[];
}

export interface CommandDescription {
  /** As typed: `wm task update`. */
  readonly command: string;
  readonly aliases?: readonly string[];
  readonly section: string;
  readonly summary: string;
  readonly usage: string;
  readonly changes: Changes;
  /** The shape of its request is assumed, not in the contract. */
  readonly experimental?: true;
  /** Takes --dry-run and --curl. */
  readonly sendsRequests?: true;
  readonly arguments: readonly ArgumentDescription[];
  readonly flags: readonly FlagDescription[];
  readonly details?: string;
  readonly pipeColumns?: readonly string[];
  readonly topics?: readonly TopicDescription[];
  readonly examples: readonly Example[];
}

export interface ArgumentDescription {
  readonly name: string;
  readonly help: string;
  readonly required?: true;
  readonly repeatable?: true;
  /** Belongs to another program: given after `--`. */
  readonly afterDoubleDash?: true;
}

export interface FlagDescription {
  readonly flag: string;
  readonly short?: string;
  /** The flag with its value, as in help. */
  readonly usage: string;
  readonly help: string;
  /** `boolean`, `integer`, `text`, or the contract's type of the value, or of one entry of a list. */
  readonly type: string;
  readonly choices?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: string;
  /** Variables that set the same value. */
  readonly environment?: readonly string[];
  readonly required?: true;
  readonly repeatable?: true;
  /** `--no-x` differs from the flag's absence. */
  readonly negatable?: true;
  /** `@FILE` and `-` read the value. */
  readonly acceptsFile?: true;
}

export interface TopicDescription {
  readonly name: string;
  readonly summary: string;
  readonly parts: readonly TopicPart[];
  readonly examples: readonly Example[];
}

export interface VariableDescription {
  readonly name: string;
  readonly meaning: string;
  readonly kind: 'value' | 'switch';
  readonly secret?: true;
}
