// Where the journals of bulk runs are stored, and the name in their headers.

/** In the header of the journal. */
export const journalName = 'wm task update';
/** Below the state folder. */
export const journalFolder = 'bulk';

export function lockOf(journal: string): string {
  return `${journal}.lock`;
}
