import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { browserArguments, findBrowser } from './scripts/find-browser.ts'
import { moveTempDirToMemory } from './tests/in-memory-temp-dir.ts'

moveTempDirToMemory()

// Inherited by the workers, which read this file again.
process.env.CHROMIUM ||= await findBrowser()

export default defineConfig({
  testDir: 'tests/journeys',
  outputDir: 'test-results',
  // Each test has its own server and port, so the tests of one file can run on several workers.
  workers: availableParallelism() + 1,
  fullyParallel: true,
  // On two shared cores, a few in a thousand lose a race no person would; `npm test` lists retried tests.
  retries: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: 'node_modules/.cache/journeys.json' }]],
  use: {
    browserName: 'chromium',
    actionTimeout: 10_000,
    navigationTimeout: 15_000,
    // It would serve files that a journey removes; offline journeys allow it.
    serviceWorkers: 'block',
    // Software rendering is slow; journeys about motion enable it.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env.CHROMIUM,
      args: [
        ...browserArguments,
        // Fewer processes for two cores.
        '--in-process-gpu',
        '--enable-features=NetworkServiceInProcess2',
        // For single journeys, but other arguments there would start another worker and browser.
        '--host-resolver-rules=MAP *.example.org 127.0.0.1',
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
      ],
    },
    screenshot: 'only-on-failure',
    // Traces cost a fifth of the total time; KEEPER_TRACE=1 records failed journeys.
    trace: process.env.KEEPER_TRACE ? 'retain-on-failure' : 'off',
  },
})
