/** glibc returns allocations of at least this size to the system as soon as they are freed. */
const threshold = 'MALLOC_MMAP_THRESHOLD_'
const givenBackFrom = 1024 * 1024
/** Threads share two malloc arenas instead of keeping one each. */
const places = { MALLOC_ARENA_MAX: '2' }
/** Caps V8's young space (MB) and the old space's growth (%), which otherwise scale with the machine; see decision 13. */
const heap = ['--max-semi-space-size=16', '--heap-growing-percent=25']

/** Restarts with lean memory flags; otherwise every thread keeps the 19 MiB of a password hash. */
export function beginWithLeanMemory(): void {
  const { env, execArgv, execPath, argv } = process
  if (process.platform !== 'linux' || process.send || env[threshold] !== undefined) return
  const said = [...execArgv, env.NODE_OPTIONS ?? ''].join(' ')
  const own = heap.filter((flag) => !said.includes(flag.slice(0, flag.indexOf('='))))
  process.execve?.(execPath, [execPath, ...own, ...execArgv, ...argv.slice(1)], {
    ...places,
    ...env,
    [threshold]: String(givenBackFrom),
  })
}
