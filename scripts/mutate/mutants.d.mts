export interface Mutant {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly replacement: string;
  readonly isStatement: boolean;
}
export function listMutants(source: string): Mutant[];
export function withMutants(source: string, mutants: readonly (Mutant & { readonly id: number })[]): string;
