import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findBrowser } from '../find-browser.ts'
import { root } from '../fingerprint.ts'
import { runTool } from '../run-tool.ts'
import { type Check, type CheckOutcome, withExitCode } from './check.ts'

interface Suite {
  file: string
  suites?: Suite[]
  specs: { title: string; tests: { status: 'expected' | 'unexpected' | 'flaky' | 'skipped' }[] }[]
}
interface JourneyReport {
  suites: Suite[]
  errors: { message?: string }[]
}

/** Long journeys run in `quality/long-journeys.ts`, because `npm test` would take more than 20 minutes with them. */
export const journeysCheck: Check = {
  name: 'journeys in a browser',
  run: (filter) => runJourneys(['--grep-invert', '@long', ...filter]),
}

export async function runJourneys(options: string[]): Promise<CheckOutcome> {
  const report = join(root, 'node_modules/.cache/journeys.json')
  rmSync(report, { force: true })
  const { exitCode } = await runTool('node_modules/@playwright/test/cli.js', ['test', ...options], {
    env: { CHROMIUM: await findBrowser() },
  })
  if (!existsSync(report)) throw new Error('The journeys ended without a report.')
  return withExitCode(toJourneyOutcome(JSON.parse(readFileSync(report, 'utf8')) as JourneyReport), exitCode)
}

export function toJourneyOutcome({ suites, errors }: JourneyReport): CheckOutcome {
  const outcomes = suites.flatMap(listTests)
  const withStatus = (...statuses: string[]) => outcomes.filter(({ status }) => statuses.includes(status))
  return {
    passed: withStatus('expected', 'flaky').length,
    failed: withStatus('unexpected').length + errors.length,
    failures: [
      ...withStatus('unexpected').map(({ name }) => name),
      ...errors.map(({ message = 'an error outside the journeys' }) => message),
    ],
    skipped: withStatus('skipped').map(({ name }) => name),
    flaky: withStatus('flaky').map(({ name }) => name),
  }
}

function listTests(suite: Suite): { name: string; status: string }[] {
  const suiteTests = suite.specs.flatMap(({ title, tests }) =>
    tests.map(({ status }) => ({ name: `${suite.file}: ${title}`, status })),
  )
  return [...suiteTests, ...(suite.suites ?? []).flatMap(listTests)]
}
