export function sampleOf<T>(items: readonly T[], count: number, seed: number): T[];
export function sliceOf<T>(items: readonly T[], slice: string): T[];
