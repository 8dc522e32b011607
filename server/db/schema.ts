import type { ColumnType, Generated } from 'kysely'
import type { PlatformRole } from '#contract/accounts/accounts.ts'
import type { AgentClass, AgentConfig, AgentStatus, RunStatus, Usage, Visibility } from '#contract/agents/agents.ts'
import type { ModelSettings, Provider } from '#contract/agents/model-settings.ts'
import type { domainRoles } from '#contract/domains/domains.ts'
import type { JsonText } from './parameters.ts'

/** Read as a value, written as JSON text made by `json()`. */
type Json<T> = ColumnType<T, JsonText<T>, JsonText<T>>
/** Milliseconds since 1970, UTC. */
type Milliseconds = number

export interface Schema {
  people: {
    id: string
    email: string
    /** Lowercased; what sign-in and uniqueness compare. */
    email_folded: string
    name: string | null
    nickname: string | null
    password_hash: string
    preferred_theme_id: string | null
    created_at: Milliseconds
    last_sign_in_at: Milliseconds | null
    deactivated_at: Milliseconds | null
    rev: Generated<number>
  }
  sessions: {
    id: string
    person_id: string
    token_hash: string
    created_at: Milliseconds
    last_seen_at: Milliseconds
    expires_at: Milliseconds
  }
  one_time_links: {
    id: string
    kind: 'setup' | 'password-reset'
    token_hash: string
    person_id: string | null
    created_at: Milliseconds
    expires_at: Milliseconds
    used_at: Milliseconds | null
  }
  role_grants: {
    person_id: string
    role: PlatformRole
    granted_at: Milliseconds
    /** `null`: by the set-up link or from the command line. */
    granted_by: string | null
  }
  /** Counts of tries in fixed windows; `bucket` names what is counted and for whom, hashed where it is an address. */
  throttle_windows: {
    bucket: string
    window_start: Milliseconds
    count: number
  }
  /** Creates that were sent with an Idempotency-Key; `status` and `answer` are null while one is under way. */
  answered_creates: {
    id: string
    person_id: string
    body_hash: string
    status: number | null
    answer: string | null
    created_at: Milliseconds
  }
  domains: {
    id: string
    owner_id: string
    name: string
    slug: string
    description: string | null
    is_primary: boolean
    custom_domain: string | null
    custom_domain_verified: boolean
    created_at: Milliseconds
    updated_at: Milliseconds
    rev: Generated<number>
  }
  domain_members: {
    domain_id: string
    person_id: string
    role: (typeof domainRoles)[number]
    added_at: Milliseconds
  }
  agents: {
    id: string
    /** `null` for the built-in ones. */
    owner_id: string | null
    slug: string
    name: string
    purpose: string
    agent_class: AgentClass
    context_scope: string
    memory_enabled: boolean
    tools: Json<string[]>
    permissions: Json<string[]>
    config: Json<AgentConfig>
    status: AgentStatus
    model_provider: Provider
    model_settings: Json<ModelSettings>
    visibility: Visibility
    created_at: Milliseconds
    updated_at: Milliseconds
    rev: Generated<number>
  }
  chat_sessions: {
    id: string
    agent_id: string
    person_id: string | null
    visitor_id: string | null
    name: string
    created_at: Milliseconds
    updated_at: Milliseconds
  }
  messages: {
    id: string
    session_id: string
    sender: 'user' | 'agent'
    content: string
    run_id: string | null
    created_at: Milliseconds
    /** Order within the session; a pair written together keeps its order though the clock stands still. */
    position: number
  }
  runs: {
    id: string
    agent_id: string
    /** As they were when it ran; the row outlives the agent's edits. */
    agent_name: string
    agent_slug: string
    agent_class: AgentClass
    agent_owner_id: string | null
    agent_rev: number
    person_id: string | null
    visitor_id: string | null
    session_id: string | null
    input: string
    /** The answer so far while running, whole afterwards. */
    response: string
    output: ColumnType<unknown, JsonText | null, JsonText | null>
    status: RunStatus
    error_code: string | null
    error: string | null
    model_provider: Provider
    model: string
    model_settings: Json<ModelSettings>
    key_source: 'personal' | 'platform' | 'mock' | 'none'
    mock_mode: boolean
    attempts: number
    input_tokens: number
    output_tokens: number
    /** Millionths of a dollar; `null` when the price is not known. */
    cost_micros: number | null
    usage_estimated: boolean
    notes: Json<string[]>
    created_at: Milliseconds
    execution_time_ms: number | null
    /** While running, pushed forward by the process that runs it; past it, anybody may close the run. */
    lease_until: Milliseconds
    stop_requested: boolean
  }
  run_spans: {
    id: string
    run_id: string
    parent_id: string | null
    position: number
    kind: 'agent' | 'model' | 'tool' | 'memory' | 'coordinator' | 'wait'
    name: string
    /** Milliseconds since the run began. */
    started_ms: number
    ended_ms: number | null
    failure: string | null
    input: Json<unknown>
    output: Json<unknown>
    usage: Json<Usage | null>
  }
  provider_keys: {
    id: string
    /** The person's id, or `platform`: never null, so that uniqueness means the same on both engines. */
    owner: string
    provider: Provider
    sealed: string
    masked: string
    label: string | null
    is_active: boolean
    created_at: Milliseconds
    updated_at: Milliseconds
  }
}
