import { getSlugProblem, slugRule, toSlug } from '#contract/agents/agent-slug.ts'
import { newAgent } from '#contract/agents/agents.ts'
import { type AgentField, type AgentFormValues, toAgentBody } from './agent-form-values.ts'

export type AgentProblems = Partial<Record<AgentField, string>>

/** Maps an API path such as `model_settings.retry.max_retries` to its form field. */
export function findField(path: string): AgentField | undefined {
  if (path.startsWith('config.fallback_model')) return 'fallback_model'
  // Errors of list items count for the whole list.
  if (path.startsWith('config.bundle')) return 'bundle'
  if (path.startsWith('tools')) return 'tools'
  const lastSegment = path.split('.').at(-1) ?? ''
  return lastSegment in fieldNames ? (lastSegment as AgentField) : undefined
}

/** Names for validation; a list that is undefined is validated only by the server. */
export interface ExistingNames {
  tools?: readonly string[] | undefined
  /** Slugs and ids, including those in the saved bundle. */
  agents?: readonly string[] | undefined
}

export function checkAgentForm(
  values: AgentFormValues,
  previousSlug?: string,
  existingNames: ExistingNames = {},
): AgentProblems {
  const toolNames = existingNames.tools
  const problems: AgentProblems = {}
  const parsed = newAgent.safeParse(toAgentBody(values))
  for (const issue of parsed.error?.issues ?? []) {
    const field = findField(issue.path.join('.'))
    if (field) problems[field] ??= issue.message
  }
  const slug = values.slug.trim()
  if (slug === '') problems.slug = 'Enter a slug.'
  else if (slug !== previousSlug) problems.slug ??= getSlugMessage(slug)
  const unknownTools = toolNames ? (toAgentBody(values).tools ?? []).filter((tool) => !toolNames.includes(tool)) : []
  if (toolNames && unknownTools.length > 0)
    problems.tools = `Unknown tools: ${unknownTools.join(', ')}. Available tools: ${toolNames.join(', ')}.`
  if (values.agent_class === 'Coordinator') problems.bundle ??= getBundleProblem(values, existingNames.agents)
  const hasVisitors = values.agent_class === 'Lead' && values.visibility === 'public'
  if (hasVisitors && values.visitors_spend_owner_key && values.visitor_daily_usd === null)
    problems.visitor_daily_usd = 'Set how much visitors can spend on your key per day.'
  return Object.fromEntries(Object.entries(problems).filter(([, text]) => text !== undefined))
}

/** Leaves out the suggested fix, which has its own button. */
function getSlugMessage(slug: string): string | undefined {
  const problem = getSlugProblem(slug)
  return problem?.startsWith(slugRule) ? slugRule : problem
}

export function suggestSlug(slug: string): string | undefined {
  if (!getSlugProblem(slug)?.startsWith(slugRule)) return
  const suggestedSlug = toSlug(slug.replaceAll('_', '-'))
  return suggestedSlug && !getSlugProblem(suggestedSlug) ? suggestedSlug : undefined
}

const ownBundleText = 'A Coordinator can’t be in its own bundle.'

function getBundleProblem(values: AgentFormValues, agentNames: ExistingNames['agents']): string | undefined {
  if (values.bundle.length === 0) return 'A Coordinator needs at least one agent in its bundle.'
  if (values.bundle.includes(values.slug)) return ownBundleText
  const unknownAgents = agentNames ? values.bundle.filter((name) => !agentNames.includes(name)) : []
  if (unknownAgents.length > 0)
    return `There’s no agent ${unknownAgents.map((name) => `"${name}"`).join(', ')} that you can run.`
}

export interface ChecklistItem {
  text: string
  isMet: boolean
  /** Invalid, as opposed to missing. */
  isInvalid?: boolean
  /** Doesn't block saving. */
  isOptional?: boolean
}

/** Required to enable the button; other problems are reported on submit. */
export function hasRequiredFields({ name, slug, purpose }: AgentFormValues): boolean {
  return [name, slug, purpose].every((text) => text.trim() !== '')
}

export function getChecklist(values: AgentFormValues, problems: AgentProblems): ChecklistItem[] {
  const missing = [values.name.trim() === '' && 'name', values.purpose.trim() === '' && 'purpose'].filter(Boolean)
  const items: ChecklistItem[] = [
    missing.length === 0
      ? { text: 'Name and purpose', isMet: true }
      : { text: `Needs a ${missing.join(' and a ')}`, isMet: false },
    getSlugItem(values.slug.trim(), problems.slug),
  ]
  if (values.agent_class === 'Coordinator') items.push(getBundleItem(values.bundle.length, problems.bundle))
  if (values.model_provider === 'elevenlabs' && values.voice_id === '')
    items.push({ text: 'No voice chosen, so the account’s first voice is used', isMet: false, isOptional: true })
  const otherFields = Object.keys(problems).filter((field) => !['name', 'purpose', 'slug', 'bundle'].includes(field))
  if (otherFields.length > 0) {
    items.push({ text: `Check ${otherFields.map(getFieldName).join(', ')}`, isMet: false, isInvalid: true })
  }
  return items
}

function getBundleItem(count: number, problem: string | undefined): ChecklistItem {
  if (count === 0) return { text: 'Needs an agent in the bundle', isMet: false }
  if (!problem) return { text: `${formatAgentCount(count)} in the bundle`, isMet: true }
  const text = problem === ownBundleText ? 'The agent is in its own bundle' : 'An agent in the bundle doesn’t exist'
  return { text, isMet: false, isInvalid: true }
}

function getSlugItem(slug: string, problem: string | undefined): ChecklistItem {
  if (slug === '') return { text: 'Needs a slug', isMet: false }
  if (!problem) return { text: 'Slug is available', isMet: true }
  return { text: describeInvalidSlug(slug), isMet: false, isInvalid: true }
}

function describeInvalidSlug(slug: string): string {
  if (slug.includes('_')) return 'Slug has an underscore'
  if (/[A-Z]/.test(slug)) return 'Slug has capital letters'
  return /\s/.test(slug) ? 'Slug has a space' : 'Slug can’t be used'
}

const countTexts = ['No agents', 'One agent', 'Two agents', 'Three agents', 'Four agents', 'Five agents', 'Six agents']
const formatAgentCount = (count: number) => countTexts[count] ?? `${count} agents`

export const fieldNames: Record<AgentField, string> = {
  name: 'Name',
  slug: 'Slug',
  agent_class: 'Agent class',
  class_slug: 'Custom class',
  context_scope: 'Context scope',
  purpose: 'Purpose',
  tools: 'Tools',
  permissions: 'Permissions',
  bundle: 'Agent bundle',
  tagline: 'Tagline',
  personality: 'Personality',
  capabilities: 'Capabilities',
  avatar: 'Avatar',
  theme_color: 'Theme color',
  model_provider: 'Provider',
  model: 'Model',
  temperature: 'Temperature',
  max_tokens: 'Max tokens',
  top_p: 'Top P',
  frequency_penalty: 'Frequency penalty',
  presence_penalty: 'Presence penalty',
  max_retries: 'Max retries',
  retry_delay_ms: 'Retry delay',
  fallback_provider: 'Fallback provider',
  fallback_model: 'Fallback model',
  voice_id: 'Voice',
  voice_name: 'Voice name',
  visibility: 'Visibility',
  memory_enabled: 'Enable Memory',
  visitors_spend_owner_key: 'Visitors use my key',
  visitor_daily_usd: 'Daily limit for visitors',
}
const getFieldName = (field: string) => fieldNames[field as AgentField]
