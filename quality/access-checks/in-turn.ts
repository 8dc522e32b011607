import { appendFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, type TestContext } from 'vitest'
import { disableChecks, getFailureCount, reachedChecks } from './switch.ts'
import type { TurnAnswer } from './turns.ts'

type Task = TestContext['task']

const tooSlowMs = 20_000

// Per check: the tests that reach the fewest checks, and those that reach the most and involve several people.
const minReachTests = 4
const maxReachTests = 12

/** For pairs, because the first failures can come from the first check alone. */
const maxFailures = 6

function getTaskName(task: Task): string {
  const names: string[] = []
  for (let index: Task | Task['suite'] = task; index?.suite; index = index.suite) names.unshift(index.name)
  return names.join(' > ')
}

/** Runs a test file once with every check on, then once per turn with its checks off, limited to tests reaching the last one. A failure is repeated with that check on, to rule out other causes. */
export function registerTurns(file: string, turns: readonly string[][], answerTo: string): void {
  const write = (answer: TurnAnswer) => appendFileSync(answerTo, `${JSON.stringify(answer)}\n`)
  const reachedBy = new Map<string, Set<string>>()
  const failing = new Set<string>()
  let number = 0
  const importTests = () => import(/* @vite-ignore */ `${file}?turn=${number++}`)

  describe('every check on', () => {
    let failures = 0
    beforeAll(() => disableChecks([]))
    beforeEach(() => {
      reachedChecks.clear()
      failures = getFailureCount()
    })
    afterEach(({ task }) => {
      if (getFailureCount() > failures) failing.add(getTaskName(task))
      const ms = performance.now() - (task.result?.startTime ? task.result.startTime - performance.timeOrigin : 0)
      if (task.result?.state !== 'fail' && ms < tooSlowMs) reachedBy.set(getTaskName(task), new Set(reachedChecks))
    })
    afterAll(() => write({ file, tests: Object.fromEntries([...reachedBy].map(([name, ids]) => [name, [...ids]])) }))
    return importTests()
  })

  for (const off of turns) {
    const answer: TurnAnswer = { file, off, asked: [], red: null, crashed: null }
    const last = off.at(-1) ?? ''
    const failedTests: NonNullable<TurnAnswer['red']>[] = []
    const failedWithoutCheck = new Set<string>()
    const maxFailedTests = off.length > 1 ? maxFailures : 1
    const selectTests = () => {
      const names = [...reachedBy]
        .filter(([, ids]) => ids.has(last))
        .toSorted(([, one], [, other]) => one.size - other.size)
        .map(([name]) => name)
      return names.filter((_, index) => index < minReachTests || index >= names.length - maxReachTests)
    }
    describe(`without ${off.join(' and ')}`, () => {
      let failures = 0
      beforeAll(() => disableChecks(off))
      beforeEach((context) => {
        const name = getTaskName(context.task)
        if (failedTests.length >= maxFailedTests || !selectTests().includes(name)) context.skip()
        answer.asked?.push(name)
        failures = getFailureCount()
      })
      afterEach(({ task }) => {
        const [error] = task.result?.errors ?? []
        if (task.result?.state !== 'fail' || !error) return
        const name = getTaskName(task)
        const isCrash = getFailureCount() > failures && !failing.has(name)
        if (isCrash || /timed out/.test(error.message)) answer.crashed ??= name
        else failedTests.push({ test: name, says: error.message.slice(0, 200) })
      })
      return importTests()
    })
    describe(`the same with ${off.slice(0, -1).join() || 'none'} off`, () => {
      beforeAll(() => disableChecks(off.slice(0, -1)))
      beforeEach((context) => {
        const name = getTaskName(context.task)
        const isPast = answer.asked?.indexOf(name) === -1
        if (failedTests.length === 0 || isPast) context.skip()
      })
      afterEach(({ task }) => {
        if (task.result?.state === 'fail') failedWithoutCheck.add(getTaskName(task))
      })
      afterAll(() => {
        disableChecks([])
        const provingTest = failedTests.find(({ test }) => !failedWithoutCheck.has(test))
        answer.red = provingTest ?? failedTests[0] ?? null
        if (answer.red && !provingTest) answer.unsure = true
        write(answer)
      })
      return importTests()
    })
  }
}
