const minNodeVersion = 24

if (Number(process.versions.node.split('.')[0]) < minNodeVersion) {
  console.error(
    `Keeper needs Node ${minNodeVersion} or newer. This is ${process.version}. Start Keeper with \`npm start\`, which installs the right version.`,
  )
  process.exit(1)
}

const { restartWithMemoryFlags } = await import('../server/start/memory-flags.ts')
restartWithMemoryFlags()

const { buildIfChanged } = await import('./build.ts')
await buildIfChanged().catch((error: unknown) => {
  console.error(`Keeper couldn’t be built: ${error instanceof Error ? error.message : error}`)
  process.exit(1)
})

const { stopWithNpm } = await import('./stop-with-npm.ts')
stopWithNpm()
const { main } = (await import(new URL('../dist/server/main.js', import.meta.url).href)) as { main(): Promise<void> }
await main()
