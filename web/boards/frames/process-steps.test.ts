import { expect, test } from 'vitest'
import type { Step } from '#contract/boards/frame-content.ts'
import { nextState, progressOf, renamed, withState, withSteps } from './process-steps.ts'

const steps: Step[] = [
  { id: 'a', title: 'Gather moments', state: 'done' },
  { id: 'b', title: 'Wait one day', state: 'active' },
  { id: 'c', title: 'Call Ida', state: 'skipped' },
]

test('a step goes through its four states and begins anew', () => {
  expect(nextState('todo')).toBe('active')
  expect(nextState('active')).toBe('done')
  expect(nextState('done')).toBe('skipped')
  expect(nextState('skipped')).toBe('todo')
})

test('one step changes its state and the others stay the same objects', () => {
  const after = withState(steps, 'b', 'done')
  expect(after[1]).toEqual({ id: 'b', title: 'Wait one day', state: 'done' })
  expect(after[0]).toBe(steps[0])
})

test('a step is renamed; one whose words are all taken away goes', () => {
  expect(renamed(steps, 'a', '  Look back ')[0]?.title).toBe('Look back')
  expect(renamed(steps, 'a', '   ').map(({ id }) => id)).toEqual(['b', 'c'])
})

test('pasted lines become a step each, empty ones none, and never more than a frame holds', () => {
  let at = 0
  const newId = () => `new-${at++}`
  expect(withSteps(steps, 'One\n\n  Two \n', 60, newId).slice(3)).toEqual([
    { id: 'new-0', title: 'One', state: 'todo' },
    { id: 'new-1', title: 'Two', state: 'todo' },
  ])
  expect(withSteps(steps, 'One\nTwo', 4, newId)).toHaveLength(4)
  expect(withSteps(steps, 'x'.repeat(300), 60, newId).at(-1)?.title).toHaveLength(200)
})

test('a step whose line is too long ends before the character that fits no more, so that its board can be saved', () => {
  const [step] = withSteps([], `${'x'.repeat(199)}🚢`, 60, () => 'new')
  expect(step?.title).toBe('x'.repeat(199))
})

test('what was skipped is not waited for', () => {
  expect(progressOf(steps)).toBe('1 of 2 done')
})
