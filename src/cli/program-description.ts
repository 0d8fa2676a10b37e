// What `wm help --json` prints, and what the reference and the man pages are made of: every command with its arguments and
// flags, as data. A member that is absent means no, or none. Types only: reference/ fills them in.

import type { ExitStatusRow } from './exit-statuses.ts';

/**
 * What running a command may change at most, besides the records that wm keeps for itself: for programs and people that
 * must know before they run it.
 */
export type Changes = 'nothing' | 'this machine' | 'the emulator' | 'a receiver' | 'the service';

export interface Example {
  readonly description: string;
  readonly command: string;
}

/** A paragraph or several, and what they are about, one row each. */
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
  /** Those that every command takes. */
  readonly commonFlags: readonly FlagDescription[];
  /** Those of every command with `sendsRequests`. */
  readonly requestFlags: readonly FlagDescription[];
  readonly exitStatuses: readonly ExitStatusRow[];
  readonly environment: readonly VariableDescription[];
  /** Variables of other programs and of the system that change what wm does. */
  readonly otherVariables: readonly string[];
}

export interface CommandDescription {
  /** As it is typed: `wm task update`. */
  readonly command: string;
  readonly aliases?: readonly string[];
  /** The part of the overview that it is in. */
  readonly section: string;
  readonly summary: string;
  readonly usage: string;
  readonly changes: Changes;
  /** How the service takes its request is assumed. */
  readonly experimental?: true;
  /** It takes --dry-run and --curl. */
  readonly sendsRequests?: true;
  readonly arguments: readonly ArgumentDescription[];
  readonly flags: readonly FlagDescription[];
  readonly details?: string;
  /** What it prints in a pipe, in this order. */
  readonly pipeColumns?: readonly string[];
  readonly topics?: readonly TopicDescription[];
  readonly examples: readonly Example[];
}

export interface ArgumentDescription {
  readonly name: string;
  readonly help: string;
  readonly required?: true;
  readonly repeatable?: true;
  /** It is another program's: it stands behind `--`. */
  readonly afterDoubleDash?: true;
}

export interface FlagDescription {
  readonly flag: string;
  readonly short?: string;
  /** With its value, as help shows it. */
  readonly usage: string;
  readonly help: string;
  /** `boolean`, `integer`, `text`, or the contract's name for the kind of the value, or of one entry of a list. */
  readonly type: string;
  readonly choices?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: string;
  /** Variables that give the same value. */
  readonly environment?: readonly string[];
  readonly required?: true;
  readonly repeatable?: true;
  /** `--no-x` has a meaning of its own. */
  readonly negatable?: true;
  /** `@FILE` and `-` stand for what is read there. */
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
