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

test('pasted lines become a step each, empty ones none; what is more than a frame holds is handed back', () => {
  let at = 0
  const newId = () => `new-${at++}`
  expect(withSteps(steps, 'One\n\n  Two \n', 60, newId)).toEqual({
    steps: [...steps, { id: 'new-0', title: 'One', state: 'todo' }, { id: 'new-1', title: 'Two', state: 'todo' }],
    rest: '',
  })
  const full = withSteps(steps, 'One\nTwo\n\nThree', 4, newId)
  expect([full.steps.at(-1)?.title, full.steps.length, full.rest]).toEqual(['One', 4, 'Two\nThree'])
  expect(withSteps(steps, 'One', 2, newId)).toEqual({ steps, rest: 'One' })
})

const titlesOf = (text: string) => withSteps([], text, 60, () => 'new').steps.map(({ title }) => title)

test('a line that is too long for one step becomes several, cut between words', () => {
  const words = `${'word '.repeat(39)}lastly`
  expect(titlesOf(`${words} and more`)).toEqual([`${'word '.repeat(38)}word`, 'lastly and more'])
  expect(titlesOf(`${'x'.repeat(200)} y`)).toEqual(['x'.repeat(200), 'y'])
  expect(titlesOf('x'.repeat(450)).map(({ length }) => length)).toEqual([200, 200, 50])
})

test('a word that is too long is cut before the character that fits no more, so that its board can be saved', () => {
  expect(titlesOf(`${'x'.repeat(199)}🚢`)).toEqual(['x'.repeat(199), '🚢'])
})

test('what was skipped is not waited for', () => {
  expect(progressOf(steps)).toBe('1 of 2 done')
})
