import { expect, it } from 'vitest'
import type { TemplateField } from '#contract/keepers/engagement-templates.ts'
import { getPreviousPosition, getProgress, getStartPosition } from './run-position.ts'

const field = (key: string): TemplateField => ({ key, label: key, type: 'text', required: false })
const step = (...keys: string[]) => ({ title: '', prompt: '', agentSlug: null, fields: keys.map(field) })
const steps = [step('a', 'b'), step(), step('c')]

it('a run continues at the first unanswered question of its step', () => {
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

it('counts questions across all steps', () => {
  expect(getProgress(steps, { step: 0, at: 1 })).toEqual({ number: 2, total: 4 })
  expect(getProgress(steps, { step: 2, at: 0 })).toEqual({ number: 4, total: 4 })
})
