/** Stops this process when npm is stopped, because npm doesn't forward SIGTERM. */
export function stopWithNpm(): void {
  // Without npm, the parent may have detached this process on purpose.
  if (!process.env.npm_lifecycle_event) return
  const shell = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 500).unref()
  // Ctrl+C also ends npm and its shell; the timer would then send a second signal, which means "do not wait".
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      clearInterval(timer)
      // This listener disabled Node's default exit, so exit if nobody else handles the signal.
      if (process.listenerCount(signal) === 0) process.exit(1)
    })
  }
}
