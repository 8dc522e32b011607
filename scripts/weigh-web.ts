import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { isMain } from '#server/start/require-node.ts'
import { documentLimits, getPartLimit, shellEntries, shellLimit, siteLimit } from '../web/build/weight-limits.ts'
import { root } from './fingerprint.ts'

interface Chunk {
  file: string
  isEntry?: boolean
  isDynamicEntry?: boolean
  imports?: string[]
  dynamicImports?: string[]
}
export type Manifest = Record<string, Chunk>

export interface Weight {
  label: string
  kilobytes: number
  limit: number
}

const developerFilePattern = /^workbench\//

/** Gzipped script sizes in kB: each document, and what each part adds to the shell. */
export function weigh(manifest: Manifest, getSize: (file: string) => number): Weight[] {
  const sumKilobytes = (files: Set<string>) =>
    [...files].reduce((totalBytes, file) => totalBytes + getSize(file), 0) / 1000
  const shellFiles = collectShellFiles(manifest)
  const documents = Object.entries(documentLimits)
    .filter(([name]) => manifest[name])
    .map(([name, limit]) => ({ label: name, kilobytes: sumKilobytes(collectScripts(manifest, name)), limit }))
  const parts = Object.keys(manifest)
    .filter((name) => isPart(manifest, name) && !shellEntries.includes(name))
    .map((name) => ({
      label: `${name}, over the shell`,
      kilobytes: sumKilobytes(new Set([...collectScripts(manifest, name)].filter((file) => !shellFiles.has(file)))),
      limit: getPartLimit(name),
    }))
  return [...documents, { label: 'the app’s shell', kilobytes: sumKilobytes(shellFiles), limit: shellLimit }, ...parts]
}

/** Every file is a request, and on a slow connection requests wait for each other. */
const maxFiles = 50
/** Frames open on a board, whose page has already loaded most of their scripts. */
const framePattern = /^boards\/frames\//

export function findFileHeavyPages(manifest: Manifest): { label: string; files: number }[] {
  const shellFiles = collectShellFiles(manifest)
  return Object.keys(manifest)
    .filter((name) => isPart(manifest, name) && !framePattern.test(name))
    .map((name) => ({ label: name, files: new Set([...shellFiles, ...collectScripts(manifest, name)]).size }))
    .filter(({ files }) => files > maxFiles)
    .toSorted((a, b) => b.files - a.files)
}

/** Importing another page's entry runs that page, too. Parts of lazy parts aren't followed: they may be another page's. */
export function findPagesImportingOtherEntries(manifest: Manifest): { page: string; importedEntry: string }[] {
  const pages = Object.keys(manifest).filter((name) => manifest[name]?.isEntry)
  const collectImports = (names: string[]): Set<string> => {
    const reached = new Set(names)
    for (const name of reached) for (const imported of manifest[name]?.imports ?? []) reached.add(imported)
    return reached
  }
  return pages.flatMap((page) => {
    const parts = [...collectImports([page])].flatMap((name) => manifest[name]?.dynamicImports ?? [])
    const reached = collectImports([page, ...parts])
    return pages
      .filter((other) => other !== page && reached.has(other))
      .map((importedEntry) => ({ page, importedEntry }))
  })
}

const collectShellFiles = (manifest: Manifest) =>
  new Set(shellEntries.flatMap((name) => [...collectScripts(manifest, name)]))

const isPart = (manifest: Manifest, name: string) => manifest[name]?.isDynamicEntry && !developerFilePattern.test(name)

function collectScripts(
  manifest: Manifest,
  name: string,
  visited = new Set<string>(),
  files = new Set<string>(),
): Set<string> {
  const chunk = manifest[name]
  if (!chunk || visited.has(name)) return files
  visited.add(name)
  if (chunk.file.endsWith('.js')) files.add(chunk.file)
  for (const imported of chunk.imports ?? []) collectScripts(manifest, imported, visited, files)
  return files
}

/** The custom host page shares no file with the app: weighed as it opens, and with its chat. */
export function weighSite(manifest: Manifest, getSize: (file: string) => number): Weight[] {
  const chat = 'site/site-chat-page.tsx'
  const files = collectScripts(manifest, 'site.html')
  const filesWithChat = new Set([...files, ...collectScripts(manifest, chat)])
  const sumKilobytes = (chunkFiles: Set<string>) =>
    [...chunkFiles].reduce((totalBytes, file) => totalBytes + getSize(file), 0) / 1000
  return [
    { label: 'site.html', kilobytes: sumKilobytes(files), limit: 95 },
    { label: `site.html with ${chat}`, kilobytes: sumKilobytes(filesWithChat), limit: siteLimit },
  ]
}

export function readManifest(folder: string, name = 'manifest.json'): Manifest {
  return JSON.parse(readFileSync(join(folder, '.vite', name), 'utf8')) as Manifest
}

export function weighFolder(folder: string): Weight[] {
  const sizeCache = new Map<string, number>()
  const getSize = (file: string) => {
    const size = sizeCache.get(file) ?? gzipSync(readFileSync(join(folder, file)), { level: 9 }).length
    sizeCache.set(file, size)
    return size
  }
  return [...weigh(readManifest(folder), getSize), ...weighSite(readManifest(folder, 'manifest-site.json'), getSize)]
}

export type RecordedWeights = Record<string, number>
const recordFile = join(root, 'scripts/recorded-weights.json')

export function readRecordedWeights(): RecordedWeights {
  return existsSync(recordFile) ? (JSON.parse(readFileSync(recordFile, 'utf8')) as RecordedWeights) : {}
}

/** Smaller changes are noise, such as a longer name or a different chunk split. */
const minGrowth = 0.5

export function findGrown(weights: Weight[], recorded: RecordedWeights): string[] {
  return weights
    .map(({ label, kilobytes }) => ({
      label,
      kilobytes,
      growth: kilobytes - (recorded[label] ?? 0),
      isNew: !(label in recorded),
    }))
    .filter(({ growth }) => growth >= minGrowth)
    .toSorted((a, b) => b.growth - a.growth)
    .map(({ label, kilobytes, growth, isNew }) =>
      isNew
        ? `new, ${kilobytes.toFixed(1)} kB: ${label}`
        : `+${growth.toFixed(1)} to ${kilobytes.toFixed(1)} kB: ${label}`,
    )
}

if (isMain(import.meta)) {
  const weights = weighFolder(join(root, 'dist/web')).map(({ label, kilobytes }) => [
    label,
    Math.round(kilobytes * 10) / 10,
  ])
  writeFileSync(recordFile, `${JSON.stringify(Object.fromEntries(weights), null, 2)}\n`)
}
