import type { ClassDefaults } from '#contract/agents/agent-classes.ts'
import {
  type AgentClass,
  type ContextScope,
  defaultAvatar,
  defaultThemeColor,
  type Visibility,
} from '#contract/agents/agent-constants.ts'
import type { Agent, AgentConfig, NewAgent } from '#contract/agents/agents.ts'
import {
  completeSettings,
  coordinatorSettings,
  type ModelSettings,
  type Provider,
} from '#contract/agents/model-settings.ts'
import { getProviderInfo } from '#contract/providers/registry.ts'
import { fromRangeValue, toRangeValue } from '#web/ui/fields/setting-range.tsx'
import { parseNames } from './name-list.ts'

/** Form state: lists as typed text, numbers as NaN while empty. */
export interface AgentFormValues {
  name: string
  slug: string
  agent_class: AgentClass
  /** Slug of the custom class it started from, or ''. */
  class_slug: string
  context_scope: ContextScope
  purpose: string
  tools: string
  permissions: string
  bundle: string[]
  tagline: string
  personality: string
  capabilities: string
  avatar: string
  theme_color: string
  model_provider: Provider
  model: string
  /** The model of a new agent is replaced by the provider's default once that is known. */
  awaits_default_model: boolean
  temperature: number
  max_tokens: number
  top_p: number
  frequency_penalty: number
  presence_penalty: number
  max_retries: number
  retry_delay_ms: number
  fallback_provider: Provider
  fallback_model: string
  /** ElevenLabs voice id, or ''. */
  voice_id: string
  voice_name: string
  visibility: Visibility
  memory_enabled: boolean
  visitors_spend_owner_key: boolean
  /** null, not NaN: the field would reject NaN when it is shown again. */
  visitor_daily_usd: number | null
}
export type AgentField = Exclude<keyof AgentFormValues, 'awaits_default_model'>

export type ModelFields = Pick<
  AgentFormValues,
  | 'model'
  | 'temperature'
  | 'max_tokens'
  | 'top_p'
  | 'frequency_penalty'
  | 'presence_penalty'
  | 'max_retries'
  | 'retry_delay_ms'
>

/** Model fields for a provider; hidden ones keep OpenAI's defaults. */
export function toModelFields(settings: ModelSettings): ModelFields {
  return {
    model: settings.model,
    temperature: toRangeValue(settings.temperature),
    max_tokens: toRangeValue(settings.max_tokens),
    top_p: settings.top_p === undefined ? 1 : toRangeValue(settings.top_p),
    frequency_penalty: settings.frequency_penalty === undefined ? 0 : toRangeValue(settings.frequency_penalty),
    presence_penalty: settings.presence_penalty === undefined ? 0 : toRangeValue(settings.presence_penalty),
    ...settings.retry,
  }
}

export const newAgentValues: AgentFormValues = {
  name: '',
  slug: '',
  agent_class: 'Standard',
  class_slug: '',
  context_scope: 'user_input',
  purpose: '',
  tools: '',
  permissions: '',
  bundle: [],
  tagline: '',
  personality: '',
  capabilities: '',
  avatar: defaultAvatar,
  theme_color: defaultThemeColor,
  model_provider: 'openai',
  ...toModelFields(getProviderInfo('openai').settings),
  awaits_default_model: true,
  fallback_provider: '',
  fallback_model: '',
  voice_id: '',
  voice_name: '',
  visibility: 'private',
  memory_enabled: false,
  visitors_spend_owner_key: false,
  visitor_daily_usd: null,
}

type NewAgentStart = Partial<Omit<AgentFormValues, 'tools'>> & ClassDefaults

/** The values of a new agent, with the settings of a class or a proposal. */
export function toNewAgentValues({ model_settings, tools = [], ...start }: NewAgentStart): AgentFormValues {
  const startValues = Object.fromEntries(Object.entries(start).filter(([, value]) => value !== undefined))
  const values: AgentFormValues = { ...newAgentValues, ...startValues, tools: tools.join(', ') }
  const classSettings = values.agent_class === 'Coordinator' && coordinatorSettings
  return {
    ...values,
    ...toModelFields(completeSettings(values.model_provider, { ...classSettings, ...model_settings })),
    // A custom class decides the model, even by naming none.
    awaits_default_model: model_settings?.model === undefined && values.class_slug === '',
  }
}

/** Stored drafts have null for NaN, an empty number. */
export function restoreNumbers(values: AgentFormValues): AgentFormValues {
  const entries = Object.entries(values).map(([field, value]) => [
    field,
    value ?? (field === 'visitor_daily_usd' ? null : Number.NaN),
  ])
  return Object.fromEntries(entries) as AgentFormValues
}

