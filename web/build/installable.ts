import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

interface ManifestTheme {
  slug: string
  light: { background: string }
  dark: { background: string }
}

export function installable(root: string): Plugin {
  const icons = join(root, 'themes/base/icons')
  const readThemeColors = () => {
    const { themes } = JSON.parse(readFileSync(join(root, '../contract/themes/tokens.json'), 'utf8')) as {
      themes: ManifestTheme[]
    }
    const theme = themes.find(({ slug }) => slug === 'keeper-classic')
    if (!theme)
      throw new Error('tokens.json no longer has the theme keeper-classic. Choose another one for the manifest.')
    return { light: theme.light.background, dark: theme.dark.background }
  }
  return {
    name: 'keeper-installable',
    apply: 'build',
    generateBundle() {
      for (const name of readdirSync(icons)) {
        this.emitFile({ type: 'asset', fileName: `icons/${name}`, source: readFileSync(join(icons, name)) })
      }
      this.emitFile({
        type: 'asset',
        fileName: 'manifest.webmanifest',
        source: JSON.stringify(buildManifest(readThemeColors().light), null, 1),
      })
    },
    transformIndexHtml(html) {
      const { light, dark } = readThemeColors()
      const tags = [
        '<link rel="manifest" href="/manifest.webmanifest" />',
        '<link rel="apple-touch-icon" href="/icons/icon-192.png" />',
        `<meta name="theme-color" content="${light}" media="(prefers-color-scheme: light)" />`,
        `<meta name="theme-color" content="${dark}" media="(prefers-color-scheme: dark)" />`,
      ]
      return html.replace('</title>', () => `</title>\n    ${tags.join('\n    ')}`)
    },
  }
}

const buildManifest = (background: string) => ({
  id: '/root',
  name: 'Keeper',
  short_name: 'Keeper',
  description: 'Keep what is worth keeping, with AI agents that know it.',
  lang: 'en',
  start_url: '/root',
  scope: '/',
  display: 'standalone',
  background_color: background,
  theme_color: background,
  icons: [
    { src: '/icon.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'any' },
    { src: '/icons/icon-192.png', type: 'image/png', sizes: '192x192', purpose: 'any' },
    { src: '/icons/icon-512.png', type: 'image/png', sizes: '512x512', purpose: 'any' },
    { src: '/icons/icon-maskable-512.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
  ],
  shortcuts: [
    { name: 'Write a reflection', url: '/keeper/1/reflection-journal' },
    { name: 'Catch a moment', url: '/keeper/1/moments' },
  ],
})

/**
 * A page under the service worker gets its scripts from the cache one after the other, as it imports them: requesting
 * 60 of them at once blocked a phone for 150 to 300 ms.
 */
export function preloadWithoutServiceWorker(): Plugin {
  const lineForEachDependency = 'depString = assetsURL(depString, importerUrl);'
  let isPatched = false
  return {
    name: 'keeper-preload-without-service-worker',
    apply: 'build',
    transform: {
      filter: { id: /vite\/preload-helper/ },
      handler(code, id) {
        if (!code.includes(lineForEachDependency))
          this.error(`${id} preloads in another way. Check the patch in installable.ts.`)
        isPatched = true
        return code.replace(
          lineForEachDependency,
          'if (navigator.serviceWorker?.controller && !depString.endsWith(".css")) return; $&',
        )
      },
    },
    generateBundle() {
      if (!isPatched) this.error('No module is named vite/preload-helper any more. Check the patch in installable.ts.')
    },
  }
}

/** Larger files, subfolders of assets/, rarely used fonts and the HEIC decoder are fetched on demand. */
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
