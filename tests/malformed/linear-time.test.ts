import { expect, it } from 'vitest'
import { findSlowInput, listShapes } from './linear-time.ts'
import { findPatterns, findUnusedBounds, listPatternReaders } from './source-patterns.ts'
import { textReaders } from './text-readers.ts'

const short = { lengthLimit: 8192 }

it("every function that reads people's texts runs in linear time", async () => {
  const slow = []
  for (const reader of textReaders) slow.push(await findSlowInput(reader, short))
  expect(slow.filter((input) => input !== undefined)).toEqual([])
}, 180_000)

it('every regular expression of server and pages runs in linear time', async () => {
  const slow = []
  for (const reader of listPatternReaders()) slow.push(await findSlowInput(reader, short))
  expect(slow.filter((input) => input !== undefined)).toEqual([])
}, 180_000)

it('every pattern excused for short inputs still exists', () => {
  expect(findUnusedBounds()).toEqual([])
}, 180_000)

it.each([
  ['\\s+$', 'export const tidy = (text: string) => text.replace(/\\s+$/, "")'],
  ['<[^>]*>', 'export const tidy = (text: string) => text.replace(/<[^>]*>/g, "")'],
  [
    '!?\\[([^\\]]*)\\]\\([^)]*\\)',
    'export const tidy = (text: string) => text.replace(/!?\\[([^\\]]*)\\]\\([^)]*\\)/g, "$1")',
  ],
])(
  'the pattern %s is reported as quadratic',
  async (source, code) => {
    const [reader] = listPatternReaders(findPatterns({ path: 'server/planted.ts', source: code }))
    expect(reader?.name).toBe(`server/planted.ts ${source}`)
    // Long enough to stand out while other tests run.
    expect(reader && (await findSlowInput(reader, { lengthLimit: 16_384 }))).toBeDefined()
  },
  180_000,
)

it('a quadratic function is reported, a linear one is not', async () => {
  const quadratic = (text: string) => text.split(' ').filter((word, index, all) => all.indexOf(word) === index)
  const build = (length: number) =>
    Array.from({ length: length / 4 }, (_, index) => index.toString(36).padStart(3, '0')).join(' ')
  expect(await findSlowInput({ name: 'planted', maxLength: 50_000, build, read: quadratic })).toBeDefined()
  expect(
    await findSlowInput({ name: 'linear', maxLength: 50_000, build, read: (text) => new Set(text.split(' ')) }),
  ).toBeUndefined()
})

it('a shape has exactly the requested length', () => {
  for (const shape of listShapes({ name: 'a', maxLength: 1 }, { thorough: true }))
    expect(
      [1000, 2000].map((length) => shape.build(length).length),
      shape.name,
    ).toEqual([1000, 2000])
})
