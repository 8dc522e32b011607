import { expect, test } from 'vitest'
import type { ProcessStep } from '#contract/boards/frame-content.ts'
import { addSteps, formatStepProgress, getNextState, renameStep, setStepState } from './process-frame.tsx'

const steps: ProcessStep[] = [
  { id: 'a', title: 'Gather moments', state: 'done' },
  { id: 'b', title: 'Wait one day', state: 'active' },
  { id: 'c', title: 'Call Ida', state: 'skipped' },
]

test('a step cycles through its 4 states', () => {
  expect(getNextState('todo')).toBe('active')
  expect(getNextState('active')).toBe('done')
  expect(getNextState('done')).toBe('skipped')
  expect(getNextState('skipped')).toBe('todo')
})

test('changing one step reuses the others', () => {
  const updated = setStepState(steps, 'b', 'done')
  expect(updated[1]).toEqual({ id: 'b', title: 'Wait one day', state: 'done' })
  expect(updated[0]).toBe(steps[0])
})

test('a step can be renamed, and an empty title removes the step', () => {
  expect(renameStep(steps, 'a', '  Look back ')[0]?.title).toBe('Look back')
  expect(renameStep(steps, 'a', '   ').map(({ id }) => id)).toEqual(['b', 'c'])
})

test('each pasted line becomes a step; lines beyond the limit are returned', () => {
  let idCount = 0
  const createId = () => `new-${idCount++}`
  expect(addSteps(steps, 'One\n\n  Two \n', 60, createId)).toEqual({
    steps: [...steps, { id: 'new-0', title: 'One', state: 'todo' }, { id: 'new-1', title: 'Two', state: 'todo' }],
    remainingText: '',
  })
  const full = addSteps(steps, 'One\nTwo\n\nThree', 4, createId)
  expect(full).toMatchObject({ steps: { length: 4 }, remainingText: 'Two\nThree' })
  expect(full.steps.at(-1)?.title).toBe('One')
  expect(addSteps(steps, 'One', 2, createId)).toEqual({ steps, remainingText: 'One' })
})

const toTitles = (text: string) => addSteps([], text, 60, () => 'new').steps.map(({ title }) => title)

test('long lines are split between words', () => {
  const longText = `${'word '.repeat(39)}lastly`
  expect(toTitles(`${longText} and more`)).toEqual([`${'word '.repeat(38)}word`, 'lastly and more'])
  expect(toTitles(`${'x'.repeat(200)} y`)).toEqual(['x'.repeat(200), 'y'])
  expect(toTitles('x'.repeat(450)).map(({ length }) => length)).toEqual([200, 200, 50])
})

test('long words are split between characters', () => {
  expect(toTitles(`${'x'.repeat(199)}🚢`)).toEqual(['x'.repeat(199), '🚢'])
})

test('progress ignores skipped steps', () => {
  expect(formatStepProgress(steps)).toBe('1 of 2 done')
})
