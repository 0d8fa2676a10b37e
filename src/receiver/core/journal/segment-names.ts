// The names and paths of the files in a journal's folder.

import { join } from 'node:path';

export const lockName = 'lock';
export const trialName = 'trial';

const digits = 10;
const pattern = /^(\d{10,15})\.(journal|keys)$/;

export const segmentPath = (folder: string, number: number): string => join(folder, segmentName(number));

export const segmentName = (number: number): string => `${String(number).padStart(digits, '0')}.journal`;

export const trialPath = (folder: string): string => join(folder, trialName);

export const keysPath = (folder: string, number: number): string => join(folder, keysName(number));

export const keysName = (number: number): string => `${String(number).padStart(digits, '0')}.keys`;

/** In ascending order. */
export function parseNames(names: readonly string[]) {
  const numbersByKind = { journal: [] as number[], keys: [] as number[] };
  for (const name of names) {
    const [, number, kind] = pattern.exec(name) ?? [];
    if (kind === 'journal' || kind === 'keys') numbersByKind[kind].push(Number(number));
  }
  const ascending = (numbers: number[]) => numbers.toSorted((a, b) => a - b);
  return { segments: ascending(numbersByKind.journal), keys: ascending(numbersByKind.keys) };
}
