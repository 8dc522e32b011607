import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, resolve, sep } from 'node:path'

export interface SourceFile {
  /** Relative to the repository root, with forward slashes. */
  path: string
  source: string
}

export interface SourceImport {
  /** A path from the root for local files, otherwise the package specifier. */
  target: string
  isInternal: boolean
  isTypeOnly: boolean
  /** `import('…')`, which runs when it is called. */
  isLazy: boolean
}

export const roots = ['contract', 'server', 'web', 'tests', 'scripts', 'bench', 'quality'] as const

export function readSourceTree(
  root = resolve(import.meta.dirname, '..'),
  extensions = /\.(ts|tsx|cjs|mjs|css)$/,
): SourceFile[] {
  return roots.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && extensions.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => ({
        path: file.slice(root.length + 1).replaceAll(sep, '/'),
        source: readFileSync(file, 'utf8'),
      })),
  )
}

const importStatement = /^[ \t]*(import|export)\s+(type\s)?([^'"`;]*?\bfrom\s*)?['"]([^'"]+)['"]/gm
const dynamicImport = /\bimport\(\s*(?:\/\*.*?\*\/\s*)?['"]([^'"]+)['"]\s*\)/g
const typeQuery = /\btypeof\s+$/

/** Parsed with regular expressions: dependency parsers don't support this TypeScript version. */
export function parseImports(file: SourceFile): SourceImport[] {
  const imports: SourceImport[] = []
  for (const [, keyword, type, clause, specifier = ''] of file.source.matchAll(importStatement)) {
    if (clause === undefined && keyword === 'export') continue
    const names = clause?.match(/^\{([\s\S]*)\}/)?.[1]
    const everyNameIsType = names?.split(',').every((name) => !name.trim() || name.trim().startsWith('type '))
    const isTypeOnly = type !== undefined || everyNameIsType === true
    imports.push({ ...locate(file.path, specifier), isTypeOnly, isLazy: false })
  }
  for (const match of file.source.matchAll(dynamicImport)) {
    const isTypeOnly = typeQuery.test(file.source.slice(0, match.index))
    imports.push({ ...locate(file.path, match[1] ?? ''), isTypeOnly, isLazy: true })
  }
  return imports
}

function locate(from: string, specifier: string): Pick<SourceImport, 'target' | 'isInternal'> {
  if (specifier.startsWith('.')) return { target: posix.join(posix.dirname(from), specifier), isInternal: true }
  if (specifier.startsWith('#')) return { target: specifier.slice(1), isInternal: true }
  return { target: specifier, isInternal: false }
}

export const getRoot = (path: string) => path.split('/')[0] ?? ''
export const isTest = (path: string) => /\.test\.tsx?$/.test(path) || path.startsWith('tests/')
