import { root } from './fingerprint.ts'

/** Enters the checkout for its commands. Those of a release use the current folder, which outlives an upgrade. */
export function enterWorkingFolder(): string {
  if (import.meta.url.endsWith('.ts')) process.chdir(root)
  return process.cwd()
}
