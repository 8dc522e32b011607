import { restartWithMemoryFlags } from './start/memory-flags.ts'

// Memory flags only apply from process start, so this runs before anything else loads.

if (import.meta.main) restartWithMemoryFlags()

type Main = typeof import('./main.ts').main

export async function main(...args: Parameters<Main>): Promise<void> {
  const server = await import('./main.ts')
  await server.main(...args)
}

if (import.meta.main) await main()
