import type { StoryBlock } from './create-story.ts'

const storyStyles = `
  @page { margin: 20mm 18mm }
  body { margin: 0 auto; max-width: 42rem; padding: 3rem 1.25rem; font: 18px/1.55 Newsreader, Georgia, serif; color: #1f242d; background: #fff }
  h1, h2, h3 { font-weight: 500; line-height: 1.25; break-after: avoid }
  h1 { font-size: 2.1rem } h2 { margin-top: 2.5rem; font-size: 1.5rem } h3 { margin-top: 1.75rem; font-size: 1.15rem }
  p { margin: .6rem 0; white-space: pre-wrap; overflow-wrap: anywhere }
  .meta { color: #5b5f66; font: 14px/1.5 system-ui, sans-serif }
  article { margin: 1rem 0; padding-left: 1rem; border-left: 2px solid #c28a2a; break-inside: avoid }
  @media print { body { max-width: none; padding: 0; font-size: 11pt; color: #000 } }`

/** A self-contained page to keep and print; all content is escaped. */
export function renderStoryHtml(title: string, blocks: readonly StoryBlock[]): string {
  const body = blocks.map((block, index) => {
    const startsList = block.kind === 'item' && blocks[index - 1]?.kind !== 'item'
    const endsList = block.kind === 'item' && blocks[index + 1]?.kind !== 'item'
    return `${startsList ? '<ul>\n' : ''}${renderBlock(block)}${endsList ? '\n</ul>' : ''}`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${storyStyles}
</style>
</head>
<body>
${body.join('\n')}
</body>
</html>
`
}

function renderBlock(block: StoryBlock): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}>${escapeHtml(block.text)}</h${block.level}>`
    case 'line':
      return `<p class="meta">${escapeHtml(block.text)}</p>`
    case 'item':
      return `<li>${escapeHtml(block.text)}</li>`
    case 'paragraphs':
      return renderParagraphs(block.text)
    case 'moment': {
      const heading = [block.day, block.title].filter(Boolean).join(' · ')
      return `<article>\n<p class="meta">${escapeHtml(heading)}</p>\n${renderParagraphs(block.text)}\n</article>`
    }
  }
}

const renderParagraphs = (text: string) =>
  text
    .trim()
    .split(/(?:\r?\n){2,}/)
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`)
    .join('\n')

const entityByCharacter: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (char) => entityByCharacter[char] ?? char)
