// The message of a thrown value, for a log line or a response.

export const errorMessage = (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown));
