import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './fingerprint.ts'
import { findEarlyEnd, parseVerdict, toTable } from './promises.ts'

test('verdict lines of a benchmark become a table, other lines are ignored', () => {
  const lines = [
    'pan at 50 % …',
    'holds  start-up with existing data = 187 ms, 3.1 × a bare node (60 ms) (bar: 500 ms)',
    'FAILS  control: its p99 = 14 ms (bar: 10 ms)',
    'FAILS without a figure',
  ]
  const verdicts = lines.flatMap((line) => parseVerdict('start-up.ts', line) ?? [])
  expect(toTable('bench', verdicts).split('\n').slice(2)).toEqual([
    '| holds | start-up with existing data | 187 ms, 3.1 × a bare node (60 ms) | 500 ms | `node bench/start-up.ts` |',
    '| **FAILS** | control: its p99 | 14 ms | 10 ms | `node bench/start-up.ts` |',
  ])
})

test('a script that ends early fails, and a reported failure is counted once', () => {
  const verdict = { script: 'kills.ts', promise: 'nothing is lost', measured: '0', bar: '0' }
  const getMeasurements = (results: boolean[], exitCode: number | null) =>
    findEarlyEnd(
      'kills.ts',
      results.map((holds) => ({ ...verdict, holds })),
      exitCode,
    ).map(({ measured }) => measured)
  expect(getMeasurements([true], 0)).toEqual([])
  expect(getMeasurements([true, false], 1)).toEqual([])
  expect(getMeasurements([true], 1)).toEqual(['ended with 1'])
  expect(getMeasurements([true], null)).toEqual(['ended with null'])
  expect(getMeasurements([], 0)).toEqual(['ended with 0 and no result'])
})

// Without this, a reworded line of the server would break a gate unnoticed for weeks.
test('defects planted by gates match the source', () => {
  const planted = globSync('quality/**/*.ts', { cwd: root }).flatMap((gate) => {
    const text = readFileSync(join(root, gate), 'utf8')
    return [...text.matchAll(/file: '([^']+)',\s+from: (?:'([^']+)'|`([^`]+)`)/g)].map(
      ([, file = '', line, lines]) => ({
        gate,
        file,
        from: line ?? lines ?? '',
      }),
    )
  })
  expect(planted.length).toBeGreaterThan(10)
  const missing = planted.filter(({ file, from }) => !readFileSync(join(root, file), 'utf8').includes(from))
  expect(missing).toEqual([])
})

test('every script of bench and quality reports a promise, except baselines', () => {
  const scriptsWithoutReport = ['bench/*.ts', 'quality/*.ts']
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((name) => !/^bench\/(measure|measure-frames|baseline-[a-z]+|fake-provider)\.ts$/.test(name))
    .filter((name) => !readFileSync(join(root, name), 'utf8').includes('report('))
  expect(scriptsWithoutReport).toEqual([])
})
