import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { root } from './fingerprint.ts'

/** The build must fit in 1 GB: V8, glibc and the bundler's threads take more on a larger machine. */
const memoryFlags = ['--max-old-space-size=384', '--max-semi-space-size=4']
const memorySettings = {
  MALLOC_ARENA_MAX: '2',
  RAYON_NUM_THREADS: '1',
  // Without huge pages, and with freed pages returned at once, the bundler takes 540 MB instead of 940.
  MIMALLOC_ALLOW_THP: '0',
  MIMALLOC_PURGE_DELAY: '0',
}

/**
 * Runs a step of the build as a process of its own, because the bundler never returns its memory: neither another
 * step nor the server that `npm start` becomes should carry it.
 * @param script relative to the root
 */
export async function runBuildProcess(step: string, script: string, parameters: string[]): Promise<void> {
  const child = spawn(process.execPath, [...memoryFlags, join(root, script), ...parameters], {
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
