import { isSafeAddress } from './link-address.ts'
import { isFlowParent, type MdastNode, visitNodes } from './mdast-node.ts'
import type { TextRules } from './text-author.ts'

/**
 * Markdown hides `[Anna]: hello` as the address of a link. In text of a person it stays text, unless it has an address
 * that something refers to; so does a footnote without a reference.
 */
export function showTypedDefinitions({ rules }: { rules: TextRules }) {
  return (tree: MdastNode, file: { value: unknown }) => {
    if (!rules.typedDefinitions) return
    const source = String(file.value)
    const references = new Set<string>()
    const footnotes = new Set<string>()
    const addresses = new Set<string>()
    visitNodes(tree, ({ type, identifier = '', url = '' }) => {
      if (type === 'definition' && isSafeAddress(url, rules)) addresses.add(identifier)
      if (type === 'linkReference' || type === 'imageReference') references.add(identifier)
      if (type === 'footnoteReference') footnotes.add(identifier)
    })
    const getSource = ({ position }: MdastNode) => source.slice(position?.start.offset, position?.end.offset)
    visitNodes(tree, (node) => {
      const typedLines = new Set<MdastNode>()
      node.children &&= node.children.flatMap((child): MdastNode[] => {
        const { type, identifier = '', position } = child
        const isAddress = addresses.has(identifier)
        if (type === 'linkReference' && !isAddress) return [{ type: 'text', value: getSource(child), position }]
        if (!isFlowParent(node)) return [child]
        if (type === 'definition' && !(isAddress && references.has(identifier)) && !isComment(child))
          return [
            addTo(typedLines, { type: 'paragraph', children: [{ type: 'text', value: getSource(child) }], position }),
          ]
        if (type === 'footnoteDefinition' && !footnotes.has(identifier)) return showFootnote(child)
        return [child]
      })
      if (typedLines.size > 0) node.children = joinTypedLines(node.children ?? [], typedLines)
    })
  }
}

function addTo(typedLines: Set<MdastNode>, node: MdastNode): MdastNode {
  typedLines.add(node)
  return node
}

/** A paragraph goes on below a line that was taken for a definition. */
function joinTypedLines(nodes: MdastNode[], typedLines: ReadonlySet<MdastNode>): MdastNode[] {
  const joined: MdastNode[] = []
  let previous: MdastNode | undefined
  for (const node of nodes) {
    const isNextLine = previous?.position?.end.line === (node.position?.start.line ?? 0) - 1
    const last = joined.at(-1)
    if (previous && typedLines.has(previous) && isNextLine && node.type === 'paragraph' && last)
      last.children = [...(last.children ?? []), { type: 'break' }, ...(node.children ?? [])]
    else joined.push(node)
    previous = node
  }
  return joined
}

/** `[//]: # (…)` is how people hide notes from all renderers. */
const isComment = ({ url, label }: MdastNode) => label === '//' || url === '#' || url === ''

function showFootnote({ label, children = [] }: MdastNode): MdastNode[] {
  const [first, ...others] = children
  const mark: MdastNode = { type: 'text', value: `[^${label}]: ` }
  if (first?.type !== 'paragraph') return [{ type: 'paragraph', children: [mark] }, ...children]
  return [{ ...first, children: [mark, ...(first.children ?? [])] }, ...others]
}
