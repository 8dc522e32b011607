import { setFlagsFromString } from 'node:v8'

/** glibc returns allocations of at least this size to the system as soon as they are freed. */
const mmapThresholdName = 'MALLOC_MMAP_THRESHOLD_'
const mmapThresholdBytes = 1024 * 1024
const arenaSettings = { MALLOC_ARENA_MAX: '2' }
/** Cap V8's young space (MB) and the old space's growth (%), which otherwise scale with the machine (decision 0013). */
const youngSpaceFlag = '--max-semi-space-size=16'
const heapGrowthFlag = '--heap-growing-percent=25'

/** Restarts the process with memory flags; without them, every thread keeps the 19 MiB of a password hash. */
export function restartWithMemoryFlags(): void {
  const { env, execArgv, execPath, argv } = process
  const isChildProcess = process.send !== undefined
  const isAlreadyConfigured = env[mmapThresholdName] !== undefined
  if (process.platform !== 'linux' || isChildProcess || isAlreadyConfigured) return
  const addedFlags = isFlagSet(youngSpaceFlag) ? [] : [youngSpaceFlag]
  process.execve?.(execPath, [execPath, ...addedFlags, ...execArgv, ...argv.slice(1)], {
    ...arenaSettings,
    ...env,
    [mmapThresholdName]: String(mmapThresholdBytes),
  })
}

/** Call once the server listens: V8 rejects the compiled code of Node's own modules after this flag is set. */
export function limitHeapGrowth(): void {
  if (!isFlagSet(heapGrowthFlag)) setFlagsFromString(heapGrowthFlag)
}

function isFlagSet(flag: string): boolean {
  const [name = flag] = flag.split('=')
  return [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ').includes(name)
}
