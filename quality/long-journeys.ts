import { report } from '../bench/measure.ts'
import { runJourneys } from '../scripts/checks/journeys.ts'

// Journeys too long for `npm test`; their titles end in `@long`.

const { passed, failed, failures, flaky = [] } = await runJourneys(['--grep', '@long'])
for (const name of failures) console.log(`  ${name}`)
for (const name of flaky) console.log(`  only on the second attempt: ${name}`)
report('every long journey passes', `${passed} passed, ${failed} failed`, '0 failed', failed === 0 && passed > 100)

const control = await runJourneys(['--config', 'quality/long-journeys/playwright.config.ts'])
report(
  'control: a button without a name, unreadable text, a console error',
  `noticed: ${control.failed} of ${control.failed + control.passed}`,
  '3 of 3',
  control.failed === 3 && control.passed === 0,
)
