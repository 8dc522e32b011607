import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { planFiles } from './plan-files.ts'
import { precompressFiles } from './precompress.ts'

const appConfigFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url))
const siteConfigFile = fileURLToPath(new URL('../vite.site.config.ts', import.meta.url))

export async function buildWeb(): Promise<void> {
  const plan = await planFiles(appConfigFile, fileURLToPath(new URL('..', import.meta.url)))
  const plannedGroup = {
    debugName: 'planned chunks',
    name: (id: string) => plan.get(id),
    test: (id: string) => plan.has(id),
  }
  // The first build empties the folder.
  await build({
    configFile: appConfigFile,
    logLevel: 'warn',
    build: {
      rolldownOptions: { output: { codeSplitting: { includeDependenciesRecursively: false, groups: [plannedGroup] } } },
    },
  })
  await build({ configFile: siteConfigFile, logLevel: 'warn' })
  await precompressFiles(fileURLToPath(new URL('../../dist/web', import.meta.url)))
}

if (import.meta.main) await buildWeb()
