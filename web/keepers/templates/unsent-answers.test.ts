import { expect, it } from 'vitest'
import type { TemplateAnswers } from '#contract/keepers/engagement-templates.ts'
import { answersOnto, unsentSteps } from './unsent-answers.ts'

const sent: TemplateAnswers[] = [{ tide: 'low', wind: 'none' }, { shore: 'sand' }]

it('answers typed in a step that is not in sight stay when one’s own are saved over newer ones', () => {
  const answers: TemplateAnswers[] = [{ tide: 'high', wind: 'none' }, { shore: 'stones' }, { sky: 'grey' }]
  const newer: TemplateAnswers[] = [{ tide: 'half', wind: 'none' }, { shore: 'mud' }]
  expect(answersOnto(newer, { answers, sent })).toEqual(answers)
})

it('what nobody touched here is as the server has it now, and not written over with what it was', () => {
  const answers: TemplateAnswers[] = [{ tide: 'high', wind: 'none' }, { shore: 'sand' }]
  const newer: TemplateAnswers[] = [{ tide: 'low', wind: 'a storm' }, { shore: 'mud' }]
  expect(answersOnto(newer, { answers, sent })).toEqual([{ tide: 'high', wind: 'a storm' }, { shore: 'mud' }])
})

it('an answer that was taken back here does not come back with the newer ones', () => {
  const answers: TemplateAnswers[] = [{ wind: 'none' }, { shore: 'sand' }]
  expect(answersOnto([...sent, { sky: 'blue' }], { answers, sent })).toEqual([...answers, { sky: 'blue' }])
})

it('the steps that are not sent yet are those where an answer is another, a new one or none', () => {
  expect(unsentSteps({ answers: [{ tide: 'low', wind: 'none' }, { shore: 'sand' }, {}], sent })).toEqual([])
  expect(unsentSteps({ answers: [{ tide: 'low' }, { shore: 'sand' }, { sky: ['grey'] }], sent })).toEqual([0, 2])
  expect(unsentSteps({ answers: [{ wind: 'none', tide: 'low' }, { shore: 'stones' }], sent })).toEqual([1])
})
