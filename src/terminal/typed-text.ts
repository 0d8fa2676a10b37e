// A line of text that is checked while it is typed: below it stands, in a few words, what is still wrong, until nothing
// is. The package has no such question, only the parts for one.

import {
  createPrompt,
  isEnterKey,
  makeTheme,
  type Theme,
  useKeypress,
  usePrefix,
  useState,
} from '@inquirer/core';

export interface TypedTextConfig {
  readonly message: string;
  /** What is wrong with the text so far. */
  readonly remark: (text: string) => string | undefined;
  readonly theme: { readonly prefix?: Theme['prefix']; readonly style?: Partial<Theme['style']> };
}

export const typedText = createPrompt<string, TypedTextConfig>((config, done) => {
  const theme: Theme = makeTheme(config.theme);
  const [status, setStatus] = useState<'idle' | 'done'>('idle');
  const [text, setText] = useState('');
  const [refused, setRefused] = useState(false);
  const prefix = usePrefix({ status, theme });

  useKeypress((key, line) => {
    if (status === 'done') return;
    if (!isEnterKey(key)) {
      setText(line.line);
      setRefused(false);
    } else if (config.remark(text) === undefined) {
      setStatus('done');
      done(text);
    } else {
      // Enter has emptied the line; what was typed stays to be mended.
      line.write(text);
      setRefused(true);
    }
  });

  const shown = status === 'done' ? theme.style.answer(text) : text;
  // Nothing is wrong with what nobody has begun to type.
  const remark = text === '' && !refused ? undefined : config.remark(text);
  return [
    [prefix, theme.style.message(config.message, status), shown].join(' '),
    remark === undefined || status === 'done' ? '' : theme.style.error(remark),
  ];
});
