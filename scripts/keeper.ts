import { requireNode } from '#server/start/require-node.ts'

// The only program of a release. Everything is imported after this, because an old Node fails at names that its modules lack.
requireNode()

const usage = `Usage: node keeper.js [command]

  start [--require-mount]   starts the server; the default. With --require-mount only if the data folder is a mounted volume
  admin <command>           manages accounts and keys; alone, it lists its commands
  backup [--keep <number>]  makes a backup, also while the server runs
  restore <backup>          restores a backup, while the server is stopped
  mcp                       connects an MCP client that starts programs; needs KEEPER_URL and KEEPER_TOKEN

Settings are read from the environment and from .env in the current folder, and data is in ./data there
unless KEEPER_DATA_DIR names another folder.`

const [command = 'start', ...options] = process.argv.slice(2)
/** The commands read their own arguments from here. */
const passOptions = () => process.argv.splice(2, 1)

const commands: Record<string, () => Promise<unknown>> = {
  async start() {
    if (options.some((option) => option !== '--require-mount')) return refuse()
    const { restartWithMemoryFlags } = await import('../server/start/memory-flags.ts')
    restartWithMemoryFlags()
    const { checkDataFolder } = await import('../server/start/check-data-folder.ts')
    const failure = checkDataFolder(process.cwd(), { requireMount: options.includes('--require-mount') })
    if (failure) {
      console.error(`Keeper cannot start: ${failure}`)
      process.exit(1)
    }
    const { main } = await import('../server/entry.ts')
    await main()
  },
  admin() {
    passOptions()
    return import('./admin.ts')
  },
  backup() {
    passOptions()
    return import('./backup.ts')
  },
  restore() {
    passOptions()
    return import('./restore.ts')
  },
  mcp: () => import('./mcp.ts'),
  async help() {
    console.log(usage)
  },
}

await (commands[command === '--help' ? 'help' : command] ?? refuse)()

async function refuse(): Promise<void> {
  console.error(usage)
  process.exitCode = 1
}
