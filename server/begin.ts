import { beginWithLeanMemory } from './lean-memory.ts'

/*
 * The first file of the built server, as `dist/server/main.js`. Settings of memory only count from the start of a process, so
 * nothing else is read before them.
 */

if (import.meta.main) beginWithLeanMemory()

type Main = typeof import('./main.ts').main

export async function main(...given: Parameters<Main>): Promise<void> {
  const server = await import('./main.ts')
  await server.main(...given)
}

if (import.meta.main) await main()
