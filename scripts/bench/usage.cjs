// Loaded first in a measured process. At its end, writes to descriptor 3 what the process took.

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  require('node:fs').writeSync(
    3,
    JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e3, memory: maxRSS / 1024 }),
  );
});
