// Reads a cell of a tab-separated line back: `wm help output` says how it is written.

const named: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', '\\': '\\' };

export function readCell(cell: string): string {
  return cell.replace(/\\(?:x([\da-f]{2})|(.))/g, (_, hex?: string, name = '') =>
    hex === undefined ? (named[name] ?? '?') : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
