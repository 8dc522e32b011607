const maxCorrection = 20
const maxInsignificant = 3

type EntryFields = Record<string, unknown>

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

function countRemoved(text: string, later: string): number {
  const maxLength = Math.min(text.length, later.length)
  let start = 0
  while (start < maxLength && text[start] === later[start]) start++
  let end = 0
  while (end < maxLength - start && text[text.length - 1 - end] === later[later.length - 1 - end]) end++
  return text.length - start - end
}
