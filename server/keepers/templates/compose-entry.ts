import {
  isAnswered,
  soleAnswerKey,
  type TemplateAnswers,
  type TemplateField,
} from '#contract/keepers/engagement-templates.ts'
import { mostOfScale } from './check-answers.ts'
import type { AskedStep } from './template-steps.ts'

export interface Composed {
  markdown: string
  tags: string[]
  mediaIds: string[]
  /** The first answer of type place. */
  place: string | null
}

/** Readable without the template: questions in bold, and a heading for each of several steps. */
export function composeEntry(steps: readonly AskedStep[], answers: readonly TemplateAnswers[]): Composed {
  const said = steps.flatMap((step, at) => answersTo(step, answers[at] ?? {}))
  const parts = steps.flatMap((step, at) => {
    const texts = answersTo(step, answers[at] ?? {}).flatMap(({ field, value }) => written(step, field, value))
    if (texts.length === 0) return []
    return steps.length > 1 ? [`## ${plain(step.title)}`, ...texts] : texts
  })
  const listsOf = (type: TemplateField['type']) =>
    said.flatMap(({ field, value }) => (field.type === type && Array.isArray(value) ? value : []))
  const place = said.find(({ field }) => field.type === 'place')?.value
  return {
    markdown: parts.join('\n\n'),
    tags: [...new Set(listsOf('tags').map((tag) => tag.trim()))],
    mediaIds: [...new Set(listsOf('media'))],
    place: typeof place === 'string' ? place.trim() : null,
  }
}

/** In field order, followed by answers whose question was removed. */
function answersTo(step: AskedStep, answers: TemplateAnswers) {
  const asked = step.fields.map((field) => ({ field, value: answers[field.key] }))
  const gone = Object.entries(answers)
    .filter(([key]) => !step.fields.some((field) => field.key === key))
    .map(([key, value]) => ({ field: asText(key), value }))
  return [...asked, ...gone].flatMap(({ field, value }) => (isAnswered(value) ? [{ field, value }] : []))
}

const asText = (key: string): TemplateField => {
  const words = key.replaceAll('_', ' ')
  return { key, label: words.charAt(0).toUpperCase() + words.slice(1), type: 'longtext', required: false }
}

/** Files are shown by the moment, not in its text. */
function written(step: AskedStep, field: TemplateField, value: TemplateAnswers[string]): string[] {
  if (field.type === 'media') return []
  const text = Array.isArray(value) ? value.map((word) => word.trim()).join(', ') : String(value).trim()
  if (field.type === 'longtext') return [`**${plain(questionOf(step, field))}**`, text]
  return [`**${plain(field.label)}:** ${inWords(field, text)}`]
}

/** The question of a step with a single text is its prompt. */
const questionOf = (step: AskedStep, field: TemplateField) =>
  (field.key === soleAnswerKey && field.label === step.title && step.prompt) || field.label

function inWords(field: TemplateField, text: string): string {
  if (field.type === 'scale') return `${text} of ${mostOfScale(field)}`
  if (field.type !== 'date') return text
  const day = new Date(`${text}T00:00:00Z`)
  return day.toLocaleDateString('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' })
}

/** One line with Markdown escaped. */
const plain = (text: string) => text.replace(/\s+/g, ' ').replace(/[*_`[\]\\<#]/g, '\\$&')
