import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { packAhead } from './build/pack-ahead.ts'

const ofApp = fileURLToPath(new URL('./vite.config.ts', import.meta.url))
const ofCustomHosts = fileURLToPath(new URL('./vite.site.config.ts', import.meta.url))

/** Writes dist/web: five pages, and everything they load under /assets/ with its hash in the name. */
export async function buildWeb(): Promise<void> {
  // The first one empties the folder.
  await build({ configFile: ofApp, logLevel: 'warn' })
  await build({ configFile: ofCustomHosts, logLevel: 'warn' })
  await packAhead(fileURLToPath(new URL('../dist/web', import.meta.url)))
}

if (import.meta.main) await buildWeb()
