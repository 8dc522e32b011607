/** The item at the caret in a comma-separated list: its range, and its text up to the caret. */
export function getListItemAt(text: string, caret: number): { typed: string; from: number; to: number } {
  const from = text.lastIndexOf(',', caret - 1) + 1
  const nextComma = text.indexOf(',', caret)
  return { typed: text.slice(from, caret).trim(), from, to: nextComma < 0 ? text.length : nextComma }
}

/** Replaces the item at the caret with `name`, and adds a comma after it. */
export function replaceListItem(text: string, caret: number, name: string): { text: string; caret: number } {
  const { from, to } = getListItemAt(text, caret)
  const textBefore = text.slice(0, from) + (from === 0 ? '' : ' ') + name
  const textAfter = text.slice(to).replace(/^,\s*/, '')
  return { text: `${textBefore}, ${textAfter}`, caret: textBefore.length + 2 }
}
