export interface CheckOutcome {
  passed: number
  failed: number
  failures: string[]
  skipped: string[]
  /** Tests that passed only when retried. They are printed, so that the race gets fixed, but don't count as failed. */
  flaky?: string[]
}

export interface Check {
  name: string
  /** `filter` selects tests by file name; with a filter, other checks don't run. */
  run(filter: string[]): Promise<CheckOutcome>
}

export const passedOnce: CheckOutcome = { passed: 1, failed: 0, failures: [], skipped: [] }
export const failedOnce: CheckOutcome = { passed: 0, failed: 1, failures: [], skipped: [] }

/** Counts one failure if the runner failed without a failed test (no tests found, or an error outside of tests). */
export function withExitCode(outcome: CheckOutcome, exitCode: number): CheckOutcome {
  return exitCode !== 0 && outcome.failed === 0 ? { ...outcome, failed: 1 } : outcome
}

/** Runs the groups one after the other, and the checks of a group in parallel. */
export async function runChecks(checks: (Check | Check[])[], filter: string[]): Promise<void> {
  const totals = { passed: 0, failed: 0, failures: [] as string[], skipped: [] as string[], flaky: [] as string[] }
  for (const group of checks) await Promise.all([group].flat().map(runCheck))
  async function runCheck(check: Check): Promise<void> {
    const startedAt = performance.now()
    console.log(`\n── ${check.name}`)
    const { passed, failed, failures, skipped, flaky = [] } = await runSafely(check, filter)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(`${failed ? '✗' : '✓'} ${check.name}: ${passed} passed, ${failed} failed (${seconds} s)`)
    totals.passed += passed
    totals.failed += failed
    if (failed > 0) totals.failures.push(...(failures.length > 0 ? failures : [check.name]))
    totals.skipped.push(...skipped)
    totals.flaky.push(...flaky)
  }
  printNames('Skipped', totals.skipped)
  printNames('Passed only on the second try', totals.flaky)
  // Last, for readers who see only the end of a long output.
  printNames('Failed', totals.failures)
  process.exitCode = totals.failed > 0 ? 1 : 0
  console.log(
    `\n${totals.passed} passed, ${totals.failed} failed${totals.skipped.length ? `, ${totals.skipped.length} skipped` : ''}`,
  )
}

function printNames(heading: string, names: string[]): void {
  if (names.length > 0) console.log(`\n${heading}:\n${names.map((name) => `  ${name}`).join('\n')}`)
}

async function runSafely(check: Check, filter: string[]): Promise<CheckOutcome> {
  try {
    return await check.run(filter)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return failedOnce
  }
}
