import { expect, it } from 'vitest'
import type { TemplateAnswers } from '#contract/keepers/engagement-templates.ts'
import { findUnsentSteps, mergeAnswers } from './unsent-answers.ts'

const sent: TemplateAnswers[] = [{ tide: 'low', wind: 'none' }, { shore: 'sand' }]

it('a merge keeps local answers of every step', () => {
  const answers: TemplateAnswers[] = [{ tide: 'high', wind: 'none' }, { shore: 'stones' }, { sky: 'grey' }]
  const newer: TemplateAnswers[] = [{ tide: 'half', wind: 'none' }, { shore: 'mud' }]
  expect(mergeAnswers(newer, { answers, sent })).toEqual(answers)
})

it('a merge takes the server’s value of answers not changed locally', () => {
  const answers: TemplateAnswers[] = [{ tide: 'high', wind: 'none' }, { shore: 'sand' }]
  const newer: TemplateAnswers[] = [{ tide: 'low', wind: 'a storm' }, { shore: 'mud' }]
  expect(mergeAnswers(newer, { answers, sent })).toEqual([{ tide: 'high', wind: 'a storm' }, { shore: 'mud' }])
})

it('a merge does not restore an answer removed locally', () => {
  const answers: TemplateAnswers[] = [{ wind: 'none' }, { shore: 'sand' }]
  expect(mergeAnswers([...sent, { sky: 'blue' }], { answers, sent })).toEqual([...answers, { sky: 'blue' }])
})

it('unsent steps are those with changed, added or removed answers', () => {
  expect(findUnsentSteps({ answers: [{ tide: 'low', wind: 'none' }, { shore: 'sand' }, {}], sent })).toEqual([])
  expect(findUnsentSteps({ answers: [{ tide: 'low' }, { shore: 'sand' }, { sky: ['grey'] }], sent })).toEqual([0, 2])
  expect(findUnsentSteps({ answers: [{ wind: 'none', tide: 'low' }, { shore: 'stones' }], sent })).toEqual([1])
})
