import { expect, it } from 'vitest'
import type { TemplateField } from '#contract/keepers/engagement-templates.ts'
import { before, progressOf, startOf } from './run-position.ts'

const field = (key: string): TemplateField => ({ key, label: key, type: 'text', required: false })
const step = (...keys: string[]) => ({ title: '', prompt: '', agentSlug: null, fields: keys.map(field) })
const steps = [step('a', 'b'), step(), step('c')]

it('one goes on at the first question of the step that has no answer', () => {
  expect(startOf({ step: 0, steps, answers: [] })).toEqual({ step: 0, at: 0 })
  expect(startOf({ step: 0, steps, answers: [{ a: 'x', b: ' ' }] })).toEqual({ step: 0, at: 1 })
  expect(startOf({ step: 0, steps, answers: [{ a: 'x', b: 'y' }] })).toEqual({ step: 0, at: 1 })
  expect(startOf({ step: 3, steps, answers: [] })).toEqual({ step: 2, at: 0 })
})

it('back goes over a step that asks nothing, and nowhere before the first question', () => {
  expect(before(steps, { step: 2, at: 0 })).toEqual({ step: 0, at: 1 })
  expect(before(steps, { step: 0, at: 1 })).toEqual({ step: 0, at: 0 })
  expect(before(steps, { step: 0, at: 0 })).toBeUndefined()
})

it('counts questions over all steps', () => {
  expect(progressOf(steps, { step: 0, at: 1 })).toEqual({ number: 2, all: 4 })
  expect(progressOf(steps, { step: 2, at: 0 })).toEqual({ number: 4, all: 4 })
})
