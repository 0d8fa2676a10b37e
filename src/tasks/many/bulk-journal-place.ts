// Where the journals of bulk runs are stored, and the name in their headers.

/** In the header of the journal. */
export const journalName = 'wm task update';
/** Below the state folder. */
export const journalFolder = 'bulk';

export function lockOf(journal: string): string {
  return `${journal}.lock`;
}

/** Where the journal of --journal goes when the next one begins and it is not finished. */
export const oldJournalOf = (journal: string) => `${journal}.old`;
