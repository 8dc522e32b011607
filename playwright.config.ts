import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { browserArguments, findBrowser } from './scripts/find-browser.ts'
import { writeInMemory } from './tests/folder-in-memory.ts'

writeInMemory()

// Set once for the workers too, which read this file again.
process.env.CHROMIUM ||= await findBrowser()

export default defineConfig({
  testDir: 'tests/journeys',
  outputDir: 'test-results',
  // Each test has a server and a port of its own, so that those of a long file can be shared among the workers.
  workers: availableParallelism() + 1,
  fullyParallel: true,
  // On two shared cores one in some hundred loses a race that no person would; `npm test` names what needed a second try.
  retries: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: 'node_modules/.cache/journeys.json' }]],
  use: {
    browserName: 'chromium',
    actionTimeout: 10_000,
    navigationTimeout: 15_000,
    // It would answer for the files that a journey takes away; the journeys without a server let it in.
    serviceWorkers: 'block',
    // Two cores draw every frame of every animation by themselves; a journey about motion asks for it.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env.CHROMIUM,
      args: [
        ...browserArguments,
        // Fewer processes for two cores to go back and forth between.
        '--in-process-gpu',
        '--enable-features=NetworkServiceInProcess2',
      ],
    },
    screenshot: 'only-on-failure',
    // A trace costs a fifth of the whole time; KEEPER_TRACE=1 records one of each journey that fails.
    trace: process.env.KEEPER_TRACE ? 'retain-on-failure' : 'off',
  },
})
