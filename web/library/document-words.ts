import { counted } from '#web/ui/counted.ts'

/** Splits on commas, trims, drops empty tags and duplicates. */
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
  return counted(count, 'document')
}
