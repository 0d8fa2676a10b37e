// The interface of all prompts: screen-prompt.ts can move the cursor, plain-prompt.ts is for other terminals and screen readers.

import type { Clock, Processes } from '#world/world.ts';
import { type Entry, type Row, toRows } from './picker/entry.ts';

export interface Prompt {
  /** Asks yes or no; Enter means no. Drops type-ahead, and says so. */
  confirm(question: string): Promise<boolean>;
  /** Also accepts a third answer, whose meaning `all` explains. */
  confirmOrAll(question: string, all: string): Promise<Answer>;
  /** Asks for one of the entries, at least one. Type-ahead filters them. `readMore`: for a filter that finds none of them. */
  pick<T>(question: string, entries: readonly Entry<T>[], readMore?: ReadMore<T>): Promise<T>;
  /** Asks for one or more entries, and returns them in their order. */
  pickSeveral<T>(question: string, entries: readonly Entry<T>[]): Promise<readonly T[]>;
  /** Asks for visible text. Its first line may be typed ahead. Rejects if the signal ends the question. */
  text(question: string, options?: TextOptions): Promise<string>;
  /** Asks for hidden text; `orNone` accepts an empty one. Drops type-ahead, and says so. */
  secret(question: string, options?: { readonly orNone?: boolean }): Promise<string>;
}

type ReadMore<T> = () => Promise<readonly Entry<T>[]>;

/** The rows of a picker. `addRows`: adds more, for a filter that finds none of them. */
export interface PickList {
  readonly rows: readonly Row[];
  readonly isComplete: boolean;
  addRows(): Promise<void>;
}

export interface TextOptions {
  /** One line that the user edits; a terminal that cannot show it as typed shows it above the question. */
  readonly initial?: string | undefined;
  readonly validate?: (text: string) => string | undefined;
  /** An invalid text stays, so that the user can correct it. Otherwise the next one, such as a paste, begins anew. */
  readonly keepsInvalid?: true;
  /** Shown after this time if the question is still open. */
  readonly remark?: { readonly text: string; readonly afterMs: number };
  readonly signal?: AbortSignal;
}

export interface PromptOptions {
  readonly inColour: boolean;
  /** Without symbols such as arrows, which the terminal cannot show. */
  readonly inAscii: boolean;
  /** When it aborts, the open question ends and throws. */
  readonly ended: AbortSignal;
  readonly clock: Pick<Clock, 'after'>;
  readonly processes: Pick<Processes, 'onResume' | 'suspend'>;
}

/** The user pressed Ctrl-C or Ctrl-D or cancelled, or the terminal was closed. */
export class EndOfInput extends Error {}

export const typeYesOrNo = 'Type y or n';
/** Shown if the user typed ahead of a question that does not accept that. */
export const typeAheadDropped = 'Input typed before this question was discarded';

type Answer = boolean | 'all';

interface Asking {
  /** Drops type-ahead, and says so. `validate` returns what is wrong with the text. */
  askWithoutTypeAhead(
    question: string,
    options: { readonly validate: (text: string) => string | undefined; readonly isHidden?: true },
  ): Promise<string>;
  pickRows(question: string, list: PickList, multiple: boolean): Promise<readonly number[]>;
}

/** The questions that both kinds of terminal make of the same parts. */
export function createQuestions({ askWithoutTypeAhead, pickRows }: Asking): Omit<Prompt, 'text'> {
  async function confirm(question: string, all?: string): Promise<Answer> {
    const parse = (text: string) => parseAnswer(text, all !== undefined);
    const choices = all === undefined ? typeYesOrNo : 'Type y, n or a';
    const validate = (text: string) => (parse(text) === undefined ? choices : undefined);
    const hint = all === undefined ? '' : `, a: ${all}`;
    return parse(await askWithoutTypeAhead(`${question} (y/N${hint})`, { validate })) ?? false;
  }
  async function pickFrom<T>(
    question: string,
    entries: readonly Entry<T>[],
    {
      multiple = false,
      readMore,
    }: { readonly multiple?: boolean; readonly readMore?: ReadMore<T> | undefined },
  ) {
    let all = entries;
    const list = {
      rows: toRows(entries),
      isComplete: readMore === undefined,
      async addRows() {
        all = [...entries, ...((await readMore?.()) ?? [])];
        list.rows = toRows(all);
        list.isComplete = true;
      },
    };
    const picked = await pickRows(question, list, multiple);
    return all.flatMap(({ value }, index) => (picked.includes(index) ? [value] : []));
  }
  return {
    confirm: async (question) => (await confirm(question)) === true,
    confirmOrAll: confirm,
    async pick(question, entries, readMore) {
      for (const picked of await pickFrom(question, entries, { readMore })) return picked;
      throw new Error('Nothing was picked');
    },
    pickSeveral: (question, entries) => pickFrom(question, entries, { multiple: true }),
    secret: (question, { orNone = false } = {}) =>
      askWithoutTypeAhead(question, {
        validate: (text) => (text === '' && !orNone ? 'Required' : undefined),
        isHidden: true,
      }),
  };
}

/** Returns undefined for an unknown answer. Enter alone means no. */
function parseAnswer(answer: string, takesAll: boolean): Answer | undefined {
  const trimmed = answer.trim();
  if (/^y(?:es)?$/i.test(trimmed)) return true;
  if (takesAll && /^a(?:ll)?$/i.test(trimmed)) return 'all';
  return /^(?:no?)?$/i.test(trimmed) ? false : undefined;
}
