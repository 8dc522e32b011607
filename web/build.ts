import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** Writes dist/web: four pages, and everything they load under /assets/ with its hash in the name. */
export async function buildWeb(): Promise<void> {
  await build({
    configFile: fileURLToPath(new URL('./vite.config.ts', import.meta.url)),
    logLevel: 'warn',
  })
}

if (import.meta.main) await buildWeb()
