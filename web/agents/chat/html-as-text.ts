interface MdastNode {
  type: string
  value?: string
  children?: MdastNode[]
  position?: unknown
}

const breakTag = /<br *\/?>/i

/** Shows HTML as text. `<br>` and, except in CommonMark documents, line ends become line breaks. */
export function convertHtmlToText({ commonMark }: { commonMark: boolean }) {
  return (tree: MdastNode) => convertChildren(tree, commonMark)
}

function convertChildren(node: MdastNode, commonMark: boolean): void {
  node.children &&= node.children.flatMap((child) => {
    convertChildren(child, commonMark)
    const { type, value = '', position } = child
    if (type === 'text') return commonMark ? child : toTextWithBreaks(value, /\n/)
    if (type !== 'html') return child
    const isBlock = node.type === 'root' || node.type === 'blockquote' || node.type === 'listItem'
    const textNodes = toTextWithBreaks(value, commonMark ? breakTag : /<br *\/?>|\n/i)
    return isBlock ? { type: 'paragraph', children: textNodes, position } : textNodes
  })
}

function toTextWithBreaks(text: string, separator: RegExp): MdastNode[] {
  return text
    .split(separator)
    .flatMap((part, index) => [
      ...(index > 0 ? [{ type: 'break' }] : []),
      ...(part === '' ? [] : [{ type: 'text', value: part }]),
    ])
}
