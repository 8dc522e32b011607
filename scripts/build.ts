import { isMain } from '#server/start/require-node.ts'
import { servedDocuments } from '../web/build/documents/served-documents.ts'
import { checkBuildMemory } from './build-memory.ts'
import { runBuildProcess } from './build-process.ts'
import { buildIfStale, isFresh, root } from './fingerprint.ts'

const lock = 'package-lock.json'

const pagesTarget = {
  output: 'dist/web',
  stamp: 'dist/.web-stamp',
  inputs: ['web', 'contract', ...new Set(servedDocuments.map(({ source }) => source)), lock],
  variables: ['KEEPER_SERVICE_WORKER'],
}
/** Bundled with the server, for releases. */
const commandSources = [
  'keeper',
  'admin',
  'backup',
  'restore',
  'mcp',
  'open-services',
  'working-folder',
  'fingerprint',
  'build-server',
].map((name) => `scripts/${name}.ts`)
const serverTarget = {
  output: 'dist/server',
  stamp: 'dist/.server-stamp',
  inputs: ['server', 'contract', ...commandSources, lock],
}

/**
 * Builds the pages and the server, each only if its inputs changed. A build that fails leaves the previous one.
 * @param options.onLittleMemory gets a sentence if the machine has less memory than building the pages needs; can throw
 */
export async function buildIfChanged({ onLittleMemory = console.warn } = {}): Promise<void> {
  if (!isFresh(pagesTarget)) {
    const shortage = checkBuildMemory()
    if (shortage) onLittleMemory(shortage)
  }
  await reportBuild('pages', buildIfStale(pagesTarget, buildPages))
  await buildServerIfChanged()
}

export const buildServerIfChanged = () => reportBuild('server', buildIfStale(serverTarget, bundle))

async function buildPages(directory: string) {
  console.log('Building the pages, which takes one to five minutes…')
  const { buildWeb } = await import('../web/build/build-web.ts')
  await buildWeb(directory, (line) => console.log(`  ${line}`))
}

async function bundle(directory: string) {
  console.log('Building the server, which takes a few seconds…')
  await runBuildProcess('server', 'scripts/build-server.ts', [directory])
}

async function reportBuild(target: string, built: Promise<number | undefined>) {
  const milliseconds = await built
  if (milliseconds !== undefined) console.log(`Built the ${target} in ${(milliseconds / 1000).toFixed(1)} s.`)
}

if (isMain(import.meta)) {
  process.chdir(root)
  await buildIfChanged()
}
