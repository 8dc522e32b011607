import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../fingerprint.ts'
import { runTool } from '../run-tool.ts'
import { type Check, type Outcome, withExitCode } from './check.ts'

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
    return withExitCode(count(JSON.parse(readFileSync(file, 'utf8')) as Report), exitCode)
  },
}

export function count({ numPassedTests, numFailedTests, testResults }: Report): Outcome {
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

/** Enough of each message to know what to look for. */
function firstLines(messages: string[] = []): string {
  return messages.map((message) => message.split('\n').slice(0, 6).join('\n').slice(0, 600)).join('\n')
}
