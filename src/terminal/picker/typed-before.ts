// What was typed while the list was still being loaded: it filters the list. It never picks anything, since nobody had
// seen it.

// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal sends for keys that are no text
const escapes = /\x1b(?:\[[0-9;?]*[ -/]*[@-~]|O.|.)?/g;

/** Of several lines the first: what follows was meant for questions that nobody has seen either. */
export function typedBefore(keys: string): string {
  let text = '';
  for (const key of keys.replace(escapes, '').split(/[\r\n]/)[0] ?? '') {
    if (key === '\x7f' || key === '\b') text = [...text].slice(0, -1).join('');
    else if (key === '\x15') text = '';
    else if (!/\p{Cc}/u.test(key)) text += key;
  }
  return text.trim();
}
