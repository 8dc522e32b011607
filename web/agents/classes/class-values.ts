import type { AgentClassEntry, ClassDefaults } from '#contract/agents/agent-classes.ts'
import type { ContextScope, Visibility } from '#contract/agents/agent-constants.ts'
import { coordinatorSettings, type Provider } from '#contract/agents/model-settings.ts'
import { getProviderInfo } from '#contract/providers/registry.ts'
import { fromRangeValue, toRangeValue } from '#web/ui/fields/setting-range.tsx'
import { type AgentFormValues, toNewAgentValues } from '../form/agent-form-values.ts'

export type ClassBase = 'Standard' | 'Coordinator' | 'Lead'

export interface ClassValues {
  name: string
  base: ClassBase
  description: string
  provider: Provider
  model: string
  temperature: number
  maxTokens: number
  memory: boolean
  scope: ContextScope
  visibility: Visibility
  tools: string[]
}

export const getDefaultModel = (provider: Provider, base: ClassBase) => {
  const { model, temperature, max_tokens } = getProviderInfo(provider).settings
  const defaultModel = { model, temperature: toRangeValue(temperature), maxTokens: toRangeValue(max_tokens) }
  return base === 'Coordinator'
    ? { ...defaultModel, temperature: coordinatorSettings.temperature, maxTokens: coordinatorSettings.max_tokens }
    : defaultModel
}

export const blankClass: ClassValues = {
  name: '',
  base: 'Standard',
  description: '',
  provider: 'openai',
  ...getDefaultModel('openai', 'Standard'),
  memory: false,
  scope: 'user_input',
  visibility: 'private',
  tools: [],
}

export function toClassValues(entry: AgentClassEntry): ClassValues {
  const base = entry.base === 'Persona' ? 'Standard' : entry.base
  const { defaults } = entry
  const provider = defaults.model_provider ?? 'openai'
  const defaultModel = getDefaultModel(provider, base)
  return {
    name: entry.name,
    base,
    description: entry.description,
    provider,
    model: defaults.model_settings?.model ?? defaultModel.model,
    temperature: toFieldValue(defaults.model_settings?.temperature, defaultModel.temperature),
    maxTokens: toFieldValue(defaults.model_settings?.max_tokens, defaultModel.maxTokens),
    memory: defaults.memory_enabled ?? false,
    scope: defaults.context_scope ?? 'user_input',
    visibility: defaults.visibility ?? 'private',
    tools: defaults.tools ?? [],
  }
}

/** null means the model's own value, undefined the default. */
const toFieldValue = (setting: number | null | undefined, defaultValue: number) =>
  setting === undefined ? defaultValue : toRangeValue(setting)

/** Keeps fields of `previousDefaults` that the form doesn't show. */
export function toClassBody(values: ClassValues, previousDefaults: ClassDefaults = {}) {
  const defaults: ClassDefaults = {
    ...previousDefaults,
    model_provider: values.provider,
    model_settings: {
      ...previousDefaults.model_settings,
      model: values.model.trim(),
      temperature: fromRangeValue(values.temperature),
      max_tokens: fromRangeValue(values.maxTokens),
    },
    memory_enabled: values.memory,
    context_scope: values.scope,
    visibility: values.visibility,
    tools: values.tools,
  }
  return { name: values.name.trim(), base: values.base, description: values.description.trim(), defaults }
}

export const toAgentValues = ({ base, defaults, system, slug }: AgentClassEntry): AgentFormValues =>
  toNewAgentValues({ ...defaults, agent_class: base, class_slug: system ? '' : slug })
