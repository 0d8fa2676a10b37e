// Adds a line to a user's file, and finds it again by the comment at its end. All other lines stay as they are.

const mark = '# wm completion';

const markedLine = /^.*# wm completion[ \t]*(?:\r?\n|$)/gm;

export function hasMarkedLine(text: string): boolean {
  return text.search(markedLine) !== -1;
}

/** Replaces wm's old line, or adds the line at the end. */
export function putMarkedLine(text: string, line: string): string {
  const marked = `${line}  ${mark}\n`;
  const position = text.search(markedLine);
  if (position !== -1)
    return removeMarkedLine(text.slice(0, position)) + marked + removeMarkedLine(text.slice(position));
  return `${text === '' || text.endsWith('\n') ? text : `${text}\n`}${marked}`;
}

export function removeMarkedLine(text: string): string {
  return text.replace(markedLine, '');
}
