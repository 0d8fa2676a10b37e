// Under which name a sign-in that was started and not completed stands in a token store, beside the tokens themselves.

/** No profile's name begins with a dot. */
export function pendingName(profile: string): string {
  return `.pending-${profile}`;
}
