import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { PlainText } from '#web/ui/text/written-text.tsx'
import { isUnmarkedText } from './agent-text.tsx'
import MarkdownText from './chat/markdown-text.tsx'

/** Line breaks and the classes that keep them are the only intended difference. */
const normalizeHtml = (html: string) =>
  html
    .replaceAll('<br/>', '')
    .replaceAll(/ class="[^"]*"/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('> <', '><')
    .replaceAll(' </p>', '</p>')
    .replaceAll('<p> ', '<p>')

const parts = [
  'The ferry',
  ' ',
  '  ',
  '\n',
  '\n\n',
  '-',
  '--',
  '---',
  '1',
  '1.',
  '2)',
  '.',
  ':',
  '(a)',
  'www.',
  'Été',
  '“x”',
  '…',
  '%',
  'mailto:',
  'a',
  '\n1. ',
  '\n- ',
  '    ',
  '漢字',
  '🛳',
  '😀',
  "'",
  '"',
]
const dangerousParts = ['*', '_', '#', '`', '[', ']', '<', '>', '&', '\\', '~', '|', '$', '=', '+', '/', '@', '!', '\t']

it('unmarked text renders as Markdown would render it', () => {
  let seed = 7
  const random = (limit: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % limit
  }
  let unmarkedCount = 0
  for (let round = 0; round < 3000; round++) {
    const text = Array.from({ length: 1 + random(9) }, () => parts[random(parts.length)]).join('')
    if (text.trim() === '' || !isUnmarkedText(text)) continue
    unmarkedCount++
    const markdown = renderToStaticMarkup(<MarkdownText text={text} author="person" streaming={false} />)
    expect(normalizeHtml(markdown), JSON.stringify(text)).toBe(
      normalizeHtml(renderToStaticMarkup(<PlainText text={text} />)),
    )
  }
  expect(unmarkedCount).toBeGreaterThan(500)
})

it.each(dangerousParts)('%j is left to Markdown', (part) => {
  expect(isUnmarkedText(`The ferry ${part} was late.`)).toBe(false)
})
