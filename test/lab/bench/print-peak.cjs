// Loaded before a program whose peak memory is measured: prints it in MiB on stderr at the end.
process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS / 1024)))
