import { relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, normalizePath, type Rolldown } from 'vite'
import { type InputChunk, planChunks } from './plan-chunks.ts'
import { documentLimits, getPartLimit, shellEntries } from './weight-limits.ts'

/** The share of each limit that stays free: sizes after a merge are estimates, and usually a little too low. */
const reserveShare = 0.1
// These values were found by experiment.
/** The bytes that one saved request is worth. A higher value joins rarely shared files, a lower one gives pages more files. */
const requestBytes = 3000
/** The bytes that merging two files saves: half of what was measured in the shell. Lets a page at its limit take tiny files. */
const mergeBytes = 80
/** The share of parts that makes a file common; half of it is enough for files of at most `tinyBytes`. */
const commonPartShare = 0.41
const tinyBytes = 330
/** Helpers of the bundler and Vite, and style sheets, which stay separate files. */
const excludedModules = /^\0|\.css$/

/** Builds without writing, split by importers, and plans which modules to join. Maps each module to its file name. */
export async function planFiles(configFile: string, root: string): Promise<Map<string, string>> {
  const buildOutput = await build({ configFile, logLevel: 'warn', build: { write: false } })
  const chunks = (Array.isArray(buildOutput) ? buildOutput : [buildOutput])
    .flatMap((result) => ('output' in result ? result.output : []))
    .filter((output): output is Rolldown.OutputChunk => output.type === 'chunk')
  const getSource = ({ facadeModuleId }: Rolldown.OutputChunk) =>
    facadeModuleId ? normalizePath(relative(root, facadeModuleId)) : ''
  const fileBySource = new Map(chunks.map((chunk) => [getSource(chunk), chunk.fileName]))
  const sources = new Map(chunks.map((chunk) => [chunk.fileName, getSource(chunk)]))
  const getChunkFiles = (paths: string[]) => paths.map((path) => fileBySource.get(path) ?? failUnknownPage(path))
  return planChunks(chunks.map(toInputChunk), {
    documents: getChunkFiles([...Object.keys(documentLimits), ...shellEntries]),
    base: getChunkFiles(shellEntries),
    commonPartShare,
    tinyBytes,
    requestBytes,
    mergeBytes,
    getLimit: (file) => getPartLimit(sources.get(file) ?? '') * (1 - reserveShare) * 1000,
  })
}

function toInputChunk(chunk: Rolldown.OutputChunk): InputChunk {
  const modules = Object.keys(chunk.modules)
  return {
    file: chunk.fileName,
    name: chunk.name,
    isEntry: chunk.isEntry || chunk.isDynamicEntry || modules.every((module) => excludedModules.test(module)),
    imports: chunk.imports,
    dynamicImports: chunk.dynamicImports,
    modules: modules.filter((module) => !excludedModules.test(module)),
    bytes: gzipSync(chunk.code).length,
  }
}

function failUnknownPage(path: string): never {
  throw new Error(`${path} is not a page of this build: web/build/weight-limits.ts`)
}
