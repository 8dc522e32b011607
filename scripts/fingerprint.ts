import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '..')

export interface BuildTarget {
  /** A folder, like every path here relative to the root. */
  output: string
  stamp: string
  inputs: string[]
  /** Environment variables that change the build. */
  variables?: string[]
}

/** Is the same on every machine, so that a build made elsewhere is used. */
export function computeFingerprint({ inputs, variables = [] }: Pick<BuildTarget, 'inputs' | 'variables'>): string {
  const hash = createHash('sha256')
  for (const name of variables) hash.update(`\0${name}=${process.env[name] ?? ''}`)
  for (const file of inputs.flatMap((input) => listFiles(join(root, input)))) {
    hash.update(`\0${relative(root, file).replaceAll('\\', '/')}\0`).update(readFileSync(file))
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

export function isFresh(target: BuildTarget, fingerprint = computeFingerprint(target)): boolean {
  const stamp = join(root, target.stamp)
  return (
    existsSync(join(root, target.output)) && existsSync(stamp) && readFileSync(stamp, 'utf8').trim() === fingerprint
  )
}

/** Builds if the output is missing or its inputs changed. Returns the duration in ms, or undefined if it was fresh. */
export async function buildIfStale(
  target: BuildTarget,
  build: (directory: string) => Promise<void>,
): Promise<number | undefined> {
  const fingerprint = computeFingerprint(target)
  if (isFresh(target, fingerprint)) return undefined
  const startedAt = performance.now()
  const output = join(root, target.output)
  const stamp = join(root, target.stamp)
  // A build that is interrupted leaves the previous one with its stamp.
  const newOutput = `${output}.new`
  rmSync(newOutput, { recursive: true, force: true })
  mkdirSync(dirname(output), { recursive: true })
  await build(newOutput)
  rmSync(stamp, { force: true })
  rmSync(output, { recursive: true, force: true })
  renameSync(newOutput, output)
  writeFileSync(stamp, `${fingerprint}\n`)
  return performance.now() - startedAt
}
