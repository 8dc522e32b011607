/**
 * A SIGTERM to npm ends npm and its shell but is not passed on to us: without this the server would stay behind, with
 * its port and its data folder. Only under npm: whoever starts us otherwise may leave us alone on purpose.
 */
export function stopWithNpm(): void {
  if (!process.env.npm_lifecycle_event) return
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 500).unref()
  // Ctrl+C reaches all three at once. We have the signal then, and a second one would mean "do not wait".
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      clearInterval(watch)
      if (process.listenerCount(signal) === 0) process.exit(1)
    })
  }
}
