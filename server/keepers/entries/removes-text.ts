/** More than a correction. */
const maxCorrection = 20
/** Less than a word. */
const maxInsignificant = 3

type EntryFields = Record<string, unknown>

/** Whether a save removes text worth keeping: a line of a text, or most of a short one. */
export function removesText(previous: EntryFields, updated: EntryFields): boolean {
  return Object.keys(previous).some((field) => {
    const text = toText(previous[field])
    const lost = countRemoved(text, toText(updated[field]))
    return lost > maxCorrection || (lost > maxInsignificant && lost * 2 > text.length)
  })
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : ''
}

/** Characters between the common prefix and suffix. */
function countRemoved(text: string, later: string): number {
  const maxLength = Math.min(text.length, later.length)
  let start = 0
  while (start < maxLength && text[start] === later[start]) start++
  let end = 0
  while (end < maxLength - start && text[text.length - 1 - end] === later[later.length - 1 - end]) end++
  return text.length - start - end
}
