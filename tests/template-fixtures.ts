import type { TemplateField, TemplateStep } from '#contract/keepers/engagement-templates.ts'

export const createTemplateField = (key: string, overrides: Partial<TemplateField> = {}): TemplateField => ({
  key,
  label: `What about ${key}?`,
  type: 'longtext',
  required: false,
  ...overrides,
})

export const createTemplateStep = (title: string, overrides: Partial<TemplateStep> = {}): TemplateStep => ({
  title,
  prompt: '',
  contentTypeId: null,
  agentSlug: null,
  waitHours: null,
  ...overrides,
})
