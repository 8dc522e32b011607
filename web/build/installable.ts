import { readdirSync, readFileSync } from 'node:fs'
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