export function toFormValues(agent: Agent): AgentFormValues {
  const { config } = agent
  return {
    name: agent.name,
    slug: agent.slug,
    agent_class: agent.agent_class,
    class_slug: config.class_slug ?? '',
    context_scope: agent.context_scope as ContextScope,
    purpose: agent.purpose,
    tools: agent.tools.join(', '),
    permissions: agent.permissions.join(', '),
    bundle: config.bundle ?? [],
    tagline: config.tagline ?? '',
    personality: config.personality ?? '',
    capabilities: joinNames(config.capabilities),
    avatar: config.avatar?.trim() || defaultAvatar,
    theme_color: config.theme_color ?? defaultThemeColor,
    model_provider: agent.model_provider,
    ...toModelFields(agent.model_settings),
    awaits_default_model: false,
    fallback_provider: config.fallback_model?.provider ?? '',
    fallback_model: config.fallback_model?.model ?? '',
    voice_id: config.voice_id ?? '',
    voice_name: config.voice_name ?? '',
    visibility: agent.visibility,
    memory_enabled: agent.memory_enabled,
    visitors_spend_owner_key: agent.visitors_spend_owner_key,
    visitor_daily_usd: agent.visitor_daily_usd,
  }
}

/** Capabilities are a list, or one text. */
export const joinNames = (names: string | string[] = '') => (Array.isArray(names) ? names.join(', ') : names)

/** Keeps fields of `previousConfig` that the form doesn't show. */
export function toAgentBody(values: AgentFormValues, previousConfig: AgentConfig = {}): NewAgent {
  const { model, temperature, max_tokens, top_p, frequency_penalty, presence_penalty } = values
  const { max_retries, retry_delay_ms } = values
  return {
    name: values.name.trim(),
    slug: values.slug.trim(),
    purpose: values.purpose.trim(),
    agent_class: values.agent_class,
    context_scope: values.context_scope,
    memory_enabled: values.memory_enabled,
    tools: parseNames(values.tools),
    permissions: parseNames(values.permissions),
    config: toConfig(values, previousConfig),
    model_provider: values.model_provider,
    model: model.trim(),
    model_settings: completeSettings(values.model_provider, {
      model: model.trim(),
      temperature: fromRangeValue(temperature),
      max_tokens: fromRangeValue(max_tokens),
      top_p: fromRangeValue(top_p),
      frequency_penalty: fromRangeValue(frequency_penalty),
      presence_penalty: fromRangeValue(presence_penalty),
      retry: { max_retries, retry_delay_ms },
    }),
    visibility: values.visibility,
    visitors_spend_owner_key: values.visitors_spend_owner_key,
    visitor_daily_usd: values.visitor_daily_usd,
  }
}

function toConfig(values: AgentFormValues, { class_slug: _class, ...previousConfig }: AgentConfig): AgentConfig {
  const { bundle: _bundle, ...saved } =
    values.model_provider === 'elevenlabs' ? withVoice(values, previousConfig) : previousConfig
  const baseConfig = withFallback(values, saved)
  const config = values.class_slug === '' ? baseConfig : { ...baseConfig, class_slug: values.class_slug }
  if (values.agent_class === 'Coordinator') return { ...config, bundle: values.bundle }
  if (values.agent_class !== 'Lead') return config
  const { tagline, personality, capabilities, avatar, theme_color, ...otherConfig } = config
  return {
    ...otherConfig,
    ...(values.tagline.trim() && { tagline: values.tagline.trim() }),
    ...(values.personality.trim() && { personality: values.personality.trim() }),
    ...(values.capabilities.trim() && { capabilities: parseNames(values.capabilities) }),
    ...(values.avatar.trim() && { avatar: values.avatar.trim() }),
    theme_color: values.theme_color,
  }
}

function withFallback(
  { fallback_provider, fallback_model }: AgentFormValues,
  previousConfig: AgentConfig,
): AgentConfig {
  const { fallback_model: _fallback, ...config } = previousConfig
  if (fallback_provider === '') return config
  return { ...config, fallback_model: { provider: fallback_provider, model: fallback_model.trim() } }
}

function withVoice({ voice_id, voice_name }: AgentFormValues, previousConfig: AgentConfig): AgentConfig {
  const { voice_id: _id, voice_name: _name, ...config } = previousConfig
  return voice_id === '' ? config : { ...config, voice_id, ...(voice_name && { voice_name }) }
}
