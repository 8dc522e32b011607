import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createDefectUrl, type Defect } from './planted-defect.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface ServerProcess {
  child: ChildProcess
  address: string
  setupToken: string | undefined
  stdout(): string
  stderr(): string
  exited: Promise<number | NodeJS.Signals | null>
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null>
}

export interface ServerOptions {
  dataDir: string
  databaseUrl?: string
  environment?: Record<string, string>
  defect?: Defect
  /** Program and arguments that run the server, such as strace. */
  wrapperCommand?: string[]
}

export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const { dataDir, databaseUrl, environment, defect, wrapperCommand = [] } = options
  if (!defect && !existsSync(`${root}/dist/server/main.js`)) throw new Error('Build first: node scripts/build.ts')
  const [program = '', ...programArguments] = [
    ...wrapperCommand,
    process.execPath,
    ...(defect ? ['--import', createDefectUrl(defect)] : []),
    defect ? 'server/main.ts' : 'dist/server/main.js',
  ]
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env
  const child = spawn(program, programArguments, {
    cwd: root,
    env: {
      PATH,
      HOME,
      PORT: '0',
      KEEPER_DATA_DIR: dataDir,
      KEEPER_LOG_LEVEL: 'error',
      ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
      ...(databaseUrl && { DATABASE_URL: databaseUrl, KEEPER_SECRET: 'a secret of the gates, long enough for it' }),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  let [stdout, stderr] = ['', '']
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  const exited = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('close', (code, signal) => {
      process.removeListener('exit', kill)
      resolve(signal ?? code)
    }),
  )
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text
      const matchedAddress = /Keeper is at (\S+)\n/.exec(stdout)?.[1]
      if (matchedAddress) resolve(matchedAddress)
    })
    void exited.then(() => reject(new Error(`The server exited before it was ready: ${stderr}${stdout}`)))
  })
  return {
    child,
    address: address.replace('localhost', '127.0.0.1'),
    get setupToken() {
      return /setup=(\S+)/.exec(stdout)?.[1]
    },
    stdout: () => stdout,
    stderr: () => stderr,
    exited,
    end(signal) {
      child.kill(signal)
      return exited
    },
  }
}
