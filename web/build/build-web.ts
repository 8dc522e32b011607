import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { BuildStep } from './build-step.ts'

const steps: [step: BuildStep, label: string][] = [
  ['plan', 'planning the files'],
  ['app', 'bundling the app'],
  ['site', 'bundling the page of custom hosts'],
  ['compress', 'compressing the files'],
]

/** Runs each step in a separate process, so that their memory never adds up. `onStep` gets lines such as `2 of 4: bundling the app`. */
export async function buildWeb(directory: string, onStep?: (line: string) => void): Promise<void> {
  for (const [index, [step, label]] of steps.entries()) {
    onStep?.(`${index + 1} of ${steps.length}: ${label}`)
    await runStep(step, directory)
  }
}

/** The build must fit in 1 GB: V8, glibc and the bundler's threads take more on a larger machine. */
const memoryFlags = ['--max-old-space-size=384', '--max-semi-space-size=4']
const memorySettings = { MALLOC_ARENA_MAX: '2', RAYON_NUM_THREADS: '1' }

async function runStep(step: BuildStep, directory: string): Promise<void> {
  const child = spawn(process.execPath, [...memoryFlags, join(import.meta.dirname, 'build-step.ts'), step, directory], {
    env: { ...memorySettings, ...process.env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [exitCode, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  if (exitCode === 0) return
  throw new Error(
    signal === 'SIGKILL'
      ? `the operating system ended the step “${step}”, most likely because memory ran out`
      : `the step “${step}” failed (${signal ?? exitCode}); its messages are above`,
  )
}
