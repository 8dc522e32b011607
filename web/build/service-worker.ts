import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** Larger files, folders of side files, rarely used fonts and the HEIC decoder are fetched on demand. */
const maxPrecachedBytes = 600_000
const rarelyNeededPattern = /-latin-ext-|^KaTeX_(?!Main-Regular|Math-Italic|Size)|^heic-worker-|^hevc-decode-/
const rootFiles = ['index.html', 'theme.js', 'icon.svg', 'manifest.webmanifest']

/** With KEEPER_SERVICE_WORKER=off, writes a worker that removes itself and its caches from every browser. */
export function serviceWorker(root: string): Plugin {
  return {
    name: 'keeper-service-worker',
    apply: 'build',
    // Runs after all other files are written.
    writeBundle: {
      order: 'post',
      handler({ dir = '' }) {
        const isDisabled = process.env.KEEPER_SERVICE_WORKER === 'off'
        const source = readFileSync(
          join(root, isDisabled ? 'offline/unregister-service-worker.js' : 'offline/service-worker.js'),
          'utf8',
        )
        writeFileSync(join(dir, 'sw.js'), isDisabled ? source : fillPlaceholders(source, dir))
      },
    },
  }
}

function fillPlaceholders(source: string, dir: string): string {
  const assets = readdirSync(join(dir, 'assets'), { withFileTypes: true })
    .filter((entry) => entry.isFile() && !rarelyNeededPattern.test(entry.name))
    .map(({ name }) => `assets/${name}`)
    .filter((file) => statSync(join(dir, file)).size <= maxPrecachedBytes)
  const files = [...rootFiles.filter((name) => existsSync(join(dir, name))), ...assets].toSorted()
  const version = createHash('sha256').update(source)
  for (const file of files) version.update(file).update(readFileSync(join(dir, file)))
  return source
    .replace('__VERSION__', version.digest('hex').slice(0, 16))
    .replace('__FILES__', () => JSON.stringify(files.map((file) => `/${file}`)))
}
