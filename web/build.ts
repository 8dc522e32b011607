import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { planFiles } from './build/cut-by-imports.ts'
import { precompressFiles } from './build/precompress.ts'

const ofApp = fileURLToPath(new URL('./vite.config.ts', import.meta.url))
const ofCustomHosts = fileURLToPath(new URL('./vite.site.config.ts', import.meta.url))

export async function buildWeb(): Promise<void> {
  const plan = await planFiles(ofApp, fileURLToPath(new URL('.', import.meta.url)))
  const together = {
    debugName: 'planned chunks',
    name: (id: string) => plan.get(id),
    test: (id: string) => plan.has(id),
  }
  // The first build empties the folder.
  await build({
    configFile: ofApp,
    logLevel: 'warn',
    build: {
      rolldownOptions: { output: { codeSplitting: { includeDependenciesRecursively: false, groups: [together] } } },
    },
  })
  await build({ configFile: ofCustomHosts, logLevel: 'warn' })
  await precompressFiles(fileURLToPath(new URL('../dist/web', import.meta.url)))
}

if (import.meta.main) await buildWeb()
