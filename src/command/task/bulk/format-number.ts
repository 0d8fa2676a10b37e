// A number of rows, as a person reads it: 1,000,000.

export function formatCount(number: number): string {
  return number.toLocaleString('en');
}
