import { posix } from 'node:path'
import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { getDocumentPath, type ServedDocument, servedDocuments } from './served-documents.ts'

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
