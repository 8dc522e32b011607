import { appendFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, type TestContext } from 'vitest'
import { disableChecks, getFailureCount, reachedChecks } from './switch.ts'
import type { TurnAnswer } from './turns.ts'

type Task = TestContext['task']

const tooSlowMs = 20_000

// Per check: tests that reach the fewest checks, and tests that reach the most, which involve several people.
const narrowTestCount = 4
const broadTestCount = 12

/** A pair needs several failed tests, because some can fail even with only its first check off. */
const maxFailures = 6

function getTaskName(task: Task): string {
  const names: string[] = []
  for (let current: Task | Task['suite'] = task; current?.suite; current = current.suite) names.unshift(current.name)
  return names.join(' > ')
}

/** Runs a test file once with every check on, then once per turn with its checks off, limited to tests reaching the last one. A failure is repeated with that check on, to rule out other causes. */
export function registerTurns(file: string, turns: readonly string[][], answerPath: string): void {
  const write = (answer: TurnAnswer) => appendFileSync(answerPath, `${JSON.stringify(answer)}\n`)
  const checksByTest = new Map<string, Set<string>>()
  const failingTests = new Set<string>()
  let turnNumber = 0
  const importTests = () => import(/* @vite-ignore */ `${file}?turn=${turnNumber++}`)

  describe('every check on', () => {
    let failures = 0
    beforeAll(() => disableChecks([]))
    beforeEach(() => {
      reachedChecks.clear()
      failures = getFailureCount()
    })
    afterEach(({ task }) => {
      if (getFailureCount() > failures) failingTests.add(getTaskName(task))
      const ms = performance.now() - (task.result?.startTime ? task.result.startTime - performance.timeOrigin : 0)
      if (task.result?.state !== 'fail' && ms < tooSlowMs) checksByTest.set(getTaskName(task), new Set(reachedChecks))
    })
    afterAll(() => write({ file, tests: Object.fromEntries([...checksByTest].map(([name, ids]) => [name, [...ids]])) }))
    return importTests()
  })

  for (const disabledIds of turns) {
    const answer: TurnAnswer = { file, disabledIds, selectedTests: [], failedTest: null, crashed: null }
    const lastId = disabledIds.at(-1) ?? ''
    const failedTests: NonNullable<TurnAnswer['failedTest']>[] = []
    const failedWithoutCheck = new Set<string>()
    const maxFailedTests = disabledIds.length > 1 ? maxFailures : 1
    const selectTests = () => {
      const names = [...checksByTest]
        .filter(([, ids]) => ids.has(lastId))
        .toSorted(([, one], [, other]) => one.size - other.size)
        .map(([name]) => name)
      return names.filter((_, index) => index < narrowTestCount || index >= names.length - broadTestCount)
    }
    describe(`without ${disabledIds.join(' and ')}`, () => {
      let failures = 0
      beforeAll(() => disableChecks(disabledIds))
      beforeEach((context) => {
        const name = getTaskName(context.task)
        if (failedTests.length >= maxFailedTests || !selectTests().includes(name)) context.skip()
        answer.selectedTests?.push(name)
        failures = getFailureCount()
      })
      afterEach(({ task }) => {
        const [error] = task.result?.errors ?? []
        if (task.result?.state !== 'fail' || !error) return
        const name = getTaskName(task)
        const isCrash = getFailureCount() > failures && !failingTests.has(name)
        if (isCrash || /timed out/.test(error.message)) answer.crashed ??= name
        else failedTests.push({ test: name, message: error.message.slice(0, 200) })
      })
      return importTests()
    })
    describe(`the same with ${disabledIds.slice(0, -1).join() || 'none'} off`, () => {
      beforeAll(() => disableChecks(disabledIds.slice(0, -1)))
      beforeEach((context) => {
        const name = getTaskName(context.task)
        const isUnselected = answer.selectedTests?.indexOf(name) === -1
        if (failedTests.length === 0 || isUnselected) context.skip()
      })
      afterEach(({ task }) => {
        if (task.result?.state === 'fail') failedWithoutCheck.add(getTaskName(task))
      })
      afterAll(() => {
        disableChecks([])
        const provingTest = failedTests.find(({ test }) => !failedWithoutCheck.has(test))
        answer.failedTest = provingTest ?? failedTests[0] ?? null
        if (answer.failedTest && !provingTest) answer.isUnsure = true
        write(answer)
      })
      return importTests()
    })
  }
}
