// A value as a word of a command line for sh, so that a command that is printed works when it is pasted.

/** As it stands where no character of it means anything to the shell, and in single quotes otherwise. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
