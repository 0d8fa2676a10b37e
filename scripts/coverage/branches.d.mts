export interface Branch {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly what: string;
  readonly key: string;
  readonly at: number;
  readonly minus: readonly number[];
}
export function listBranches(code: string, map: object, isModule: boolean): Branch[];
