import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** Writes dist/web: five pages, and everything they load under /assets/ with its hash in the name. */
export async function buildWeb(): Promise<void> {
  for (const config of ['./vite.config.ts', './vite.site.config.ts']) {
    await build({ configFile: fileURLToPath(new URL(config, import.meta.url)), logLevel: 'warn' })
  }
}

if (import.meta.main) await buildWeb()
