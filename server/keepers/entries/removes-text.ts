const maxCorrectionLength = 20
const maxInsignificantLength = 3

type EntryFields = Record<string, unknown>

export function removesText(previous: EntryFields, updated: EntryFields): boolean {
  return Object.keys(previous).some((field) => {
    const text = toText(previous[field])
    const removedLength = countRemoved(text, toText(updated[field]))
    return (
      removedLength > maxCorrectionLength || (removedLength > maxInsignificantLength && removedLength * 2 > text.length)
    )
  })
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : ''
}

function countRemoved(text: string, updatedText: string): number {
  const maxLength = Math.min(text.length, updatedText.length)
  let start = 0
  while (start < maxLength && text[start] === updatedText[start]) start++
  let end = 0
  while (end < maxLength - start && text[text.length - 1 - end] === updatedText[updatedText.length - 1 - end]) end++
  return text.length - start - end
}
