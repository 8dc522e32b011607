import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '..')

export function computeFingerprint(inputs: string[], variables: string[] = []): string {
  const hash = createHash('sha256').update(process.version)
  for (const name of variables) hash.update(`\0${name}=${process.env[name] ?? ''}`)
  for (const file of inputs.flatMap((input) => listFiles(join(root, input)))) {
    hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

function listFiles(path: string): string[] {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  const entries = readdirSync(path, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Builds if the output is missing or its inputs changed. Returns the duration in ms, or undefined if it was fresh. */
export async function buildIfStale(
  { outputFile, stamp: stampFile }: { outputFile: string; stamp: string },
  inputs: string[],
  build: () => Promise<void>,
  variables: string[] = [],
): Promise<number | undefined> {
  const stamp = join(root, stampFile)
  const fingerprint = computeFingerprint(inputs, variables)
  if (existsSync(join(root, outputFile)) && existsSync(stamp) && readFileSync(stamp, 'utf8').trim() === fingerprint)
    return undefined
  const startedAt = performance.now()
  // Removed first, so that an interrupted build never counts as finished.
  rmSync(stamp, { force: true })
  await build()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, `${fingerprint}\n`)
  return performance.now() - startedAt
}
