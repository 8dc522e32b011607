import { readFileSync } from 'node:fs'

/** From package.json, two folders above both the sources and the bundle. */
export const version = readVersion()

function readVersion(): string {
  try {
    const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
    return (JSON.parse(text) as { version: string }).version
  } catch {
    return 'unknown'
  }
}
