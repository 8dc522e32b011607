import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { moveTempDirToMemory } from './tests/in-memory-temp-dir.ts'
import { SlowestFirstSequencer } from './tests/slowest-first.ts'

moveTempDirToMemory()
// Servers that tests start load in half the time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

export const include = ['{contract,server,web,tests,scripts}/**/*.test.{ts,tsx}']
const exclude = ['**/node_modules/**', 'dist/**', 'tests/journeys/**']

/** Tests that mock modules need their own process. */
const replacingModules = globSync(include, { cwd: import.meta.dirname, exclude }).filter((file) =>
  readFileSync(join(import.meta.dirname, file), 'utf8').includes('vi.mock('),
)

export const sharedOptions = {
  setupFiles: ['tests/setup.ts'],
  testTimeout: 20_000,
  hookTimeout: 30_000,
  unstubGlobals: true,
  unstubEnvs: true,
  restoreMocks: true,
  alias: { '#server/threads/thread-file.ts': join(import.meta.dirname, 'tests/built-thread-file.ts') },
  // Tests create much short-lived garbage: collecting it less often saves a twentieth of their CPU time.
  execArgv: ['--max-semi-space-size=64'],
}

export default defineConfig({
  test: {
    globalSetup: ['tests/engines-setup.ts'],
    pool: 'forks',
    // One more than there are cores, because many tests wait for a process, a clock or a disk.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowestFirstSequencer },
    projects: [
      // Sharing a process loads the server once; a process per file takes nearly twice as long.
      {
        test: {
          ...sharedOptions,
          name: 'together',
          isolate: false,
          include,
          exclude: [...exclude, ...replacingModules],
        },
      },
      { test: { ...sharedOptions, name: 'alone', include: replacingModules } },
    ],
  },
})
