/** A node of the tree that Markdown becomes before it is shown, as far as we touch it. */
export interface HastNode {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: HastNode[]
  /** Where it stands in the text; what Markdown adds of its own stands nowhere. */
  position?: { end: { offset?: number } }
}
