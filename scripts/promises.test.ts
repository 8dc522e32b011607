import { expect, test } from 'vitest'
import { tableOf, verdictIn } from './promises.ts'

test('of what a bench prints, its verdicts become one table; other lines do not', () => {
  const lines = [
    'pan at 50 % …',
    'holds  start over existing data: 187 ms, 3.1 × a bare node (60 ms) (bar: 500 ms)',
    'FAILS  its p99: 14 ms (bar: 10 ms)',
    'FAILS without a figure',
  ]
  const verdicts = lines.flatMap((line) => verdictIn('start-up.ts', line) ?? [])
  expect(tableOf('bench', verdicts).split('\n').slice(2)).toEqual([
    '| holds | start over existing data | 187 ms, 3.1 × a bare node (60 ms) | 500 ms | `node bench/start-up.ts` |',
    '| **FAILS** | its p99 | 14 ms | 10 ms | `node bench/start-up.ts` |',
  ])
})
