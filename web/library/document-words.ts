const units = ['Bytes', 'KB', 'MB', 'GB'] as const

/** '0 Bytes', '42.70 KB', '1.24 MB'; steps of 1024. */
export function formatSize(bytes: number): string {
  let value = bytes
  let unit = 0
  // By what will be written: 1,048,575 bytes are '1.00 MB', not '1024.00 KB'.
  while (unit < units.length - 1 && (unit === 0 ? value >= 1024 : Number(value.toFixed(2)) >= 1024)) {
    value /= 1024
    unit++
  }
  return `${unit === 0 ? value : value.toFixed(2)} ${units[unit]}`
}

/** As typed into one box: split on commas, trimmed, empties dropped, each once. */
export function tagsOf(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim())
  return [...new Set(tags)].filter((tag) => tag !== '')
}

const tagsOnCard = 3

export function tagsOnCardOf(tags: readonly string[]): { shown: readonly string[]; more: string } {
  const hidden = tags.length - tagsOnCard
  return { shown: tags.slice(0, tagsOnCard), more: hidden > 0 ? `+${hidden} more` : '' }
}

export function howManyDocuments(count: number): string {
  return count === 1 ? '1 document' : `${count.toLocaleString('en-US')} documents`
}
