import { defineConfig } from '@playwright/test'
import journeys from '../../playwright.config.ts'
import { browserArguments } from '../../scripts/find-browser.ts'

/** Runs the keyboard journeys in a visible window, slowly enough for a screen reader. Kiosk mode hides the address bar, which
 * would otherwise have the focus. */
export default defineConfig({
  ...journeys,
  testDir: '../../tests/journeys',
  testMatch: ['main-tasks-by-keyboard.spec.ts', 'studio-by-keyboard.spec.ts'],
  outputDir: '../../test-results',
  workers: 1,
  fullyParallel: false,
  retries: 0,
  timeout: 400_000,
  expect: { timeout: 30_000 },
  reporter: [['json']],
  use: {
    ...journeys.use,
    actionTimeout: 30_000,
    viewport: null,
    launchOptions: {
      executablePath: '/usr/bin/chromium',
      headless: false,
      slowMo: 500,
      args: [...browserArguments, '--force-renderer-accessibility', '--kiosk'],
    },
  },
})
