import { expect, it } from 'vitest'
import type { TemplateAnswers, TemplateField } from '#contract/keepers/engagement-templates.ts'
import { findUnsentSteps, getPreviousPosition, getProgress, getStartPosition, mergeAnswers } from './run-position.ts'

const createField = (key: string): TemplateField => ({ key, label: key, type: 'text', required: false })
const createStep = (...keys: string[]) => ({ title: '', prompt: '', agentSlug: null, fields: keys.map(createField) })
const steps = [createStep('a', 'b'), createStep(), createStep('c')]

it('a run continues at the first unanswered question of its step, or at the last one', () => {
  expect(getStartPosition({ step: 0, steps, answers: [] })).toEqual({ step: 0, at: 0 })
  expect(getStartPosition({ step: 0, steps, answers: [{ a: 'x', b: ' ' }] })).toEqual({ step: 0, at: 1 })
  expect(getStartPosition({ step: 0, steps, answers: [{ a: 'x', b: 'y' }] })).toEqual({ step: 0, at: 1 })
  expect(getStartPosition({ step: 3, steps, answers: [] })).toEqual({ step: 2, at: 0 })
})

it('going back skips steps without questions and stops at the first question', () => {
  expect(getPreviousPosition(steps, { step: 2, at: 0 })).toEqual({ step: 0, at: 1 })
  expect(getPreviousPosition(steps, { step: 0, at: 1 })).toEqual({ step: 0, at: 0 })
  expect(getPreviousPosition(steps, { step: 0, at: 0 })).toBeUndefined()
})

it('getProgress counts all questions, and a step without questions as one', () => {
  expect(getProgress(steps, { step: 0, at: 1 })).toEqual({ number: 2, total: 4 })
  expect(getProgress(steps, { step: 2, at: 0 })).toEqual({ number: 4, total: 4 })
})

const sent: TemplateAnswers[] = [{ tide: 'low', wind: 'none' }, { shore: 'sand' }]

it('a merge keeps local answers of every step', () => {
  const answers: TemplateAnswers[] = [{ tide: 'high', wind: 'none' }, { shore: 'stones' }, { sky: 'grey' }]
  const remoteAnswers: TemplateAnswers[] = [{ tide: 'half', wind: 'none' }, { shore: 'mud' }]
  expect(mergeAnswers(remoteAnswers, { answers, sent })).toEqual(answers)
})

it('a merge takes the server’s value of answers not changed locally', () => {
  const answers: TemplateAnswers[] = [{ tide: 'high', wind: 'none' }, { shore: 'sand' }]
  const remoteAnswers: TemplateAnswers[] = [{ tide: 'low', wind: 'a storm' }, { shore: 'mud' }]
  expect(mergeAnswers(remoteAnswers, { answers, sent })).toEqual([{ tide: 'high', wind: 'a storm' }, { shore: 'mud' }])
})

it('a merge does not restore an answer removed locally', () => {
  const answers: TemplateAnswers[] = [{ wind: 'none' }, { shore: 'sand' }]
  expect(mergeAnswers([...sent, { sky: 'blue' }], { answers, sent })).toEqual([...answers, { sky: 'blue' }])
})

it('steps with changed, added or removed answers are unsent', () => {
  expect(findUnsentSteps({ answers: [{ tide: 'low', wind: 'none' }, { shore: 'sand' }, {}], sent })).toEqual([])
  expect(findUnsentSteps({ answers: [{ tide: 'low' }, { shore: 'sand' }, { sky: ['grey'] }], sent })).toEqual([0, 2])
  expect(findUnsentSteps({ answers: [{ wind: 'none', tide: 'low' }, { shore: 'stones' }], sent })).toEqual([1])
})
