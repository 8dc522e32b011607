import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { getPdfFilesPath } from '../library/pdf/pdf-files-path.ts'

const pdfjsFolder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
const pdfjsSubfolders = ['cmaps', 'standard_fonts', 'wasm']

/** Character maps, fonts and the picture decoder that pdf.js fetches on demand. The page policy allows no wasm. */
export function pdfFiles(): Plugin {
  const { version } = JSON.parse(readFileSync(join(pdfjsFolder, 'package.json'), 'utf8')) as { version: string }
  const base = getPdfFilesPath(version)
  const names = pdfjsSubfolders.flatMap((folder) =>
    readdirSync(join(pdfjsFolder, folder))
      .filter((name) => !name.endsWith('.wasm'))
      .map((name) => `${folder}/${name}`),
  )
  return {
    name: 'keeper-pdf-files',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const name = names.find((fileName) => request.url === `${base}${fileName}`)
        if (!name) return next()
        response.setHeader('Content-Type', name.endsWith('.js') ? 'text/javascript' : 'application/octet-stream')
        response.end(readFileSync(join(pdfjsFolder, name)))
      })
    },
    generateBundle() {
      for (const name of names)
        this.emitFile({
          type: 'asset',
          fileName: `${base}${name}`.slice(1),
          source: readFileSync(join(pdfjsFolder, name)),
        })
    },
  }
}

/** Writes /diagram.html, which is sandboxed, and its script; server/http/security-headers.ts has their headers. */
export function diagramPage(root: string): Plugin {
  return {
    name: 'keeper-diagram-page',
    apply: 'build',
    generateBundle() {
      const folder = join(root, 'agents/chat/diagram')
      const mermaid = fileURLToPath(import.meta.resolve('@mermaid-js/tiny'))
      const script = `${readFileSync(mermaid, 'utf8')}\n${readFileSync(join(folder, 'frame.js'), 'utf8')}`
      const fileName = `assets/diagram-${createHash('sha256').update(script).digest('hex').slice(0, 8)}.js`
      this.emitFile({ type: 'asset', fileName, source: script })
      const page = readFileSync(join(folder, 'frame.html'), 'utf8').replace('__SCRIPT__', `/${fileName}`)
      this.emitFile({ type: 'asset', fileName: 'diagram.html', source: page })
    },
  }
}
