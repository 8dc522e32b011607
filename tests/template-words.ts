import type { TemplateField, TemplateStep } from '#contract/keepers/engagement-templates.ts'

export const templateField = (key: string, more: Partial<TemplateField> = {}): TemplateField => ({
  key,
  label: `What about ${key}?`,
  type: 'longtext',
  required: false,
  ...more,
})

export const templateStep = (title: string, more: Partial<TemplateStep> = {}): TemplateStep => ({
  title,
  prompt: '',
  contentTypeId: null,
  agentSlug: null,
  waitHours: null,
  ...more,
})
