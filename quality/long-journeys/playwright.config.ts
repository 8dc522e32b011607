import { defineConfig } from '@playwright/test'
import journeys from '../../playwright.config.ts'

export default defineConfig(journeys, {
  testDir: '.',
  outputDir: '../../test-results',
  retries: 0,
  reporter: [['list'], ['json', { outputFile: '../../node_modules/.cache/journeys.json' }]],
})
