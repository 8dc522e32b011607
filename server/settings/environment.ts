import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'

export type Environment = Record<string, string | undefined>

export class BadSetting extends Error {}

interface EnvFile {
  names: string[]
  notes: string[]
}

/** Two folders up from this file, and also from its bundle in `dist/server/`. */
const checkoutEnvPath = fileURLToPath(new URL('../../.env', import.meta.url))

/** The `.env` file of each environment, apart from its variables, which are passed around as a plain object. */
const envFiles = new WeakMap<Environment, EnvFile>()

export const findEnvFile = (environment: Environment): EnvFile | undefined => envFiles.get(environment)

/** Merges `.env` in `directory` with the environment, which wins. @throws BadSetting if the file can't be read */
export function readEnvironment(directory: string, environment: Environment): Environment {
  const path = resolve(directory, '.env')
  const text = readEnvFile(path)
  if (text === null) {
    const merged = { ...environment }
    if (existsSync(checkoutEnvPath))
      envFiles.set(merged, {
        names: [],
        notes: [`${checkoutEnvPath} isn’t read: Keeper runs in ${directory}, and reads only the .env there`],
      })
    return merged
  }
  const fileVariables = parseEnv(text) as Environment
  const merged = { ...fileVariables, ...environment }
  const overriddenNames = Object.keys(fileVariables).filter((name) => {
    const value = environment[name]
    return value !== undefined && value !== fileVariables[name]
  })
  const notes = [
    ...explainLostText(text),
    ...overriddenNames.map((name) => `${name} in .env has no effect, since the environment sets it to another value`),
  ]
  envFiles.set(merged, { names: Object.keys(fileVariables), notes })
  return merged
}

function readEnvFile(path: string): string | null {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new BadSetting(`.env cannot be read: ${(error as Error).message}`)
  }
  if (bytes.includes(0)) throw new BadSetting('.env must be saved as UTF-8; it looks like UTF-16.')
  // Node keeps a byte order mark as part of the first name, and joins lines that end with a lone CR.
  return bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
}

const assignmentPattern = /^\s*(?:export\s+)?([^\s=#]+)\s*=[^\S\n]*(.*)$/

/** Lists what `parseEnv` ignores or cuts off, without showing values. */
function explainLostText(text: string): string[] {
  const notes: string[] = []
  const lines = text.split('\n')
  const names = new Set<string>()
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!
    const lineNumber = index + 1
    if (/^\s*(?:#|$)/.test(line)) continue
    const [, name, value] = assignmentPattern.exec(line) ?? []
    if (name === undefined || value === undefined) {
      notes.push(`line ${lineNumber} of .env has no effect, since it isn’t NAME=value`)
      continue
    }
    if (names.has(name)) notes.push(`${name} is set more than once in .env; the last value counts`)
    names.add(name)
    const quote = /^["'`]/.exec(value)?.[0]
    if (quote === undefined) {
      if (/\S#/.test(value.replace(/\s#.*/, '')))
        notes.push(`${name} in .env is cut at its "#"; put the value in quotes`)
      continue
    }
    const closingLineOffset = [value.slice(1), ...lines.slice(index + 1)].findIndex((part) => part.includes(quote))
    if (closingLineOffset === -1) {
      notes.push(`${name} in .env starts with a quote that is never closed, so the quote becomes part of its value`)
      continue
    }
    const swallowedLines = lines
      .slice(index + 1, index + closingLineOffset + 1)
      .filter((part) => assignmentPattern.test(part))
    if (swallowedLines.length > 0)
      notes.push(
        `${name} in .env includes lines ${lineNumber} to ${lineNumber + closingLineOffset}, since its quote ends there; settings in between have no effect`,
      )
    const lastLine = closingLineOffset === 0 ? value.slice(1) : lines[index + closingLineOffset]!
    const afterQuote = lastLine.slice(lastLine.indexOf(quote) + 1)
    if (!/^\s*(?:#.*)?$/.test(afterQuote)) notes.push(`${name} in .env is cut after its second quote`)
    index += closingLineOffset
  }
  return notes
}
