import {
  type EngagementTemplate,
  type FieldType,
  getScaleMax,
  type TemplateField,
  type TemplateStep,
  type TemplateTarget,
} from '#contract/keepers/engagement-templates.ts'
import { createFreeKey } from '#web/catalog/free-key.ts'
import { createClientId } from '#web/offline/create-client-id.ts'

/** A builder row, identified by `row` until it has a key. */
export type DraftField = Omit<TemplateField, 'key' | 'options'> & { row: string; key: string; options: string[] }
export type DraftStep = TemplateStep & { row: string }

export interface TemplateValues
  extends Pick<EngagementTemplate, 'label' | 'description' | 'category' | 'type' | 'target'> {
  fields: DraftField[]
  steps: DraftStep[]
}
export type CustomTemplateKind = 'content-type' | 'process'

export const fieldTypeNames: Record<FieldType, string> = {
  text: 'Short text',
  longtext: 'Long text',
  date: 'Date',
  number: 'Number',
  choice: 'Choice',
  scale: 'Scale',
  media: 'Pictures and sound',
  tags: 'Tags',
  person: 'Person',
  place: 'Place',
}
export const targetNames: Record<TemplateTarget, string> = {
  reflection: 'A reflection',
  moment: 'A moment',
  logbook: 'A logbook entry',
}
export const templateTypeNames: Record<EngagementTemplate['type'], string> = {
  memory: 'Memory',
  identity: 'Identity',
  timeline: 'Timeline',
  other: 'Other',
}

export const createField = (): DraftField => ({
  row: createClientId(),
  key: '',
  label: '',
  type: 'longtext',
  required: false,
  options: [],
})
export const createStep = (): DraftStep => ({
  row: createClientId(),
  title: '',
  prompt: '',
  contentTypeId: null,
  agentSlug: null,
  waitHours: null,
})

export const createBlankTemplate = (kind: CustomTemplateKind): TemplateValues => ({
  label: '',
  description: '',
  category: '',
  type: 'other',
  target: 'reflection',
  fields: kind === 'content-type' ? [createField()] : [],
  steps: kind === 'process' ? [createStep()] : [],
})

export function toTemplateValues({ fields, steps, ...template }: EngagementTemplate): TemplateValues {
  const { label, description, category, type, target } = template
  return {
    label,
    description,
    category,
    type,
    target,
    fields: fields.map((field, index) => ({ ...field, options: field.options ?? [], row: `${index}` })),
    steps: steps.map((step, index) => ({ ...step, row: `${index}` })),
  }
}

/** The request body. Existing fields keep their keys, which answers refer to; new ones derive a key from the label. */
export function toTemplateBody(values: TemplateValues, kind: CustomTemplateKind) {
  const { label, description, category, type, target } = values
  const commonFields = { label: label.trim(), description: description.trim(), category: category.trim(), type, target }
  return kind === 'content-type'
    ? { ...commonFields, fields: toTemplateFields(values.fields) }
    : { ...commonFields, steps: values.steps.map(({ row: _, ...step }) => ({ ...step, title: step.title.trim() })) }
}

export function toTemplateFields(drafts: readonly DraftField[]): TemplateField[] {
  const usedKeys = new Set(drafts.flatMap(({ key }) => (key === '' ? [] : [key])))
  return drafts.map(({ row: _, options, help, most, ...field }) => {
    const key = field.key || createFreeKey(field.label, usedKeys, 'field')
    usedKeys.add(key)
    return {
      ...field,
      key,
      label: field.label.trim(),
      ...(help?.trim() && { help: help.trim() }),
      ...(field.type === 'choice' && { options: options.map((option) => option.trim()).filter(Boolean) }),
      ...(field.type === 'scale' && { most: getScaleMax({ most }) }),
    }
  })
}

/** Names of missing fields, for people. */
export function listMissingFields(values: TemplateValues, kind: CustomTemplateKind): string[] {
  const missing: string[] = []
  if (values.label.trim() === '') missing.push('a name')
  if (kind === 'content-type') {
    if (values.fields.length === 0) missing.push('a field')
    if (values.fields.some(({ label }) => label.trim() === '')) missing.push('a label for each field')
    if (values.fields.some(({ type, options }) => type === 'choice' && new Set(options).size < 2))
      missing.push('two choices for each choice question')
  } else {
    if (values.steps.length === 0) missing.push('a step')
    if (values.steps.some(({ title }) => title.trim() === '')) missing.push('a title for each step')
  }
  return missing
}
