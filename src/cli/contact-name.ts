// Names a contact: its full name, and the e-mail addresses in its profiles.

import type { Contact } from '#contract/read-only-records.ts';

/** Empty if the service shows no name. */
export function fullName({ firstName, lastName }: Contact): string {
  return [firstName, lastName].filter(Boolean).join(' ');
}

/** The contract does not show the shape of a profile. */
export function emailsOf({ profiles }: Contact): readonly string[] {
  return (profiles ?? []).flatMap((profile) => {
    if (typeof profile !== 'object' || profile === null || !('email' in profile)) return [];
    return typeof profile.email === 'string' ? [profile.email] : [];
  });
}
