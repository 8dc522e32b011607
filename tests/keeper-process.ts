import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDefectUrl, type Defect } from '../quality/faults/planted-defect.ts'
import { spawnedKeepers, temporaryFolders } from './spawned-keepers.ts'

const bundle = fileURLToPath(new URL('../dist/server', import.meta.url))

/** The defect in the chunk that has its code. The bundler keeps names, but not quotes and line breaks. */
function locateInBundle({ from, to }: Defect): Defect {
  const names = readdirSync(bundle).filter((name) => name.endsWith('.js'))
  const matches = names.flatMap((name) =>
    readFileSync(join(bundle, name), 'utf8')
      .split(from)
      .slice(1)
      .map(() => `/${name}`),
  )
  const [file] = matches
  if (!file || matches.length > 1) throw new Error(`"${from}" occurs ${matches.length} times in the bundle, not once`)
  return { file, from, to }
}

/** Already set, or each server would restart once to set it (server/start/memory-flags.ts). */
const memoryFlags = { MALLOC_MMAP_THRESHOLD_: String(1024 * 1024) }

export interface SpawnedKeeper {
  child: ChildProcess
  /** The announced address; rejects if the process exits first. */
  address: Promise<string>
  exited: Promise<{ code: number | null; stdout: string; stderr: string }>
}

/** An empty folder, removed after the tests. */
export function createTempFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'keeper-process-'))
  temporaryFolders.add(path)
  return path
}

/** Runs the built server in that folder; killed after the test. */
export function startKeeperProcess(
  directory: string,
  environment: Record<string, string> = {},
  defect?: Defect,
): SpawnedKeeper {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env
  const args = [...(defect ? ['--import', createDefectUrl(locateInBundle(defect))] : []), `${bundle}/main.js`]
  const env = { PATH, HOME, NODE_COMPILE_CACHE, ...memoryFlags, PORT: '0', ...environment }
  const child = spawn(process.execPath, args, { cwd: directory, env })
  spawnedKeepers.add(child)
  let stdout = ''
  let stderr = ''
  child.stderr.on('data', (bytes) => (stderr += bytes))
  const exited = new Promise<Awaited<SpawnedKeeper['exited']>>((resolve) => {
    child.on('close', (code) => {
      spawnedKeepers.delete(child)
      resolve({ code, stdout, stderr })
    })
  })
  const address = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (bytes) => {
      stdout += bytes
      const url = /Keeper is at (\S+)[\s\S]*\n/.exec(stdout)?.[1]
      if (url) resolve(url)
    })
    void exited.then(() => reject(new Error(`exited during startup: ${stderr}`)))
  })
  address.catch(() => undefined)
  return { child, address, exited }
}
