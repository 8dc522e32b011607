import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

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
