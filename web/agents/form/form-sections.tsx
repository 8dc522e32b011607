import { lazy, Suspense } from 'react'
import { contextScopes, defaultAvatar } from '#contract/agents/agent-constants.ts'
import { isSampleAgent } from '#contract/samples/sample-agents.ts'
import { ReadOnlyWhile } from '#web/ui/fields/read-only-while.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { useAgentEditing, useFieldProps } from './agent-editor.tsx'
import {
  CollapsibleSection,
  type CollapsibleSectionProps,
  type Disclosure,
  useDisclosure,
} from './collapsible-section.tsx'
import { parseNames } from './name-list.ts'
import { VisibilityFields } from './visibility-fields.tsx'

const ToolsField = lazy(() => import('./tools-field.tsx').then((module) => ({ default: module.ToolsField })))
const loadModelFields = () => import('./model-section.tsx')
const ModelConfigurationFields = lazy(() =>
  loadModelFields().then((module) => ({ default: module.ModelConfigurationFields })),
)
const AgentRetryFields = lazy(() => loadModelFields().then((module) => ({ default: module.AgentRetryFields })))
const FallbackFields = lazy(() => loadModelFields().then((module) => ({ default: module.FallbackFields })))
const loadLeadFields = () => import('./lead-section.tsx')
const ChatPageFields = lazy(() => loadLeadFields().then((module) => ({ default: module.ChatPageFields })))
const VisitorFields = lazy(() => loadLeadFields().then((module) => ({ default: module.VisitorFields })))
const SharingSection = lazy(() => import('../sharing/sharing-section.tsx'))

