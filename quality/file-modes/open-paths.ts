import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createDefectUrl, type Defect } from '../faults/planted-defect.ts'
import { startServer } from '../faults/server-process.ts'
import { createLoadWorld, requireData, sendRequest } from '../faults/writers.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const groupAndOtherBits = 0o077
const umaskCommand = ['sh', '-c', 'umask 022 && exec "$@"', 'sh']
const samplingMs = 5
const foreignFiles = ['notes.txt', 'backups/notes.txt']
const linkName = 'linked'

export interface FileModes {
  /** Paths that others could reach at any time, relative to the data folder, with modes. */
  openPaths: string[]
  pathCount: number
  changed: string[]
  warningCount: number
}

export function findOpenPaths(dataDir: string): { openPaths: Map<string, string>; pathCount: number } {
  const openPaths = new Map<string, string>()
  const names = ['', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })]
  let pathCount = 0
  for (const name of names) {
    const entry = lstatSync(join(dataDir, name), { throwIfNoEntry: false })
    if (!entry || entry.isSymbolicLink() || foreignFiles.includes(name)) continue
    pathCount += 1
    if (entry.mode & groupAndOtherBits) openPaths.set(name || '.', (entry.mode & 0o777).toString(8))
  }
  return { openPaths, pathCount }
}

export async function readModes(defect?: Defect): Promise<FileModes> {
  const parent = mkdtempSync(join(tmpdir(), 'keeper-modes-'))
  const dataDir = join(parent, 'data')
  const outside = join(parent, 'outside.txt')
  const options = { dataDir, wrapperCommand: umaskCommand, environment: { KEEPER_LOG_LEVEL: 'warn' } }
  createOpenFolder(dataDir, outside)

  const modes: FileModes = { openPaths: [], pathCount: 0, changed: [], warningCount: 0 }
  const openModes = new Map<string, string>()
  const recordOpenPaths = () => {
    for (const name of readdirSync(parent).filter((name) => name.startsWith('data'))) {
      const { openPaths, pathCount } = findOpenPaths(join(parent, name))
      for (const [path, mode] of openPaths) openModes.set(join(relative(dataDir, join(parent, name)), path), mode)
      modes.pathCount = Math.max(modes.pathCount, pathCount)
    }
  }
  const server = await startServer({ ...options, ...(defect && { defect }) })
  // Files in folders that are already private become private only after the start.
  for (let attempt = 0; attempt < 100 && findOpenPaths(dataDir).openPaths.size > 0; attempt++) await delay(samplingMs)
  const samplingTimer = setInterval(recordOpenPaths, samplingMs)
  try {
    const world = await createLoadWorld(server.address, server.setupToken)
    const callApi = async <T>(method: string, path: string, body?: unknown) =>
      requireData<T>(await sendRequest(server.address, world.token, method, path, body))
    const picture = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(50_000)])
    await callApi('POST', `/api/keeper/keepers/${world.keeperId}/media`, picture)
    const zip = await fetch(`${server.address}/api/keeper/export`, {
      headers: { authorization: `Bearer ${world.token}` },
    })
    const archive = await zip.arrayBuffer()
    await fetch(`${server.address}/api/keeper/imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.token}`, 'content-type': 'application/zip' },
      body: archive,
    })
    await runScript('scripts/admin.ts', ['rotate-secret'], dataDir, defect)
    const output = await runScript('scripts/backup.ts', [], dataDir, defect)
    recordOpenPaths()
    const backup = /^Backup: (\S+)/m.exec(output)?.[1] ?? ''
    await server.end('SIGTERM')
    await runScript('scripts/restore.ts', [backup], dataDir, defect)
  } finally {
    clearInterval(samplingTimer)
    await server.end('SIGKILL')
  }
  recordOpenPaths()
  modes.openPaths = Array.from(openModes, ([path, mode]) => `${path} ${mode}`)
  modes.changed = [...foreignFiles.map((name) => join(dataDir, name)), outside].filter(
    (path) => (statSync(path).mode & 0o777) !== 0o644,
  )
  modes.warningCount = server.stdout().split('could read the data folder').length - 1
  rmSync(parent, { recursive: true })
  return modes
}

function createOpenFolder(dataDir: string, outside: string): void {
  const folders = ['', 'media', 'media/ab', 'backups', 'backups/keeper-20200101T000000Z']
  for (const name of folders) mkdirSync(join(dataDir, name), { recursive: true })
  writeFileSync(join(dataDir, 'master.key'), 'an earlier key that nothing was encrypted with\n')
  // SQLite treats an empty file as an empty database.
  for (const name of [
    'data.db',
    'keeper.lock',
    `media/ab/${'ab'.repeat(32)}`,
    `${folders.at(-1)}/data.db`,
    ...foreignFiles,
  ])
    writeFileSync(join(dataDir, name), '')
  writeFileSync(outside, '')
  symlinkSync(outside, join(dataDir, linkName))
  for (const name of ['', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })]) {
    const path = join(dataDir, name)
    if (name !== linkName) chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644)
  }
  chmodSync(outside, 0o644)
}

async function runScript(script: string, scriptArguments: string[], dataDir: string, defect?: Defect): Promise<string> {
  const [program = '', ...shellArguments] = umaskCommand
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env
  const planted = defect ? ['--import', createDefectUrl(defect)] : []
  const child = spawn(
    program,
    [...shellArguments, process.execPath, ...planted, join(root, script), ...scriptArguments],
    {
      cwd: root,
      env: { PATH, HOME, KEEPER_DATA_DIR: dataDir, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${script} ended with ${code}: ${output}`)
  return output
}
