import type { ProgramDescription } from '../../src/command/program-description.ts';

export function formatReference(program: ProgramDescription): ReadonlyMap<string, string>;
