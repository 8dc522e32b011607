import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../fingerprint.ts'
import { runTool } from '../run-tool.ts'
import { type Check, type CheckOutcome, withExitCode } from './check.ts'

interface Report {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    status: 'passed' | 'failed'
    message?: string
    assertionResults: { status: string; fullName: string; failureMessages?: string[] }[]
  }[]
}

export const tests: Check = {
  name: 'architecture, unit and server tests, on both databases',
  async run(filter) {
    const { report, exitCode } = await runTests(filter)
    const failed = failedFiles(report)
    if (failed.length === 0 || failed.length > maxRetriedFiles) return withExitCode(count(report), exitCode)
    console.log(`Retrying: ${failed.join(', ')}`)
    const again = await runTests(failed)
    return withExitCode(withSecondTry(count(report), count(again.report)), again.exitCode)
  },
}

/** So few may have lost a race; more have a cause. */
const maxRetriedFiles = 3

async function runTests(filter: string[]): Promise<{ report: Report; exitCode: number }> {
  const file = join(root, 'node_modules/.cache/tests.json')
  rmSync(file, { force: true })
  const { exitCode } = await runTool('node_modules/vitest/vitest.mjs', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...filter,
  ])
  if (!existsSync(file)) throw new Error('The tests ended without a report.')
  return { report: JSON.parse(readFileSync(file, 'utf8')) as Report, exitCode }
}

const failedFiles = ({ testResults }: Report) =>
  testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name))

export function withSecondTry(first: CheckOutcome, again: CheckOutcome): CheckOutcome {
  const mended = first.failed - again.failed
  return {
    ...first,
    passed: first.passed + Math.max(mended, 0),
    failed: again.failed,
    failures: again.failures,
    flaky: first.failures.filter(
      (failure) => !again.failures.some((other) => getTestName(other) === getTestName(failure)),
    ),
  }
}

const getTestName = (failure: string) => failure.split('\n')[0]

export function count({ numPassedTests, numFailedTests, testResults }: Report): CheckOutcome {
  const filesThatDidNotRun = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((result) => result.status === 'failed'),
  )
  const skipped = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => ['pending', 'skipped', 'todo', 'disabled'].includes(status))
      .map(({ fullName }) => `${relative(root, name)}: ${fullName}`),
  )
  const failures = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${relative(root, name)}: ${fullName}\n${firstLines(failureMessages)}`),
  )
  const unread = filesThatDidNotRun.map(({ name, message = '' }) => `${relative(root, name)}\n${firstLines([message])}`)
  return {
    passed: numPassedTests,
    failed: numFailedTests + filesThatDidNotRun.length,
    failures: [...failures, ...unread],
    skipped,
  }
}

function firstLines(messages: string[] = []): string {
  return messages.map((message) => message.split('\n').slice(0, 6).join('\n').slice(0, 600)).join('\n')
}
