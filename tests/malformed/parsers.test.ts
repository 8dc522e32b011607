import { expect, it } from 'vitest'
import { parsers } from './parsers.ts'
import { tryParser } from './try-parser.ts'

it.each(parsers.map((parser) => [parser.name, parser] as const))('%s survives any input', async (_, parser) => {
  const { findings } = await tryParser(parser, { times: 500, seed: 7 })
  expect(findings.filter(({ wrong }) => !wrong.startsWith('took'))).toEqual([])
})

it('fuzzing reports a parser that throws unexpectedly or takes long', async () => {
  const throws = { name: 'throws', pieces: ['a', 'b'], parse: (text: string) => text.includes('ab') && fail() }
  expect((await tryParser(throws, { times: 100, seed: 1 })).findings[0]?.wrong).toContain('threw Error: planted')
  const works = () => {
    const began = process.threadCpuUsage()
    while (process.threadCpuUsage(began).user < 60_000) Math.sqrt(2)
  }
  const { findings } = await tryParser({ name: 'slow', pieces: ['a'], parse: works }, { times: 1, seed: 1 })
  expect(findings[0]?.wrong).toContain('took')
})

function fail(): never {
  throw new Error('planted')
}
