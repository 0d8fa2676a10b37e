// Loaded first in a measured process. At its end, writes what the process took, as the last line of its stderr.

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const taken = { cpu: (userCPUTime + systemCPUTime) / 1e3, memory: maxRSS / 1024 };
  require('node:fs').writeSync(2, `\n${JSON.stringify(taken)}`);
});
