// What all prompts on a terminal share. The only file that imports the prompt package. Turns on bracketed paste during a question,
// and leaves input after the answer for the next one.

import {
  createPrompt,
  makeTheme,
  type Theme,
  useEffect,
  useKeypress,
  usePrefix,
  useRef,
  useState,
} from '@inquirer/core';
import type { KeyInput } from './key-input.ts';

export interface QuestionConfig {
  readonly message: string;
  readonly theme: { readonly prefix?: Theme['prefix']; readonly style?: Partial<Theme['style']> };
  readonly keyInput: KeyInput;
  readonly write: (text: string) => void;
}

const hooks = { useEffect, useKeypress, useRef, useState };

interface QuestionTools<Value> extends Readonly<typeof hooks> {
  readonly style: Theme['style'];
  readonly prefix: string;
  readonly isDone: boolean;
  answer(value: Value): void;
  redraw(): void;
}

/** Asks the terminal to mark the start and the end of a paste. */
export const bracketedPaste = { on: '\x1b[?2004h', off: '\x1b[?2004l' } as const;
export const bell = '\x07';

/** `view`: the screen, with the cursor after the first part and the second part below. */
export function createQuestion<Value, Config extends QuestionConfig>(
  view: (config: Config, parts: QuestionTools<Value>) => string | [string, string],
) {
  return createPrompt<Value, Config>((config, done) => {
    const { keyInput, write } = config;
    const theme = makeTheme(config.theme);
    const [status, setStatus] = useState<'idle' | 'done'>('idle');
    const [, drawAgain] = useState({});
    const prefix = usePrefix({ status, theme });
    useEffect(() => {
      write(bracketedPaste.on);
      return () => write(bracketedPaste.off);
    }, []);
    return view(config, {
      style: theme.style,
      prefix,
      isDone: status === 'done',
      answer(value) {
        setStatus('done');
        keyInput.stopDelivery();
        done(value);
      },
      redraw: () => drawAgain({}),
      ...hooks,
    });
  });
}
