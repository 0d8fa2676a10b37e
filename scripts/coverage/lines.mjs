// Computes which lines of src/ ran, wholly or partly, from V8's counts in built files and their source maps.

import { readFile } from 'node:fs/promises';
import Module, { SourceMap } from 'node:module';

const inlineMap = /\/\/# sourceMappingURL=data:application\/json;base64,([A-Za-z0-9+/=]+)\s*$/;
/** `bin/wm.js` compiles the program in Node's wrapper, and V8 counts from its start. */
const wrapper = Module.wrapper[0].length;

export function createLines() {
  /** Path of a built file -> its text, and a byte for each character that is 1 if it ran. */
  const built = new Map();

  async function open(path) {
    const known = built.get(path);
    if (known !== undefined) return known;
    const code = await readFile(path, 'utf8');
    const shift = path.endsWith('.cjs') ? wrapper : 0;
    const opened = { code, shift, ran: new Uint8Array(code.length) };
    built.set(path, opened);
    return opened;
  }

  return {
    /** `ranges`: V8's `[start, end, count]` for each function and block. They nest, and the innermost one counts. */
    async add(path, ranges) {
      const { ran, shift } = await open(path);
      const own = new Uint8Array(ran.length);
      for (const [start, end, count] of ranges.toSorted(([a, b], [c, d]) => a - c || d - b))
        own.fill(count > 0 ? 1 : 0, Math.max(0, start - shift), Math.max(0, end - shift));
      for (const [at, one] of own.entries()) if (one === 1) ran[at] = 1;
    },
    /** File of src/ -> line number -> `whole`, `partly` or `not`. */
    async count() {
      const places = new Map();
      for (const [path, { code, ran }] of built) await addPlaces(path, code, ran, places);
      return new Map([...places].map(([file, own]) => [file, linesOf(own)]));
    },
  };
}

/** Maps each word of a built file to its place in src/. A place in several built files ran if it ran in one. */
async function addPlaces(path, code, ran, places) {
  const encoded = inlineMap.exec(code.slice(code.lastIndexOf('\n//# sourceMappingURL=')))?.[1];
  const text = encoded ? Buffer.from(encoded, 'base64').toString() : await readFile(`${path}.map`, 'utf8');
  const sources = new SourceMap(JSON.parse(text));
  let offset = 0;
  for (const [number, line] of code.split('\n').entries()) {
    if (line.startsWith('//# sourceMappingURL=')) break;
    for (const { index } of line.matchAll(/[\w$]+/g)) {
      const { originalSource, originalLine, originalColumn } = sources.findEntry(number, index);
      const file = /(?:^|\/)(src\/.*\.ts)$/.exec(originalSource ?? '')?.[1];
      if (file === undefined || originalSource.includes('node_modules/')) continue;
      const own = places.get(file) ?? new Map();
      const place = `${originalLine + 1}:${originalColumn}`;
      own.set(place, own.get(place) === true || ran[offset + index] === 1);
      places.set(file, own);
    }
    offset += line.length + 1;
  }
}

function linesOf(places) {
  const lines = new Map();
  for (const [place, isRun] of places) {
    const line = Number(place.split(':')[0]);
    const state = isRun ? 'whole' : 'not';
    const before = lines.get(line) ?? state;
    lines.set(line, before === state ? state : 'partly');
  }
  return lines;
}
