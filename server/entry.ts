import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { restartWithMemoryFlags } from './start/memory-flags.ts'

// Memory flags only apply from process start, so this runs before anything else loads.

if (import.meta.main) restartWithMemoryFlags()

type Main = typeof import('./main.ts').main

export async function main(...args: Parameters<Main>): Promise<void> {
  // Beside the bundle, which a build replaces as a whole; nothing is cached where this folder can't be written.
  if (import.meta.url.endsWith('.js')) enableCompileCache(fileURLToPath(new URL('compiled', import.meta.url)))
  const server = await import('./main.ts')
  await server.main(...args)
}

if (import.meta.main) await main()
