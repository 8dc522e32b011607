import {
  isAnswered,
  singleAnswerKey,
  type TemplateAnswers,
  type TemplateField,
} from '#contract/keepers/engagement-templates.ts'
import type { ResolvedStep } from './template-catalog.ts'

interface ComposedEntry {
  markdown: string
  tags: string[]
  mediaIds: string[]
  place: string | null
}

export function composeEntry(steps: readonly ResolvedStep[], answers: readonly TemplateAnswers[]): ComposedEntry {
  const allAnswers = steps.flatMap((step, index) => listAnswers(step, answers[index] ?? {}))
  const parts = steps.flatMap((step, index) => {
    const texts = listAnswers(step, answers[index] ?? {}).flatMap(({ field, value }) =>
      formatAnswer(step, field, value),
    )
    if (texts.length === 0) return []
    return steps.length > 1 ? [`## ${escapeMarkdown(step.title)}`, ...texts] : texts
  })
  const collectItems = (type: TemplateField['type']) =>
    allAnswers.flatMap(({ field, value }) => (field.type === type && Array.isArray(value) ? value : []))
  const placeAnswer = allAnswers.find(({ field }) => field.type === 'place')?.value
  return {
    markdown: parts.join('\n\n'),
    tags: [...new Set(collectItems('tags').map((tag) => tag.trim()))],
    mediaIds: [...new Set(collectItems('media'))],
    place: typeof placeAnswer === 'string' ? placeAnswer.trim() : null,
  }
}

function listAnswers(step: ResolvedStep, answers: TemplateAnswers) {
  const templateFields = step.fields.map((field) => ({ field, value: answers[field.key] }))
  const removedFields = Object.entries(answers)
    .filter(([key]) => !step.fields.some((field) => field.key === key))
    .map(([key, value]) => ({ field: toRemovedField(key), value }))
  return [...templateFields, ...removedFields].flatMap(({ field, value }) =>
    isAnswered(value) ? [{ field, value }] : [],
  )
}

const toRemovedField = (key: string): TemplateField => {
  const labelText = key.replaceAll('_', ' ')
  return { key, label: labelText.charAt(0).toUpperCase() + labelText.slice(1), type: 'longtext', required: false }
}

/** The moment displays its files itself, so its text doesn't repeat them. */
function formatAnswer(step: ResolvedStep, field: TemplateField, value: TemplateAnswers[string]): string[] {
  if (field.type === 'media') return []
  const text = Array.isArray(value) ? value.map((item) => item.trim()).join(', ') : String(value).trim()
  if (field.type === 'longtext') return [`**${escapeMarkdown(getQuestion(step, field))}**`, text]
  return [`**${escapeMarkdown(field.label)}:** ${formatValue(field, text)}`]
}

function getQuestion(step: ResolvedStep, field: TemplateField): string {
  const isOnlyQuestion = field.key === singleAnswerKey && field.label === step.title
  return (isOnlyQuestion && step.prompt) || field.label
}

function formatValue(field: TemplateField, text: string): string {
  if (field.type === 'scale') return `${text} of ${getScaleMax(field)}`
  if (field.type !== 'date') return text
  const day = new Date(`${text}T00:00:00Z`)
  return day.toLocaleDateString('en-US', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' })
}

const escapeMarkdown = (text: string) => text.replace(/\s+/g, ' ').replace(/[*_`[\]\\<#]/g, '\\$&')

const defaultScaleMax = 5

export const getScaleMax = (field: Pick<TemplateField, 'most'>) => field.most ?? defaultScaleMax
