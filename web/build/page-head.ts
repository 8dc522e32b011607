import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { normalizePath, type Plugin, type Rolldown } from 'vite'

const rootFiles: Record<string, { source: string; type: string }> = {
  'theme.js': { source: 'themes/base/theme.js', type: 'text/javascript' },
  'icon.svg': { source: 'themes/base/icon.svg', type: 'image/svg+xml' },
}

const preloadedFonts = [/newsreader-latin-opsz-normal-[^.]+\.woff2$/, /hanken-grotesk-latin-wght-normal-[^.]+\.woff2$/]

export function pageHead(root: string): Plugin {
  const { version } = JSON.parse(readFileSync(join(root, '../package.json'), 'utf8')) as { version: string }
  const readRootFile = (name: string) => readFileSync(join(root, rootFiles[name]?.source ?? name), 'utf8')
  return {
    name: 'keeper-page-head',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const name = (request.url ?? '').slice(1)
        const file = rootFiles[name]
        if (!file) return next()
        response.setHeader('Content-Type', file.type)
        response.end(readRootFile(name))
      })
    },
    generateBundle() {
      for (const name of Object.keys(rootFiles)) {
        this.emitFile({ type: 'asset', fileName: name, source: readRootFile(name) })
      }
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {}, path }) {
        const fonts = Object.keys(bundle).filter((file) => preloadedFonts.some((font) => font.test(file)))
        const fontTags = fonts.map(
          (file) => `<link rel="preload" as="font" type="font/woff2" href="/${file}" crossorigin />`,
        )
        const tags = [
          // A script after a stylesheet would wait for it.
          '<script src="/theme.js"></script>',
          '<link rel="icon" type="image/svg+xml" href="/icon.svg" />',
          `<meta name="keeper-version" content="${version}" />`,
        ]
        if (path !== '/index.html') tags.push(...fontTags)
        const withTags = html.replace('<title>', () => `${tags.join('\n    ')}\n    <title>`)
        if (path !== '/index.html') return withTags
        // The first script would request the shell only after running, and before that there is no text to show.
        const shellTags = collectFiles(bundle, `${normalizePath(root)}/shell/app-shell.tsx`)
          .filter((file) => !html.includes(file))
          .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`)
        const laterTags = [...shellTags, ...fontTags].map((tag) => tag.replace('<link', '<link fetchpriority="low"'))
        return withTags.replace('</head>', () => `  ${laterTags.join('\n    ')}\n  </head>`)
      },
    },
  }
}

/** The files of a lazily imported module and everything that it imports. */
function collectFiles(bundle: Rolldown.OutputBundle, module: string): string[] {
  const files = Object.values(bundle).flatMap((output) =>
    output.type === 'chunk' && output.facadeModuleId && normalizePath(output.facadeModuleId) === module
      ? [output.fileName]
      : [],
  )
  const collected = new Set(files)
  for (const file of collected) {
    const output = bundle[file]
    if (output?.type === 'chunk') for (const imported of output.imports) collected.add(imported)
  }
  return [...collected]
}
