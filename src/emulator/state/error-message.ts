// The message of whatever was thrown, for a log line or a response.

export function errorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
