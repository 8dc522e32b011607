import { expect, it } from 'vitest'
import { markdownToXhtml, splitMarkdown } from './markdown-to-xhtml.ts'

const paragraph = (n: number) => `Paragraph ${n} of the **harbor**. ${'The ferry was late. '.repeat(10)}\n\n`
const long = Array.from({ length: 300 }, (_, n) => paragraph(n)).join('')
const toXhtml = (text: string) => [...markdownToXhtml(text, 'e1')].join('')

it('a short text is one part, and a long one loses nothing', () => {
  expect(splitMarkdown(paragraph(1))).toEqual([paragraph(1)])
  const parts = splitMarkdown(long)
  expect(parts.length).toBeGreaterThan(4)
  expect(parts.join('\n')).toBe(long)
  expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(5_000)
})

it('a text of more than 50,000 characters keeps its formatting', () => {
  expect(long.length).toBeGreaterThan(50_000)
  expect(toXhtml(long).match(/<strong>harbor<\/strong>/g)).toHaveLength(300)
})

it('parts never end inside code, a list or a table', () => {
  const code = `\`\`\`\n${'Line of code\n\n'.repeat(2_000)}\`\`\`\n\n`
  const list = `${Array.from({ length: 800 }, (_, n) => `${n + 1}. Item\n\n   More of it\n\n`).join('')}\n`
  for (const [text, count] of [
    [code, /<pre>/g],
    [list, /<ol>/g],
  ] as const)
    expect(toXhtml(`${long}${text}${long}`).match(count)).toHaveLength(1)
})

it('links and footnotes keep their definitions in every part', () => {
  const text = `A [link][sea] and a note[^n].\n\n${long}The [same][sea] and again[^n], twice[^n].\n\n[sea]: https://sea.example/\n[^n]: The note.\n`
  const xhtml = toXhtml(text)
  expect(xhtml.match(/href="https:\/\/sea\.example\/"/g)).toHaveLength(2)
  expect(xhtml).not.toContain('[^n]')
  const ids = [...xhtml.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
})
