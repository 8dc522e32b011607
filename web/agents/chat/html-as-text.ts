interface MdastNode {
  type: string
  value?: string
  children?: MdastNode[]
  position?: unknown
}

/** HTML in an answer is shown as it was written: neither carried out nor swallowed. */
export function htmlAsText() {
  return (tree: MdastNode) => showHtml(tree)
}

function showHtml(node: MdastNode): void {
  node.children = node.children?.map((child) => {
    showHtml(child)
    if (child.type !== 'html') return child
    const text = { type: 'text', value: child.value ?? '' }
    const isBlock = node.type === 'root' || node.type === 'blockquote' || node.type === 'listItem'
    return isBlock ? { type: 'paragraph', children: [text], position: child.position } : text
  })
}
