import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach } from 'vitest'
import { type Defect, plantedAs } from '../gates/faults/planted-defect.ts'

const main = fileURLToPath(new URL('../server/main.ts', import.meta.url))

export interface Keeper {
  child: ChildProcess
  /** The announced address; rejects if the process exits first. */
  address: Promise<string>
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>
}

const running = new Set<ChildProcess>()
const folders: string[] = []

/** An empty folder, removed after the tests. */
export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'keeper-process-'))
  folders.push(made)
  return made
}

/** Runs `node server/main.ts` in that folder; killed after the test. */
export function start(directory: string, environment: Record<string, string> = {}, defect?: Defect): Keeper {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env
  const words = [...(defect ? ['--import', plantedAs(defect)] : []), main]
  const env = { PATH, HOME, NODE_COMPILE_CACHE, PORT: '0', ...environment }
  const child = spawn(process.execPath, words, { cwd: directory, env })
  running.add(child)
  let stdout = ''
  let stderr = ''
  child.stderr.on('data', (bytes) => (stderr += bytes))
  const ended = new Promise<Awaited<Keeper['ended']>>((resolve) => {
    child.on('close', (code) => {
      running.delete(child)
      resolve({ code, stdout, stderr })
    })
  })
  const address = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (bytes) => {
      stdout += bytes
      const found = /Keeper is at (\S+)[\s\S]*\n/.exec(stdout)?.[1]
      if (found) resolve(found)
    })
    void ended.then(() => reject(new Error(`exited during startup: ${stderr}`)))
  })
  address.catch(() => undefined)
  return { child, address, ended }
}

afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
})
afterAll(() => {
  for (const made of folders) rmSync(made, { recursive: true, force: true })
})
