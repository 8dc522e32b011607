import { defineConfig } from 'vitest/config'
import { writeInMemory } from './tests/folder-in-memory.ts'
import { LongestFirst } from './tests/longest-first.ts'

writeInMemory()

export default defineConfig({
  test: {
    include: ['{contract,server,web,tests,scripts}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'dist/**', 'tests/journeys/**'],
    globalSetup: ['tests/engines-setup.ts'],
    setupFiles: ['tests/setup.ts'],
    pool: 'forks',
    // One more than there are cores: many a test waits for a process, a clock or a disk.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 20_000,
    hookTimeout: 30_000,
    unstubGlobals: true,
    unstubEnvs: true,
    restoreMocks: true,
  },
})
