// The command that lists what could have been meant, for the hint of a name that is not found.

import { type FormatContext, flagWords, formatCommandWith } from '../format-command.ts';

/** With a text: only those whose name contains it. */
export type ListCommand = (text?: string) => string;

/** `words` are those of the list, and `flag` is the one that takes a part of a name: `folder list`, `title`. */
export function createListCommand(context: FormatContext, words: string, flag: string): ListCommand {
  return (text) => formatCommandWith(context, words, [], ...flagWords(`--${flag}`, text));
}
