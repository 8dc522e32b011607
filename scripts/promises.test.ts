import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './fingerprint.ts'
import { brokenOff, tableOf, verdictIn } from './promises.ts'

test('of what a bench prints, its verdicts become one table; other lines do not', () => {
  const lines = [
    'pan at 50 % …',
    'holds  start over existing data = 187 ms, 3.1 × a bare node (60 ms) (bar: 500 ms)',
    'FAILS  control: its p99 = 14 ms (bar: 10 ms)',
    'FAILS without a figure',
  ]
  const verdicts = lines.flatMap((line) => verdictIn('start-up.ts', line) ?? [])
  expect(tableOf('bench', verdicts).split('\n').slice(2)).toEqual([
    '| holds | start over existing data | 187 ms, 3.1 × a bare node (60 ms) | 500 ms | `node bench/start-up.ts` |',
    '| **FAILS** | control: its p99 | 14 ms | 10 ms | `node bench/start-up.ts` |',
  ])
})

test('a script that broke off fails, also after figures that hold; one that said what fails is not counted twice', () => {
  const verdict = { script: 'kills.ts', promise: 'nothing is lost', measured: '0', bar: '0' }
  const said = (holds: boolean[], exitCode: number | null) =>
    brokenOff(
      'kills.ts',
      holds.map((one) => ({ ...verdict, holds: one })),
      exitCode,
    ).map(({ measured }) => measured)
  expect(said([true], 0)).toEqual([])
  expect(said([true, false], 1)).toEqual([])
  expect(said([true], 1)).toEqual(['ended with 1'])
  expect(said([true], null)).toEqual(['ended with null'])
  expect(said([], 0)).toEqual(['ended with 0 and no figure'])
})

// Whoever rewords a line of the server would learn of it when the gate is run, weeks later.
test('what a gate plants in the source for its control stands there', () => {
  const planted = globSync('gates/**/*.ts', { cwd: root }).flatMap((gate) => {
    const text = readFileSync(join(root, gate), 'utf8')
    return [...text.matchAll(/file: '([^']+)',\s+from: (?:'([^']+)'|`([^`]+)`)/g)].map(
      ([, file = '', line, lines]) => ({
        ...{ gate, file, from: line ?? lines ?? '' },
      }),
    )
  })
  expect(planted.length).toBeGreaterThan(10)
  const gone = planted.filter(({ file, from }) => !readFileSync(join(root, file), 'utf8').includes(from))
  expect(gone).toEqual([])
})

test('every script of bench and gates reports, so that it is run with the others: floors are theirs', () => {
  const silent = ['bench/*.ts', 'gates/*.ts']
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((name) => !/^bench\/(measure|frames-on-screen|floor-[a-z]+)\.ts$/.test(name))
    .filter((name) => !readFileSync(join(root, name), 'utf8').includes('report('))
  expect(silent).toEqual([])
})
