import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  killAtExit,
  median,
  readProcessUsage,
  report,
  startKeeper,
  stopProcess,
  waitUntilReachable,
} from './measure.ts'

// First response within 0.45 s with data, 1 s with an empty folder; at most 150 MB when idle. Baseline: a bare node:http server.

const rounds = 7
const port = '15801'
const baselineScript = `require('node:http').createServer((_, answer) => answer.end('ok')).listen(${port}, '127.0.0.1')`

const baselineMs: number[] = []
const emptyMs: number[] = []
const existingMs: number[] = []
const residentMb: number[] = []
for (let round = 0; round < rounds; round++) {
  const startedAt = performance.now()
  const baselineProcess = spawn(process.execPath, ['-e', baselineScript], { stdio: 'ignore' })
  killAtExit(baselineProcess)
  await waitUntilReachable(`http://127.0.0.1:${port}/`)
  baselineMs.push(performance.now() - startedAt)
  await stopProcess(baselineProcess)

  const dataDir = mkdtempSync(join(tmpdir(), 'keeper-bench-'))
  for (const times of [emptyMs, existingMs]) {
    const keeper = await startKeeper({ PORT: port, KEEPER_DATA_DIR: dataDir })
    times.push(keeper.firstAnswerMs)
    if (times === existingMs) {
      await new Promise((resolve) => setTimeout(resolve, 1000))
      residentMb.push(readProcessUsage(keeper.process).residentMb)
    }
    await keeper.stop()
  }
  rmSync(dataDir, { recursive: true })
}

const formatRatio = (times: number[]) =>
  `${median(times).toFixed(0)} ms, ${(median(times) / median(baselineMs)).toFixed(1)} × a bare server's ${median(baselineMs).toFixed(0)} ms`
report('start-up with existing data', formatRatio(existingMs), '450 ms', median(existingMs) <= 450)
report('start-up with an empty folder', formatRatio(emptyMs), '1,000 ms', median(emptyMs) <= 1000)
report('resident memory when idle', `${median(residentMb).toFixed(0)} MB`, '150 MB', median(residentMb) <= 150)
