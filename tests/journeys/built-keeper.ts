import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

const bundle = resolve(import.meta.dirname, '../../dist/server/main.js')

export interface BuiltKeeper {
  url: string
  /** The path of the one-time link that the first start prints. */
  setupPath: string
  /** Everything it has said, for the report of a failed journey. */
  lines: string[]
  stop(): Promise<void>
}

/** What people will run: the bundle and the built pages, on an empty data folder and a free port. */
export async function startBuiltKeeper(environment: Record<string, string>): Promise<BuiltKeeper> {
  if (!existsSync(bundle)) throw new Error('Nothing is built yet: node scripts/build.ts')
  const dataDir = mkdtempSync(join(tmpdir(), 'keeper-journey-'))
  const child = spawn(process.execPath, [bundle], {
    cwd: dataDir,
    env: { PATH: process.env.PATH, PORT: '0', KEEPER_DATA_DIR: dataDir, KEEPER_LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  const lines: string[] = []
  const url = await new Promise<string>((ready, failed) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on('line', (line) => {
        lines.push(line)
        const address = line.match(/^Keeper is at (\S+)/)?.[1]
        if (address) ready(address)
      })
    }
    ended.then(() => failed(new Error(`Keeper did not start:\n${lines.join('\n')}`)))
  })
  return {
    url,
    get setupPath() {
      return lines.find((line) => line.includes('/register?setup='))?.replace(/^.*(?=\/register)/, '') ?? '/register'
    },
    lines,
    async stop() {
      child.kill('SIGTERM')
      const deadline = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await ended
      clearTimeout(deadline)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
