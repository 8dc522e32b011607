import { requireNode } from '#server/start/require-node.ts'

requireNode()
const { restartWithMemoryFlags } = await import('../server/start/memory-flags.ts')
restartWithMemoryFlags()

const { buildIfChanged } = await import('./build.ts')
const refuseToBuild = (shortage: string) => {
  throw new Error(shortage)
}
await buildIfChanged({ onLittleMemory: refuseToBuild }).catch((error: unknown) => {
  console.error(`Keeper couldn’t be built: ${error instanceof Error ? error.message : error}`)
  process.exit(1)
})

const { stopWithNpm } = await import('./stop-with-npm.ts')
stopWithNpm()
const { main } = (await import(new URL('../dist/server/main.js', import.meta.url).href)) as { main(): Promise<void> }
await main()
