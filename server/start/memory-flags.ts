/** glibc returns allocations of at least this size to the system as soon as they are freed. */
const mmapThresholdName = 'MALLOC_MMAP_THRESHOLD_'
const mmapThresholdBytes = 1024 * 1024
const arenaSettings = { MALLOC_ARENA_MAX: '2' }
/** Caps V8's young space (MB) and the old space's growth (%), which otherwise scale with the machine; see decision 13. */
const heapFlags = ['--max-semi-space-size=16', '--heap-growing-percent=25']

/** Restarts with lean memory flags; otherwise every thread keeps the 19 MiB of a password hash. */
export function restartWithMemoryFlags(): void {
  const { env, execArgv, execPath, argv } = process
  if (process.platform !== 'linux' || process.send || env[mmapThresholdName] !== undefined) return
  const existingFlags = [...execArgv, env.NODE_OPTIONS ?? ''].join(' ')
  const addedFlags = heapFlags.filter((flag) => !existingFlags.includes(flag.slice(0, flag.indexOf('='))))
  process.execve?.(execPath, [execPath, ...addedFlags, ...execArgv, ...argv.slice(1)], {
    ...arenaSettings,
    ...env,
    [mmapThresholdName]: String(mmapThresholdBytes),
  })
}
