// Visits every node of a syntax tree, in the order of the text.

const skipped = new Set(['loc', 'leadingComments', 'trailingComments', 'innerComments', 'extra']);

/** `visit` gets a node and those around it, the nearest last; where it returns false, what is inside is left out. */
export function walk(node, visit, around = []) {
  if (visit(node, around) === false) return;
  around.push(node);
  for (const key of Object.keys(node)) {
    if (skipped.has(key)) continue;
    const value = node[key];
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === 'string') walk(child, visit, around);
    }
  }
  around.pop();
}
