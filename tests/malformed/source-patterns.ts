import { parseSync } from 'vite'
import { readSourceTree, type SourceFile } from '#tests/source-tree.ts'
import type { TextReader } from './linear-time.ts'

/** Patterns that only read short texts, by file and source, with the reason. */
const boundedPatterns: Record<string, string> = {
  'server/accounts/sessions.ts \\bVersion\\/[\\d.]+ .*\\bSafari\\/': 'reads 512 characters',
  'server/models/mock-model.ts \\s*\\S+': 'reads a text without white space at its end',
  'server/keepers/sole/request-draft.ts (^|\\W)[*_](\\S(?:.*?\\S)?)[*_](?=\\W|$)': 'reads a sentence of 400 characters',
  'server/accounts/password.ts =+$': 'reads a hash made here',
  'web/diagnostics/redact.ts \\b(?=[A-Za-z0-9_-]*\\d)(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9_-]{28,}':
    'reads 1,200 characters',
  'web/diagnostics/redact.ts \\b[^\\s@"\'<>]+@[^\\s@"\'<>]+\\.[a-z]{2,}\\b': 'reads 1,200 characters',
  'web/diagnostics/redact.ts \\b(https?:\\/\\/[^\\s?#"\']+)[?#][^\\s"\']*': 'reads 1,200 characters',
  'web/diagnostics/redact.ts (\\/[\\w./-]*)\\?[^\\s"\']+': 'reads 1,200 characters',
  'web/ui/text/code-block.tsx ("(?:[^"\\\\]|\\\\.)*")(\\s*:)?|\\b(?:true|false|null)\\b|-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?':
    'reads JSON written here, in which every string is closed',
  'web/agents/chat/read-aloud.ts !?\\[([^\\]]*)(?:\\]|$)(\\([^)]*\\))?': 'reads up to the last )',
}

interface SourcePattern {
  name: string
  source: string
  flags: string
}

let runtimePatterns: SourcePattern[] | undefined

/** Every regular expression of server and pages, as a text reader. */
export function listPatternReaders(patterns = listRuntimePatterns()): TextReader[] {
  const readers = new Map<string, TextReader>()
  for (const { name, source, flags } of patterns) {
    if (name in boundedPatterns) continue
    const global = new RegExp(source, [...new Set(`${flags}g`)].join(''))
    readers.set(`${name} ${flags}`, {
      name,
      maxLength: 8192,
      units: [' ', '\t', '\n', 'a', '0', ...extractUnits(source)],
      specificUnitsOnly: true,
      read: (text) => text.replace(global, ''),
    })
  }
  return [...readers.values()]
}

/** Bounds whose pattern is no longer in the code. */
export function findUnusedBounds(): string[] {
  const existing = new Set(listRuntimePatterns().map(({ name }) => name))
  return Object.keys(boundedPatterns).filter((name) => !existing.has(name))
}

/** Runtime sources only; the build reads nothing but its own files. */
function listRuntimePatterns(): SourcePattern[] {
  runtimePatterns ??= readSourceTree()
    .filter(({ path }) => /^(?:contract|server|web)\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$|^web\/build\//.test(path))
    .flatMap(findPatterns)
  return runtimePatterns
}

export function findPatterns({ path, source: code }: SourceFile): SourcePattern[] {
  const patterns: SourcePattern[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('regex' in node && typeof node.regex === 'object') {
      const { pattern: source, flags } = node.regex as { pattern: string; flags: string }
      patterns.push({ name: `${path} ${source}`, source, flags })
    } else Object.values(node).forEach(visit)
  }
  visit(parseSync(path, code).program)
  return patterns
}

/** The character runs that a pattern mentions. */
function extractUnits(source: string): string[] {
  const plain = source
    .replace(/\\n/g, '\n')
    .replace(/\\s\*?\+?/g, ' ')
    .replace(/\\([^\w\s])/g, '$1')
  const runs = plain.match(/[\w\n/<>="'`:@#&!.,*_~|-]{1,40}/g) ?? []
  const runUnits = [...new Set(runs.flatMap((run) => [run, `${run} `, run.slice(0, 1)]))]
  const signs = plain.match(/[^\w\s]/g) ?? []
  return [...new Set([...signs, ...runUnits])].slice(0, 30)
}
