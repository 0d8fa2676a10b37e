// Formats a time for people in this machine's time zone, and names the zone: a receiver's logs may use another one.

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** `2026-11-22 14:31:07 (UTC+01:00)` */
export function formatLocalTime(timestamp: number): string {
  const time = new Date(timestamp);
  const date = `${time.getFullYear()}-${twoDigits(time.getMonth() + 1)}-${twoDigits(time.getDate())}`;
  const minutes = Math.abs(time.getTimezoneOffset());
  const sign = time.getTimezoneOffset() > 0 ? '-' : '+';
  const zone = `UTC${sign}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
  return `${date} ${formatTimeOfDay(timestamp)} (${zone})`;
}

/** `14:31:07` */
export function formatTimeOfDay(timestamp: number): string {
  const time = new Date(timestamp);
  return `${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}:${twoDigits(time.getSeconds())}`;
}
