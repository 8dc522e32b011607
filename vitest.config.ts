import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const engines = 'tests/engines-setup.ts'

export default defineConfig({
  test: {
    include: ['{contract,server,web,tests,scripts}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'dist/**', 'tests/journeys/**'],
    globalSetup: existsSync(engines) ? [engines] : [],
    setupFiles: ['tests/setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    unstubGlobals: true,
    unstubEnvs: true,
    restoreMocks: true,
  },
})