const scopeOptions = contextScopes.map((scope) => ({ value: scope, label: scope || 'General' }))
const listFieldProps = { mono: true, autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const
export const modelToggleId = 'model-configuration'

const modelFields = [
  'model_provider',
  'model',
  'temperature',
  'max_tokens',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'voice_id',
] as const
export const useModelDisclosure = (initiallyOpen: boolean) => useDisclosure(modelFields, initiallyOpen)

/** Sections whose fields all have defaults, closed until someone opens them. */
export function FormSections({ modelDisclosure }: { modelDisclosure: Disclosure }) {
  const { values } = useAgentEditing()
  const isLead = values.agent_class === 'Lead'
  return (
    <>
      <ReachSection />
      <ModelSection disclosure={modelDisclosure} />
      <RetrySection />
      {values.model_provider !== 'elevenlabs' && <FallbackSection />}
      {isLead && <ChatPageSection />}
      {isLead && values.visibility === 'public' && <VisitorsSection />}
      <VisibilitySection />
    </>
  )
}

function EditableSection({ children, ...section }: CollapsibleSectionProps) {
  const { readOnly, isSaving } = useAgentEditing()
  return (
    <CollapsibleSection {...section}>
      <ReadOnlyWhile while={isSaving}>
        <fieldset disabled={readOnly} className="min-w-0">
          <Suspense fallback={<Skeleton className="h-32" />}>{children}</Suspense>
        </fieldset>
      </ReadOnlyWhile>
    </CollapsibleSection>
  )
}

function ReachSection() {
  const { values } = useAgentEditing()
  const disclosure = useDisclosure(['context_scope', 'tools', 'permissions'])
  const tools = parseNames(values.tools)
  const permissions = parseNames(values.permissions)
  return (
    <EditableSection
      title="Reach"
      help="What the agent can see and do."
      disclosure={disclosure}
      summary={[
        values.context_scope || 'General',
        tools.length === 0 ? 'no tools' : tools.join(', '),
        permissions.length > 0 && pluralize(permissions.length, 'permission'),
      ]
        .filter(Boolean)
        .join(' · ')}
    >
      <div className="grid grid-cols-2 items-start gap-x-[18px] gap-y-4 phone:grid-cols-1">
        <SelectField {...useFieldProps('context_scope')} required options={scopeOptions} />
        <ToolsField className="col-start-1" />
        <TextField
          {...useFieldProps('permissions')}
          {...listFieldProps}
          help="Labels for your own use. They grant nothing; only the agent’s tools do."
        />
      </div>
    </EditableSection>
  )
}

function ModelSection({ disclosure }: { disclosure: Disclosure }) {
  const { values } = useAgentEditing()
  const { model_provider: provider, model, temperature, max_tokens: maxTokens } = values
  return (
    <EditableSection
      title="Model Configuration"
      help="Changing the provider resets these values."
      toggleId={modelToggleId}
      disclosure={disclosure}
      summary={
        <>
          {provider} <span className="font-mono text-code">{model}</span>
          {!Number.isNaN(temperature) && ` · temperature ${temperature}`}
          {!Number.isNaN(maxTokens) && ` · at most ${maxTokens.toLocaleString('en-US')} tokens`}
        </>
      }
    >
      <ModelConfigurationFields />
    </EditableSection>
  )
}

function RetrySection() {
  const { max_retries: maxRetries, retry_delay_ms: delayMs } = useAgentEditing().values
  return (
    <EditableSection
      title="Retry Configuration"
      help="Used when the provider is busy or can’t be reached. Each delay is twice as long as the one before."
      disclosure={useDisclosure(['max_retries', 'retry_delay_ms'])}
      summary={
        maxRetries === 0
          ? 'No retries'
          : `${pluralize(maxRetries, 'retry', 'retries')} · first after ${delayMs.toLocaleString('en-US')} ms`
      }
    >
      <AgentRetryFields />
    </EditableSection>
  )
}

function FallbackSection() {
  const { fallback_provider: provider, fallback_model: model } = useAgentEditing().values
  return (
    <EditableSection
      title="Fallback Model"
      help="Answers while the main model is unavailable. It never gets a request that the main model declined."
      disclosure={useDisclosure(['fallback_provider', 'fallback_model'])}
      summary={provider === '' ? 'None' : `${provider} ${model}`}
    >
      <FallbackFields />
    </EditableSection>
  )
}

function ChatPageSection() {
  const { tagline, capabilities, avatar } = useAgentEditing().values
  return (
    <EditableSection
      title="Chat page"
      help="How the agent presents itself to people who chat with it."
      disclosure={useDisclosure(['tagline', 'personality', 'capabilities', 'avatar', 'theme_color'])}
      summary={[tagline.trim() || 'No tagline', capabilities.trim(), avatar.trim() !== defaultAvatar && avatar.trim()]
        .filter(Boolean)
        .join(' · ')}
    >
      <ChatPageFields />
    </EditableSection>
  )
}

function VisitorsSection() {
  const { visitor_daily_usd: limit, visitors_spend_owner_key: usesOwnerKey } = useAgentEditing().values
  return (
    <EditableSection
      title="Visitors"
      help="People who chat with this agent without signing in."
      disclosure={useDisclosure(['visitor_daily_usd', 'visitors_spend_owner_key'])}
      summary={`${limit === null ? 'Only this server’s limit' : `At most $${limit} a day`} · ${usesOwnerKey ? 'your key' : 'this server’s key'}`}
    >
      <VisitorFields />
    </EditableSection>
  )
}

function VisibilitySection() {
  const { agent, values, isSaving } = useAgentEditing()
  return (
    <CollapsibleSection
      title="Visibility and Sharing"
      disclosure={useDisclosure(['visibility', 'memory_enabled'])}
      summary={`${values.visibility} · memory ${values.memory_enabled ? 'on' : 'off'}`}
    >
      <ReadOnlyWhile while={isSaving}>
        <VisibilityFields />
      </ReadOnlyWhile>
      {agent?.may.share && !isSampleAgent(agent) && agent.visibility === 'shared' && (
        <Suspense fallback={<Skeleton className="h-24" />}>
          <SharingSection agent={agent} />
        </Suspense>
      )}
    </CollapsibleSection>
  )
}
