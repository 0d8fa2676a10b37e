// Formats a time for people in this machine's time zone, and names the zone: a receiver's logs may use another one.

const two = (value: number) => String(value).padStart(2, '0');

/** `2026-11-22 14:31:07 (UTC+01:00)` */
export function formatLocalTime(at: number): string {
  const time = new Date(at);
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  const east = -time.getTimezoneOffset();
  const zone = `UTC${east < 0 ? '-' : '+'}${two(Math.floor(Math.abs(east) / 60))}:${two(Math.abs(east) % 60)}`;
  return `${date} ${formatTimeOfDay(at)} (${zone})`;
}

/** `14:31:07` */
export function formatTimeOfDay(at: number): string {
  const time = new Date(at);
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}
