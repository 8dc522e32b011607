import { expect, test } from 'vitest'
import { findMarks, findQuotesBefore } from './check-quotes.ts'

const findFirst = (text: string) => {
  const mark = findMarks(text).at(-1)
  return mark && findQuotesBefore(text, mark)
}

test.each([
  ['It says “the lens floats” [1].', 'the lens floats'],
  ['It says "the lens floats" [1].', 'the lens floats'],
  ['It says "the lens floats"[1].', 'the lens floats'],
  ['It says "the lens floats." [1]', 'the lens floats.'],
  ['It says "the lens floats". [1]', 'the lens floats'],
  ['(“the lens floats”) [2][1]', 'the lens floats'],
  ['*“the lens floats”* [1]', 'the lens floats'],
  ['“**the lens floats**” [1]', 'the lens floats'],
  ['„the lens floats“ [1]', 'the lens floats'],
  ['« the lens floats » [1]', ' the lens floats '],
  ['»the lens floats« [1]', 'the lens floats'],
  ['”the lens floats” [1]', 'the lens floats'],
  ['他说"镜头浮着"[1]', '镜头浮着'],
  ['他说「镜头浮着」[1]', '镜头浮着'],
  ['“He said “go” and left” [1]', 'He said “go” and left'],
  ['> the lens\n> floats [1]', 'the lens\nfloats'],
  ['> the lens\n> floats\n\n[1]', 'the lens\nfloats'],
  ['> “the lens\n> floats” [1]', 'the lens\nfloats'],
  ['> the lens floats\n>\n> — Manual [1]', 'the lens floats'],
])('the words before a mark are found: %s', (text, words) => {
  expect(findFirst(text)?.map((quote) => quote.trim())).toContain(words.trim())
})

test.each(['It floats [1].', '“the lens” floats on mercury [1].', 'It’s the dogs’ [1]', '“FALSE "go" now" [1]'])(
  'words without quotation marks are no quote: %s',
  (text) => {
    expect(findFirst(text)).toEqual([])
  },
)

test.each(['`list[1]`', '```\n“a” [1]\n```', '~~~js\n“a” [1]', '[1](https://example.org)', '[1]: https://example.org'])(
  'code and links have no marks: %s',
  (text) => {
    expect(findMarks(text)).toEqual([])
  },
)
