/** The comma-separated entry at the caret, with its bounds. */
export function entryAt(text: string, caret: number): { typed: string; from: number; to: number } {
  const from = text.lastIndexOf(',', caret - 1) + 1
  const comma = text.indexOf(',', caret)
  return { typed: text.slice(from, caret).trim(), from, to: comma < 0 ? text.length : comma }
}

/** Replaces the entry at the caret and moves the caret behind it. */
export function withEntry(text: string, caret: number, name: string): { text: string; caret: number } {
  const { from, to } = entryAt(text, caret)
  const before = text.slice(0, from) + (from === 0 ? '' : ' ') + name
  const after = text.slice(to).replace(/^,\s*/, '')
  return { text: `${before}, ${after}`, caret: before.length + 2 }
}
