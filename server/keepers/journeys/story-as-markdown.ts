import type { StoryBlock } from './create-story.ts'
import { toMarkdownLine, toMarkdownQuote } from './story-text.ts'

export function renderStoryMarkdown(blocks: readonly StoryBlock[]): string {
  const lines = blocks.map((block, index) => {
    const next = blocks[index + 1]
    const text = renderBlock(block)
    return block.kind === 'item' && next?.kind === 'item' ? text : `${text}\n`
  })
  return lines.join('\n')
}

function renderBlock(block: StoryBlock): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${toMarkdownLine(block.text)}`
    case 'line':
      return `_${toMarkdownLine(block.text)}_`
    case 'item':
      return `- ${toMarkdownLine(block.text)}`
    case 'paragraphs':
      return toMarkdownQuote(block.text)
    case 'moment': {
      const heading = [`**${toMarkdownLine(block.day)}**`, block.title && toMarkdownLine(block.title)]
      return [
        heading.filter(Boolean).join(' · '),
        ...(block.text.trim() ? ['', toMarkdownQuote(block.text)] : []),
      ].join('\n')
    }
  }
}
