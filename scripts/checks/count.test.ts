import { expect, test } from 'vitest'
import { withExitCode } from './check.ts'
import { toJourneyOutcome as countJourneys } from './journeys.ts'
import { toTestOutcome as countTests, withRetry } from './tests.ts'

test('load failures and errors outside tests count as failed; skipped tests are named', () => {
  const outcome = countTests({
    numPassedTests: 2,
    numFailedTests: 1,
    errorsOutsideTests: ['/somewhere/d.test.ts: Error: a late rejection\n  at one'],
    testResults: [
      {
        name: '/somewhere/a.test.ts',
        status: 'failed',
        assertionResults: [{ status: 'failed', fullName: 'one', failureMessages: ['it was two'] }],
      },
      { name: '/somewhere/b.test.ts', status: 'failed', message: 'cannot be parsed', assertionResults: [] },
      { name: '/somewhere/c.test.ts', status: 'passed', assertionResults: [{ status: 'pending', fullName: 'two' }] },
    ],
  })
  expect(outcome).toMatchObject({ passed: 2, failed: 3 })
  expect(outcome.failures).toEqual([
    expect.stringMatching(/a\.test\.ts: one\nit was two/),
    expect.stringMatching(/b\.test\.ts\ncannot be parsed/),
    expect.stringMatching(/d\.test\.ts: Error: a late rejection/),
  ])
  expect(outcome.skipped).toEqual([expect.stringContaining('c.test.ts: two')])
})

test('a journey that passed only on the second try counts as passed, and is named', () => {
  const journey = (title: string, status: 'expected' | 'unexpected' | 'flaky' | 'skipped') => ({
    title,
    tests: [{ status }],
  })
  const outcome = countJourneys({
    errors: [{ message: 'a file could not be loaded' }],
    suites: [
      {
        file: 'agents.spec.ts',
        specs: [journey('signs in', 'expected')],
        suites: [{ file: 'agents.spec.ts', specs: [journey('runs', 'flaky'), journey('stops', 'skipped')] }],
      },
    ],
  })
  expect(outcome).toEqual({
    passed: 2,
    failed: 1,
    failures: ['a file could not be loaded'],
    skipped: ['agents.spec.ts: stops'],
    flaky: ['agents.spec.ts: runs'],
  })
})

test('tests that pass on the second run are named; those that fail again count', () => {
  const first = { passed: 7, failed: 2, failures: ['a.test.ts: one\nit was two', 'a.test.ts: two\nslow'], skipped: [] }
  const outcome = (...failures: string[]) => ({ passed: 0, failed: failures.length, failures, skipped: [] })
  expect(withRetry(first, outcome('a.test.ts: one\nit was three'))).toEqual({
    passed: 8,
    failed: 1,
    failures: ['a.test.ts: one\nit was three'],
    skipped: [],
    flaky: ['a.test.ts: two\nslow'],
  })
  expect(withRetry(first, outcome())).toMatchObject({ passed: 9, failed: 0 })
  const others = ['a.test.ts: three', 'a.test.ts: four', 'a.test.ts: five']
  expect(withRetry(first, outcome(...others))).toMatchObject({ passed: 7, failed: 3, failures: others })
})

test('a failed run without failed tests counts once, and no failure counts twice', () => {
  expect(withExitCode({ passed: 9, failed: 0, failures: [], skipped: [] }, 1).failed).toBe(1)
  expect(withExitCode({ passed: 0, failed: 0, failures: [], skipped: [] }, 1).failed).toBe(1)
  expect(withExitCode({ passed: 8, failed: 1, failures: [], skipped: [] }, 1).failed).toBe(1)
  expect(withExitCode({ passed: 9, failed: 0, failures: [], skipped: [] }, 0).failed).toBe(0)
})
