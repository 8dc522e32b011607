import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MomentBody } from './moment-body.tsx'

const renderBody = (text: string) => renderToStaticMarkup(<MomentBody text={text} />)
const withBlankLines = (html: string) => html.replaceAll(/<\/p><p[^>]*>/g, '\n\n')
const paragraph = 'The tide took its time today. '.repeat(20).trim()

test('a moment of one page is shown in full', () => {
  const page = `${paragraph}\n\n${paragraph}\n\n${paragraph}`
  expect(withBlankLines(renderBody(page))).toContain(page)
  expect(renderBody(page)).not.toContain('<button')
})

test('a very long moment is cut at a gap and offers Show more', () => {
  const paragraphs = renderBody(`${paragraph}\n\n`.repeat(170))
  expect(withBlankLines(paragraphs)).toContain(`${paragraph}\n\n${paragraph}\n\n${paragraph}</p>`)
  expect(paragraphs).toMatch(/<button [^>]*aria-expanded="false"[^>]*>Show more</)
  expect(renderBody('The tide took its time today. '.repeat(3500))).toMatch(/ (The|tide|took|its|time|today\.)…<\/p>/)
  expect(renderBody('x'.repeat(105_000)).length).toBeLessThan(3000)
  expect(renderBody('- a\n'.repeat(200)).length).toBeLessThan(1000)
})
