import { report } from '../bench/measure.ts'
import { runJourneys } from '../scripts/checks/journeys.ts'

/*
 * The journeys that `npm test` has no time for: a walk over every page by axe and in four sizes, over every text of the error
 * catalogues, over every key; whole tasks by keyboard alone; what comes after a failure that `npm test` asks itself. Their titles
 * end in `@at-length`. `npm run gates journeys` asks them.
 */

const { passed, failed, failures, secondTry = [] } = await runJourneys(['--grep', '@at-length'])
for (const name of failures) console.log(`  ${name}`)
for (const name of secondTry) console.log(`  only at the second try: ${name}`)
report('every journey at length passes', `${passed} passed, ${failed} failed`, '0 failed', failed === 0 && passed > 100)

const planted = await runJourneys(['--config', 'gates/journeys-at-length/playwright.config.ts'])
report(
  'control: a button without a name, words in the colour of their ground, an error on the console',
  `noticed: ${planted.failed} of ${planted.failed + planted.passed}`,
  '3 of 3',
  planted.failed === 3 && planted.passed === 0,
)
