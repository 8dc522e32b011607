import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { planFiles } from './plan-files.ts'
import { precompressFiles } from './precompress.ts'

const appConfigFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url))
const siteConfigFile = fileURLToPath(new URL('../vite.site.config.ts', import.meta.url))

export type BuildStep = 'plan' | 'app' | 'site' | 'compress'

const [step, outDir = ''] = process.argv.slice(2) as [BuildStep, string]
const planFile = `${outDir}.plan.json`

const runSteps: Record<BuildStep, () => Promise<unknown>> = {
  async plan() {
    const plan = await planFiles(appConfigFile, fileURLToPath(new URL('..', import.meta.url)))
    writeFileSync(planFile, JSON.stringify([...plan]))
  },
  async app() {
    const plan = new Map(JSON.parse(readFileSync(planFile, 'utf8')) as [module: string, file: string][])
    rmSync(planFile)
    const plannedGroup = {
      debugName: 'planned chunks',
      name: (id: string) => plan.get(id),
      test: (id: string) => plan.has(id),
    }
    await build({
      configFile: appConfigFile,
      logLevel: 'warn',
      build: {
        outDir,
        rolldownOptions: {
          output: { codeSplitting: { includeDependenciesRecursively: false, groups: [plannedGroup] } },
        },
      },
    })
  },
  site: () => build({ configFile: siteConfigFile, logLevel: 'warn', build: { outDir } }),
  compress: () => precompressFiles(outDir),
}

await runSteps[step]()
