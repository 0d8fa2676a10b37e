// The line that wm adds to a file of the user's, and finds again by the comment at its end. All other lines stay as they are.

const mark = '# wm completion';

const markedLine = /^.*# wm completion[ \t]*(?:\r?\n|$)/gm;

export function hasMarkedLine(text: string): boolean {
  return text.search(markedLine) !== -1;
}

/** The text with this line and no other of ours: where the old one was, or at the end. */
export function putMarkedLine(text: string, line: string): string {
  const marked = `${line}  ${mark}\n`;
  const at = text.search(markedLine);
  if (at !== -1) return removeMarkedLine(text.slice(0, at)) + marked + removeMarkedLine(text.slice(at));
  return `${text === '' || text.endsWith('\n') ? text : `${text}\n`}${marked}`;
}

export function removeMarkedLine(text: string): string {
  return text.replace(markedLine, '');
}
