import { appendFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, type TestContext } from 'vitest'
import { failuresOfOurs, reachedSoFar, turnOff } from './switch.ts'
import type { TurnAnswer } from './turns.ts'

type Task = TestContext['task']

/** A test that takes longer is not asked once for each check it comes past. */
const tooSlowMs = 20_000

/** Of the tests that come past a check: those that come past little else, and those that come past most, where several people meet. */
const fewest = 4
const fullest = 12

/** Of a pair: the first of them may be red without the first lock alone. */
const mostReds = 6

/** The test's name below its turn. */
function nameOf(task: Task): string {
  const names: string[] = []
  for (let at: Task | Task['suite'] = task; at?.suite; at = at.suite) names.unshift(at.name)
  return names.join(' > ')
}

/**
 * Registers the tests of a file several times over, in one process: first with every check on, and then once for each entry of
 * `turns` with these checks off, only the tests that come past the last of them, and up to the first that is red. What is red
 * is asked again with the same tests and the checks on: red then, it was red for what was left out.
 * @param file its absolute path
 * @param turns an empty list only records what the tests come past
 * @param answerTo a file of lines; each turn appends its own
 */
export function inTurn(file: string, turns: readonly string[][], answerTo: string): void {
  const write = (answer: TurnAnswer) => appendFileSync(answerTo, `${JSON.stringify(answer)}\n`)
  /** Test → the checks it comes past; what is not green with every check on is not among them. */
  const reachedBy = new Map<string, Set<string>>()
  const failing = new Set<string>()
  let number = 0
  const again = () => import(/* @vite-ignore */ `${file}?turn=${number++}`)

  describe('every check on', () => {
    let failures = 0
    beforeAll(() => turnOff([]))
    beforeEach(() => {
      reachedSoFar.clear()
      failures = failuresOfOurs()
    })
    afterEach(({ task }) => {
      if (failuresOfOurs() > failures) failing.add(nameOf(task))
      const ms = performance.now() - (task.result?.startTime ? task.result.startTime - performance.timeOrigin : 0)
      if (task.result?.state !== 'fail' && ms < tooSlowMs) reachedBy.set(nameOf(task), new Set(reachedSoFar))
    })
    afterAll(() => write({ file, tests: Object.fromEntries([...reachedBy].map(([name, ids]) => [name, [...ids]])) }))
    return again()
  })

  for (const off of turns) {
    const answer: TurnAnswer = { file, off, asked: [], red: null, crashed: null }
    const last = off.at(-1) ?? ''
    const reds: NonNullable<TurnAnswer['red']>[] = []
    const redAnyway = new Set<string>()
    const enough = off.length > 1 ? mostReds : 1
    const telling = () => {
      const names = [...reachedBy]
        .filter(([, ids]) => ids.has(last))
        .toSorted(([, one], [, other]) => one.size - other.size)
        .map(([name]) => name)
      return names.filter((_, place) => place < fewest || place >= names.length - fullest)
    }
    describe(`without ${off.join(' and ')}`, () => {
      let failures = 0
      beforeAll(() => turnOff(off))
      beforeEach((context) => {
        const name = nameOf(context.task)
        if (reds.length >= enough || !telling().includes(name)) context.skip()
        answer.asked?.push(name)
        failures = failuresOfOurs()
      })
      afterEach(({ task }) => {
        const [error] = task.result?.errors ?? []
        if (task.result?.state !== 'fail' || !error) return
        const name = nameOf(task)
        const isCrash = failuresOfOurs() > failures && !failing.has(name)
        if (isCrash || /timed out/.test(error.message)) answer.crashed ??= name
        else reds.push({ test: name, says: error.message.slice(0, 200) })
      })
      return again()
    })
    // A pair guards where the first of it alone is not red; one check, where nothing is without it off.
    describe(`the same with ${off.slice(0, -1).join() || 'none'} off`, () => {
      beforeAll(() => turnOff(off.slice(0, -1)))
      beforeEach((context) => {
        const name = nameOf(context.task)
        const isPast = answer.asked?.indexOf(name) === -1
        if (reds.length === 0 || isPast) context.skip()
      })
      afterEach(({ task }) => {
        if (task.result?.state === 'fail') redAnyway.add(nameOf(task))
      })
      afterAll(() => {
        turnOff([])
        const telling = reds.find(({ test }) => !redAnyway.has(test))
        answer.red = telling ?? reds[0] ?? null
        if (answer.red && !telling) answer.unsure = true
        write(answer)
      })
      return again()
    })
  }
}
