import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import type { Plugin } from 'vite'
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

/** @returns texts by path */
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
  // Without one #, the section’s heading becomes the title.
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

/** Points links between served documents to their served addresses; replaces other repository links and pictures with their text. */
export function rewriteLinks(markdown: string, { source, section }: ServedDocument): string {
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  const from = posix.dirname(section?.path ?? `/${source}`)
  const edits: { start: number; end: number; text: string }[] = []
  const visit = (node: Nodes) => {
    if (node.type === 'link' || node.type === 'image') {
      const [start, end] = [node.position?.start.offset ?? 0, node.position?.end.offset ?? 0]
      const target = resolveTarget(node.url, source, from)
      const text = node.type === 'image' ? `(Picture: ${node.alt ?? ''})` : markdown.slice(...getInnerRange(node))
      if (target !== node.url || node.type === 'image')
        edits.push({ start, end, text: target === undefined || node.type === 'image' ? text : `[${text}](${target})` })
      return
    }
    if ('children' in node) for (const child of node.children) visit(child)
  }
  visit(tree)
  let result = markdown
  for (const { start, end, text } of edits.toReversed()) result = result.slice(0, start) + text + result.slice(end)
  return result
}

function getInnerRange({ children, position }: Extract<Nodes, { type: 'link' }>): [start: number, end: number] {
  const fallback = position?.start.offset ?? 0
  return [children[0]?.position?.start.offset ?? fallback, children.at(-1)?.position?.end.offset ?? fallback]
}

/** The address relative to the served document; undefined if its target isn't served. */
function resolveTarget(url: string, source: string, from: string): string | undefined {
  if (/^[a-z][a-z+.-]*:/i.test(url) || url.startsWith('#') || url.startsWith('/')) return url
  const [path = '', anchor] = url.split('#')
  const file = posix.join(posix.dirname(source), path)
  const document = servedDocuments.find((served) => served.source === file && hasAnchor(served, anchor))
  if (!document) return undefined
  const isWhole = document.section?.heading.toLowerCase() === anchor
  return posix.relative(from, getDocumentPath(document)) + (anchor === undefined || isWhole ? '' : `#${anchor}`)
}

const hasAnchor = ({ section }: ServedDocument, anchor: string | undefined) =>
  section === undefined || section.heading.toLowerCase() === anchor
