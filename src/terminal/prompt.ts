// The interface of all prompts. screen-prompt.ts implements it for terminals that can move the cursor, plain-prompt.ts
// for those that cannot and for screen readers.

import type { Clock, Processes } from '#world/world.ts';
import type { Entry } from './picker/entry.ts';

export interface Prompt {
  /** A yes or no; no where Enter alone is pressed. What was typed before it stood there is dropped, and it says so. */
  confirm(question: string): Promise<boolean>;
  /** The same with a third answer: what `all` says. */
  confirmOrAll(question: string, all: string): Promise<Answer>;
  /** One of the entries; there must be at least one. What was typed before it stood there filters it. */
  pick<T>(question: string, entries: readonly Entry<T>[]): Promise<T>;
  /** One or more of the entries, in their order. */
  pickSeveral<T>(question: string, entries: readonly Entry<T>[]): Promise<readonly T[]>;
  /** Visible text; its first line may be typed ahead. Rejects where the signal ended the question. */
  text(question: string, options?: TextOptions): Promise<string>;
  /** Hidden text. What was typed before it stood there is dropped, and it says so. */
  secret(question: string): Promise<string>;
}

export interface TextOptions {
  readonly validate?: (text: string) => true | string;
  /** In the place of a check: what is wrong with the text so far, in a few words, said while it is typed. */
  readonly validateWhileTyping?: (text: string) => string | undefined;
  /** Said after so long, if the question still stands. */
  readonly remark?: { readonly text: string; readonly afterMs: number };
  readonly signal?: AbortSignal;
}

export interface PromptOptions {
  readonly inColour: boolean;
  /** Whatever question stands when it aborts is over, and throws. */
  readonly ended: AbortSignal;
  readonly clock: Pick<Clock, 'after'>;
  readonly processes: Pick<Processes, 'onResume' | 'suspend'>;
}

/** The person pressed Ctrl-C or Ctrl-D or left otherwise, or there is no terminal any more. */
export class EndOfInput extends Error {}

/** What is said where an answer may not be typed ahead, and somebody did. */
export const typeAheadDropped = 'Input typed before this question was discarded';

export type Answer = boolean | 'all';

/** Nothing where it means neither; Enter alone is a no. */
export function parseAnswer(answer: string, takesAll: boolean): Answer | undefined {
  const trimmed = answer.trim();
  if (/^y(?:es)?$/i.test(trimmed)) return true;
  if (takesAll && /^a(?:ll)?$/i.test(trimmed)) return 'all';
  return /^(?:no?)?$/i.test(trimmed) ? false : undefined;
}

/** `(y/N)` behind the question, and what a third answer means. */
export function askYesNo(question: string, all: string | undefined): string {
  return `${question} (y/N${all === undefined ? '' : `, a: ${all}`})`;
}

export function whichAnswers(all: string | undefined): string {
  return all === undefined ? 'Type y or n' : 'Type y, n or a';
}
