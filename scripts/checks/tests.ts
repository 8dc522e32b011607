import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../fingerprint.ts'
import { runTool } from '../run-tool.ts'
import { type Check, type CheckOutcome, withExitCode } from './check.ts'
import { errorsOutsideTestsFile } from './errors-outside-tests.ts'

interface TestReport {
  numPassedTests: number
  numFailedTests: number
  errorsOutsideTests: string[]
  testResults: {
    name: string
    status: 'passed' | 'failed'
    message?: string
    assertionResults: { status: string; fullName: string; failureMessages?: string[] }[]
  }[]
}

export const testsCheck: Check = {
  name: 'architecture, unit and server tests, on both databases',
  async run(filter) {
    const { report, exitCode } = await runTests(filter)
    const failedFiles = listFailedFiles(report)
    if (failedFiles.length === 0 || failedFiles.length > maxRetriedFiles)
      return withExitCode(toTestOutcome(report), exitCode)
    console.log(`Retrying: ${failedFiles.join(', ')}`)
    const retry = await runTests(failedFiles)
    return withExitCode(withRetry(toTestOutcome(report), toTestOutcome(retry.report)), retry.exitCode)
  },
}

/** Up to this many failed files are retried, because their tests can be flaky; more failures have a real cause. */
const maxRetriedFiles = 3

async function runTests(filter: string[]): Promise<{ report: TestReport; exitCode: number }> {
  const file = join(root, 'node_modules/.cache/tests.json')
  for (const staleFile of [file, errorsOutsideTestsFile]) rmSync(staleFile, { force: true })
  const { exitCode } = await runTool('node_modules/vitest/vitest.mjs', [
    'run',
    '--reporter=default',
    '--reporter=json',
    '--reporter=scripts/checks/errors-outside-tests.ts',
    `--outputFile.json=${file}`,
    ...filter,
  ])
  if (!existsSync(file)) throw new Error('The tests ended without a report.')
  const report = JSON.parse(readFileSync(file, 'utf8')) as Omit<TestReport, 'errorsOutsideTests'>
  const errorsOutsideTests = existsSync(errorsOutsideTestsFile)
    ? (JSON.parse(readFileSync(errorsOutsideTestsFile, 'utf8')) as string[])
    : []
  return { report: { ...report, errorsOutsideTests }, exitCode }
}

const listFailedFiles = ({ testResults }: TestReport) =>
  testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name))

export function withRetry(first: CheckOutcome, retry: CheckOutcome): CheckOutcome {
  const recoveredCount = first.failed - retry.failed
  return {
    ...first,
    passed: first.passed + Math.max(recoveredCount, 0),
    failed: retry.failed,
    failures: retry.failures,
    flaky: first.failures.filter(
      (failure) => !retry.failures.some((other) => getTestName(other) === getTestName(failure)),
    ),
  }
}

const getTestName = (failure: string) => failure.split('\n')[0]

export function toTestOutcome({
  numPassedTests,
  numFailedTests,
  testResults,
  errorsOutsideTests,
}: TestReport): CheckOutcome {
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
      .map(
        ({ fullName, failureMessages }) => `${relative(root, name)}: ${fullName}\n${takeFirstLines(failureMessages)}`,
      ),
  )
  const filesWithoutResults = filesThatDidNotRun.map(
    ({ name, message = '' }) => `${relative(root, name)}\n${takeFirstLines([message])}`,
  )
  return {
    passed: numPassedTests,
    failed: numFailedTests + filesThatDidNotRun.length + errorsOutsideTests.length,
    failures: [...failures, ...filesWithoutResults, ...errorsOutsideTests.map((error) => takeFirstLines([error]))],
    skipped,
  }
}

function takeFirstLines(messages: string[] = []): string {
  return messages.map((message) => message.split('\n').slice(0, 6).join('\n').slice(0, 600)).join('\n')
}
