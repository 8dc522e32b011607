import { expect, test } from 'vitest'
import { codeLanguages } from '#contract/boards/frame-content.ts'
import { highlight, type Inked, pieces } from './highlight.ts'

async function coloured(parts: string[], language: (typeof codeLanguages)[number]) {
  const all: Inked[][][] = []
  await highlight(parts, language, new AbortController().signal, (at, lines) => {
    all[at] = lines
  })
  return all
}
const textOf = (lines: Inked[][]) => lines.map((line) => line.map(({ text }) => text).join('')).join('\n')

test('joining the chunks restores the text', () => {
  for (const text of ['', '\n', 'one', 'a\n\n  b\t \n', Array.from({ length: 5000 }, (_, at) => `l${at}`).join('\n')]) {
    expect(pieces(text).join('\n')).toBe(text)
  }
  expect(pieces('x\n'.repeat(5000)).length).toBeGreaterThan(20)
})

test.each(codeLanguages.filter((name) => name !== 'text'))(
  '%s is highlighted and keeps all whitespace',
  async (language) => {
    const text = '\tconst "a" = 1 // x  \n\n  # y:\t{ <b> } \n'
    const [lines] = await coloured([text], language)
    expect(textOf(lines ?? [])).toBe(text)
  },
)

test('a comment continues into the next chunk', async () => {
  const [, second] = await coloured(['/* begins', 'goes on */ const x = 1'], 'javascript')
  expect(second?.[0]?.[0]).toEqual({ text: 'goes on */', ink: 'text-muted-foreground italic' })
  expect(second?.[0]?.some(({ ink }) => ink === 'text-info')).toBe(true)
})

test('does not call back after an abort', async () => {
  const left = new AbortController()
  left.abort()
  let told = 0
  await highlight(['const a = 1'], 'javascript', left.signal, () => told++)
  expect(told).toBe(0)
})

test('each token of a line has its own class', async () => {
  const [lines] = await coloured(["const keeper = 'x' // kept"], 'typescript')
  const inkOf = (words: string) => lines?.[0]?.find(({ text }) => text.includes(words))?.ink
  expect(inkOf('const')).toBe('text-info')
  expect(inkOf("'x'")).toBe('text-success')
  expect(inkOf('// kept')).toBe('text-muted-foreground italic')
})
