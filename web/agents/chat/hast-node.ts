export interface HastNode {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: HastNode[]
  /** Position in the source; generated nodes have none. */
  position?: { end: { offset?: number } }
}
