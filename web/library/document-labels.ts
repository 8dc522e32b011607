import { pluralize } from '#web/ui/text/pluralize.ts'

export function parseTags(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim())
  return [...new Set(tags)].filter((tag) => tag !== '')
}

const maxCardTags = 3

export function getCardTags(tags: readonly string[]): { visible: readonly string[]; more: string } {
  const hidden = tags.length - maxCardTags
  return { visible: tags.slice(0, maxCardTags), more: hidden > 0 ? `+${hidden} more` : '' }
}

export function formatDocumentCount(count: number): string {
  return pluralize(count, 'document')
}
