import { isMain, requireNode } from './start/require-node.ts'

// Everything else is imported after this, because an old Node fails at names that its modules lack.
requireNode()

type Main = typeof import('./main.ts').main

export async function main(...args: Parameters<Main>): Promise<void> {
  const { enableCompileCache } = await import('node:module')
  const { fileURLToPath } = await import('node:url')
  // The cache is next to the bundle, since a build replaces both. It stays empty where the folder is read-only.
  if (import.meta.url.endsWith('.js')) enableCompileCache(fileURLToPath(new URL('compiled', import.meta.url)))
  const { prepareSqliteWriter } = await import('./db/start-writer.ts')
  prepareSqliteWriter()
  const server = await import('./main.ts')
  await server.main(...args)
}

if (isMain(import.meta)) {
  const { restartWithMemoryFlags } = await import('./start/memory-flags.ts')
  // Replaces this process, because memory flags only apply from the start of one.
  restartWithMemoryFlags()
  await main()
}
