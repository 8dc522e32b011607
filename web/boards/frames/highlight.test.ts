import { expect, test } from 'vitest'
import { codeLanguages } from '#contract/boards/frame-content.ts'
import { type HighlightedToken, highlight, splitChunks } from './highlight.ts'

async function highlightAll(chunks: string[], language: (typeof codeLanguages)[number]) {
  const linesByChunk: HighlightedToken[][][] = []
  await highlight(chunks, language, new AbortController().signal, (index, lines) => {
    linesByChunk[index] = lines
  })
  return linesByChunk
}
const toText = (lines: HighlightedToken[][]) => lines.map((line) => line.map(({ text }) => text).join('')).join('\n')

test('joining the chunks restores the text', () => {
  for (const text of [
    '',
    '\n',
    'one',
    'a\n\n  b\t \n',
    Array.from({ length: 5000 }, (_, index) => `l${index}`).join('\n'),
  ]) {
    expect(splitChunks(text).join('\n')).toBe(text)
  }
  expect(splitChunks('x\n'.repeat(5000)).length).toBeGreaterThan(20)
})

test.each(codeLanguages.filter((name) => name !== 'text'))(
  '%s is highlighted and keeps all whitespace',
  async (language) => {
    const text = '\tconst "a" = 1 // x  \n\n  # y:\t{ <b> } \n'
    const [lines] = await highlightAll([text], language)
    expect(toText(lines ?? [])).toBe(text)
  },
)

test('a comment continues into the next chunk', async () => {
  const [, second] = await highlightAll(['/* begins', 'goes on */ const x = 1'], 'javascript')
  expect(second?.[0]?.[0]).toEqual<HighlightedToken>({ text: 'goes on */', className: 'text-muted-foreground italic' })
  expect(second?.[0]?.some(({ className }) => className === 'text-info')).toBe(true)
})

test('an aborted highlight never calls back', async () => {
  const controller = new AbortController()
  controller.abort()
  let callCount = 0
  await highlight(['const a = 1'], 'javascript', controller.signal, () => callCount++)
  expect(callCount).toBe(0)
})

test('each token of a line has its own class', async () => {
  const [lines] = await highlightAll(["const keeper = 'x' // kept"], 'typescript')
  const getClass = (needle: string) => lines?.[0]?.find(({ text }) => text.includes(needle))?.className
  expect(getClass('const')).toBe('text-info')
  expect(getClass("'x'")).toBe('text-success')
  expect(getClass('// kept')).toBe('text-muted-foreground italic')
})
