import type { ProgramDescription } from '../../src/command/program-description.ts';

export function formatManPages(program: ProgramDescription): ReadonlyMap<string, string>;
