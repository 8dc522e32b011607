import type { HastNode } from './hast-node.ts'

const unsplitTags = ['code', 'pre', 'a']

export function addNoteMarks(numbers: number[]) {
  return () => (tree: HastNode) => markNode(tree, numbers)
}

function markNode(node: HastNode, numbers: number[]): void {
  if (!node.children || unsplitTags.includes(node.tagName ?? '')) return
  node.children = node.children.flatMap((child) => {
    if (child.type === 'text') return markText(child.value ?? '', numbers)
    markNode(child, numbers)
    return child
  })
}

function markText(text: string, numbers: number[]): HastNode[] {
  return text.split(/(\[\d{1,3}\])/).flatMap((part): HastNode[] => {
    const n = Number(/^\[(\d+)\]$/.exec(part)?.[1])
    if (numbers.includes(n)) {
      const value = { type: 'text', value: String(n) }
      return [{ type: 'element', tagName: 'sup', properties: { dataNote: String(n) }, children: [value] }]
    }
    return part === '' ? [] : [{ type: 'text', value: part }]
  })
}
