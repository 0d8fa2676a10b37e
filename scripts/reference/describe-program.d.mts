import type { ProgramDescription } from '../../src/command/program-description.ts';

export function describeProgram(root: string): ProgramDescription;
