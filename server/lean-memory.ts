/** Of glibc: what is asked for in one piece of at least so many bytes is given back to the system as soon as it is free. */
const threshold = 'MALLOC_MMAP_THRESHOLD_'
const givenBackFrom = 1024 * 1024
/** Of glibc: all threads take their memory from so many places; else each keeps a place of its own, mostly empty. */
const places = { MALLOC_ARENA_MAX: '2' }
/** Megabytes of young space, and by how much the old one may grow before it is collected. Else V8 takes what a large machine has; see decision 13. */
const heap = ['--max-semi-space-size=16', '--heap-growing-percent=25']

/**
 * Begins this process once more, in its place, with settings of memory that only count from the start of a process: else
 * what every sign-in takes for its password (19 MiB) is kept by each thread for ever, and 500 chats take twice as much.
 * Returns where that is done, or where somebody else said how it is to be.
 */
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
