import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { writeInMemory } from './tests/folder-in-memory.ts'
import { LongestFirst } from './tests/longest-first.ts'

writeInMemory()

export const include = ['{contract,server,web,tests,scripts}/**/*.test.{ts,tsx}']
const exclude = ['**/node_modules/**', 'dist/**', 'tests/journeys/**']

/** They put something in the place of a module: who shares its process would have it too, or would have taken the module before. */
const replacingModules = globSync(include, { cwd: import.meta.dirname, exclude }).filter((file) =>
  readFileSync(join(import.meta.dirname, file), 'utf8').includes('vi.mock('),
)

export const each = {
  setupFiles: ['tests/setup.ts'],
  testTimeout: 20_000,
  hookTimeout: 30_000,
  unstubGlobals: true,
  unstubEnvs: true,
  restoreMocks: true,
}

export default defineConfig({
  test: {
    globalSetup: ['tests/engines-setup.ts'],
    pool: 'forks',
    // One more than there are cores: many a test waits for a process, a clock or a disk.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      // A process reads the server once for all its files; one for each file takes nearly twice the time.
      { test: { ...each, name: 'together', isolate: false, include, exclude: [...exclude, ...replacingModules] } },
      { test: { ...each, name: 'alone', include: replacingModules } },
    ],
  },
})
