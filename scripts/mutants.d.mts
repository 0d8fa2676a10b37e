export interface Mutant {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly replacement: string;
}
export function listMutants(source: string): Mutant[];
