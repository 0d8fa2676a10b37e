// The command that lists the candidates, for the hint of a name that is not found.

import { type FormatContext, flagWords, formatCommandWith } from '../format-command.ts';

/** `text`: list only names that contain it. */
export type ListCommand = (text?: string) => string;

/** `words`: of the list command, `folder list`. `flag`: filters by a part of the name, `title`. */
export function createListCommand(context: FormatContext, words: string, flag: string): ListCommand {
  return (text) => formatCommandWith(context, words, [], ...flagWords(`--${flag}`, text));
}
