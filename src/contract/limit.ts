// The limits of the contract. Their names include the units.

export const limit = {
  minutesPerDay: 480,
  titleCharacters: 1_000,
  descriptionCharacters: 1_000_000,
  commentCharacters: 10_000,
  metadataEntries: 100,
  /** "Fewer than 50". */
  metadataKeyCharacters: 49,
  /** "Fewer than 1000". */
  metadataValueCharacters: 999,
  customFieldEntries: 100,
  customFieldCharacters: 4_000,
  plannedDurationMinutes: 1,
  durationMinutesBelow: 1_800_000,
  dateFrom: '1970-01-01T00:00:00',
  dateBelow: '2100-01-01T00:00:00',
  webhooksPerGet: 100,
  /** These are not shown; assumed to be the same. */
  tasksPerGet: 100,
  contactsPerGet: 100,
  foldersPerGet: 100,
  itemsPerGet: 100,
  batchOperations: 100,
  authorizationCodeSeconds: 600,
  accessTokenSeconds: 3_600,
  deliveryAttempts: 3,
  descriptionEventDelaySeconds: 300,
  hookUrlPorts: [80, 443],
  challengeCharacters: 100,
} as const;

/** The only status that users with the lowest licence may set. */
export const statusOfEveryLicence = 'Active';
