import { runBuildProcess } from '../../scripts/build-process.ts'
import type { BuildStep } from './build-step.ts'

const steps: [step: BuildStep, label: string][] = [
  ['plan', 'planning the files'],
  ['app', 'bundling the app'],
  ['site', 'bundling the page of custom hosts'],
  ['compress', 'compressing the files'],
]

/** `onStep` gets lines such as `2 of 4: bundling the app`. */
export async function buildWeb(directory: string, onStep?: (line: string) => void): Promise<void> {
  for (const [index, [step, label]] of steps.entries()) {
    onStep?.(`${index + 1} of ${steps.length}: ${label}`)
    await runBuildProcess(step, 'web/build/build-step.ts', [step, directory])
  }
}
