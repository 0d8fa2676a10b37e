export type LineState = 'whole' | 'partly' | 'not';
export function createLines(): {
  add(path: string, ranges: readonly (readonly [start: number, end: number, count: number])[]): Promise<void>;
  count(): Promise<Map<string, Map<number, LineState>>>;
};
