import { markdownLine, markdownQuote } from './story-words.ts'
import type { StoryBlock } from './tell-story.ts'

export function storyAsMarkdown(blocks: readonly StoryBlock[]): string {
  const lines = blocks.map((block, at) => {
    const next = blocks[at + 1]
    const text = asMarkdown(block)
    // Adjacent items form one list.
    return block.kind === 'item' && next?.kind === 'item' ? text : `${text}\n`
  })
  return lines.join('\n')
}

function asMarkdown(block: StoryBlock): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${markdownLine(block.text)}`
    case 'line':
      return `_${markdownLine(block.text)}_`
    case 'item':
      return `- ${markdownLine(block.text)}`
    case 'words':
      return markdownQuote(block.text)
    case 'moment': {
      const head = [`**${markdownLine(block.day)}**`, block.title && markdownLine(block.title)]
      return [head.filter(Boolean).join(' · '), ...(block.text.trim() ? ['', markdownQuote(block.text)] : [])].join(
        '\n',
      )
    }
  }
}
