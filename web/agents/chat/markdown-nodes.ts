export interface HastNode {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: HastNode[]
  /** Position in the source; generated nodes have none. */
  position?: { end: { offset?: number } }
}

interface Point {
  line?: number
  offset?: number
}

export interface MdastNode {
  type: string
  value?: string
  url?: string
  alt?: string
  depth?: number
  identifier?: string
  label?: string | null
  data?: { hName?: string; hProperties?: Record<string, unknown>; hChildren?: unknown[] } | undefined
  children?: MdastNode[]
  position?: { start: Point; end: Point }
}

/** Nodes whose children are blocks. */
export const isFlowParent = ({ type }: MdastNode) =>
  ['root', 'blockquote', 'listItem', 'footnoteDefinition'].includes(type)

export function visitNodes(node: MdastNode, visit: (node: MdastNode) => void): void {
  visit(node)
  for (const child of node.children ?? []) visitNodes(child, visit)
}
