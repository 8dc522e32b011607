import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { rewriteLinks } from './rewrite-links.ts'
import { documentGroups, getDocumentPath, llmsPath, type ServedDocument, servedDocuments } from './served-documents.ts'

/** Adds /llms.txt (llmstxt.org) and the documents that it lists to the build. */
export function documents(root: string): Plugin {
  return {
    name: 'keeper-documents',
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const text = renderDocuments(join(root, '..')).get(request.url ?? '')
        if (text === undefined) return next()
        response.setHeader(
          'content-type',
          request.url === llmsPath ? 'text/plain; charset=utf-8' : 'text/markdown; charset=utf-8',
        )
        response.end(text)
      })
    },
    generateBundle() {
      for (const [path, text] of renderDocuments(join(root, '..')))
        this.emitFile({ type: 'asset', fileName: path.slice(1), source: text })
    },
  }
}

/** By path. */
export function renderDocuments(repository: string): Map<string, string> {
  const files = new Map([[llmsPath, renderLlms()]])
  for (const document of servedDocuments)
    files.set(getDocumentPath(document), rewriteLinks(readDocument(repository, document), document))
  return files
}

function readDocument(repository: string, { source, section }: ServedDocument): string {
  const text = readFileSync(join(repository, source), 'utf8')
  if (!section) return text
  const start = text.indexOf(`\n## ${section.heading}\n`) + 1
  if (start === 0) throw new Error(`${source} no longer has the section ${section.heading}.`)
  const end = text.indexOf('\n## ', start)
  return `${text.slice(start + 1, end < 0 ? undefined : end).trim()}\n`
}

const introduction = `# Keeper

> A self-hosted journal and memory: people write moments and reflections, approve what stays, and let AI agents and other programs use it by consent.

This server is one Keeper. These documents say how it works; nothing that people wrote is in them. To read someone's memory, connect with
their consent: over MCP at \`/mcp\`, or with an access token they created. A program never writes memory, it proposes; the person approves.`

const callsSection = `- [API reference](/api): every call, to read and to try
- [OpenAPI document](/api/openapi.json): the same for programs, OpenAPI 3.1`

function renderLlms(): string {
  const sections = documentGroups.map(({ heading, documents: listed }, index) => {
    const lines = listed.map(
      (document) => `- [${document.title}](${getDocumentPath(document)}): ${document.description}`,
    )
    return [`## ${heading}\n`, ...lines, ...(index === 0 ? [callsSection] : [])].join('\n')
  })
  return `${[introduction, ...sections].join('\n\n')}\n`
}
