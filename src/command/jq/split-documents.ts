// Cuts text into JSON documents as it arrives, in pieces of any size. It looks only for where a document ends; whether it is
// valid JSON is for whoever reads it.

export interface DocumentSplitter {
  /** The documents that this piece completes. */
  push(text: string): readonly string[];
  /** What is left: a number at the very end, or a document that never ended. Empty if nothing is. */
  rest(): string;
}

const [quote, backslash] = ['"', '\\'].map((one) => one.charCodeAt(0));
const opening = ['[', '{'].map((one) => one.charCodeAt(0));
const closing = [']', '}'].map((one) => one.charCodeAt(0));
const space = ' '.charCodeAt(0);

export function createDocumentSplitter(): DocumentSplitter {
  /** Pieces of the document that is not complete yet. */
  let pieces: string[] = [];
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  /** Within a document that is a number or a word, which only white space ends. */
  let inWord = false;

  return {
    push(text) {
      const documents: string[] = [];
      let start = 0;
      const end = (at: number) => {
        const whole = [...pieces, text.slice(start, at)].join('').trim();
        if (whole !== '') documents.push(whole);
        pieces = [];
        start = at;
      };
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        if (inString) {
          if (isEscaped) isEscaped = false;
          else if (code === backslash) isEscaped = true;
          else if (code === quote) {
            inString = false;
            if (depth === 0) end(at + 1);
          }
        } else if (code === quote) inString = true;
        else if (opening.includes(code)) depth++;
        else if (closing.includes(code)) {
          depth = Math.max(0, depth - 1);
          if (depth === 0) end(at + 1);
        } else if (depth === 0) {
          const isWhite = code <= space;
          if (isWhite && inWord) end(at);
          inWord = !isWhite;
        }
      }
      pieces.push(text.slice(start));
      return documents;
    },
    rest: () => pieces.join('').trim(),
  };
}
