import { expect, it } from 'vitest'
import { fuzzParser } from './fuzz-parser.ts'
import { parsers } from './parsers.ts'

it.each(parsers.map((parser) => [parser.name, parser] as const))('%s survives any input', async (_, parser) => {
  const { findings } = await fuzzParser(parser, { times: 500, seed: 7 })
  expect(findings.filter(({ problem }) => !problem.startsWith('took'))).toEqual([])
})

it('fuzzing reports a parser that throws unexpectedly or takes long', async () => {
  const throws = { name: 'throws', fragments: ['a', 'b'], parse: (text: string) => text.includes('ab') && fail() }
  expect((await fuzzParser(throws, { times: 100, seed: 1 })).findings[0]?.problem).toContain('threw Error: planted')
  const spin = () => {
    const cpuStart = process.threadCpuUsage()
    while (process.threadCpuUsage(cpuStart).user < 60_000) Math.sqrt(2)
  }
  const { findings } = await fuzzParser({ name: 'slow', fragments: ['a'], parse: spin }, { times: 1, seed: 1 })
  expect(findings[0]?.problem).toContain('took')
})

function fail(): never {
  throw new Error('planted')
}
