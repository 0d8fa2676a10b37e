// A member that stands twice in one object of a JSON text. `JSON.parse` keeps the last one silently, so a line that says
// two things would send one of them.

/**
 * The first name that one object of this valid JSON text has twice, at any depth. Names are compared as they read:
 * `"a"` and its escape are the same.
 */
export function doubleMember(json: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (const [token, text, colon] of json.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\]]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (colon !== undefined) {
      const name = String(JSON.parse(text ?? ''));
      const names = open.at(-1);
      if (names?.has(name)) return name;
      names?.add(name);
    }
  }
  return undefined;
}
