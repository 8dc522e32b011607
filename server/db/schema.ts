import type { ColumnType, Generated } from 'kysely'
import type { PlatformRole } from '#contract/accounts/accounts.ts'
import type { SessionMethod } from '#contract/accounts/session-methods.ts'
import type { AgentClass, AgentStatus, Visibility } from '#contract/agents/agent-constants.ts'
import type { AgentConfig } from '#contract/agents/agents.ts'
import type { ComparedModels, GoldenJudge, GoldenResult } from '#contract/agents/golden-questions.ts'
import type { ModelSettings, Provider } from '#contract/agents/model-settings.ts'
import type {
  KeySource,
  MemoryItem,
  RunOrigin,
  RunOverrides,
  RunSource,
  RunStatus,
  SpanKind,
  Usage,
} from '#contract/agents/runs.ts'
import type { ToolCall } from '#contract/agents/tools.ts'
import type { BudgetScope } from '#contract/agents/usage.ts'
import type { AgentSnapshot, VersionOrigin } from '#contract/agents/versions.ts'
import type { BoardSchema } from './board-schema.ts'
import type { ConnectionSchema } from './connection-schema.ts'
import type { DomainSchema } from './domain-schema.ts'
import type { KeeperSchema } from './keeper-schema.ts'
import type { Json, JsonOrNull, JsonText, Milliseconds } from './parameters.ts'
import type { PlatformSchema, SearchSchema } from './platform-schema.ts'
import type { SignInSchema } from './sign-in-schema.ts'
import type { ThemeSchema } from './theme-schema.ts'

export interface Schema
  extends KeeperSchema,
    DomainSchema,
    BoardSchema,
    ThemeSchema,
    PlatformSchema,
    SearchSchema,
    ConnectionSchema,
    SignInSchema {
  people: {
    id: string
    email: string
    email_folded: string
    name: string | null
    nickname: string | null
    password_hash: string
    preferred_theme_id: string | null
    created_at: Milliseconds
    last_sign_in_at: Milliseconds | null
    deactivated_at: Milliseconds | null
    rev: Generated<number>
    deletes_at: Milliseconds | null
    first_steps_dismissed_at: Milliseconds | null
    /** Random and permanent; authenticators store it with the person's passkeys. */
    passkey_user_id: string | null
  }
  person_usage: {
    person_id: string
    row_count: number
    byte_count: number
    counted_at: Milliseconds
  }
  sessions: {
    id: string
    person_id: string
    token_hash: string
    created_at: Milliseconds
    last_seen_at: Milliseconds
    expires_at: Milliseconds
    /** `null`: `created_at`. Set only for sessions created before sessions had a maximum age. */
    age_counted_from: Milliseconds | null
    device: string | null
    /** `null` for sessions from before methods were recorded. */
    method: SessionMethod | null
    /** When the person last proved who they are in this session. */
    proved_at: Milliseconds | null
    /** When the session was locked; null when unlocked. While locked, only unlocking and signing out are allowed. */
    locked_at: Generated<Milliseconds | null>
    wrong_unlocks: Generated<number>
    /** The identity it was signed in with, at the provider; `null` for other methods and once it is disconnected. */
    identity_id: Generated<string | null>
    /** The provider's own session (`sid`), if it named one. */
    provider_session: Generated<string | null>
  }
  one_time_links: {
    id: string
    kind: 'setup' | 'password-reset'
    token_hash: string
    person_id: string | null
    created_at: Milliseconds
    expires_at: Milliseconds
    used_at: Milliseconds | null
    /** True for a reset link created by someone who can't grant roles. */
    by_lesser: Generated<boolean>
  }
  role_grants: {
    person_id: string
    role: PlatformRole
    granted_at: Milliseconds
    granted_by: string | null
    /** Granted by an identity provider claim, and revoked when the claim is missing. */
    from_claim: Generated<boolean>
  }
  throttle_windows: {
    bucket: string
    window_start: Milliseconds
    count: number
  }
  /** Create requests with an Idempotency-Key; `status` and `answer` are null while the request is running. */
  answered_creates: {
    id: string
    person_id: string
    body_hash: string
    status: number | null
    answer: string | null
    created_at: Milliseconds
  }
  agents: {
    id: string
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
    visitors_spend_owner_key: Generated<boolean>
    /** Millionths of a dollar per day for visitors; `null`: only the platform's limit applies. */
    visitor_daily_micros: number | null
  }
  agent_grants: {
    agent_id: string
    person_id: string
    may_run: boolean
    may_edit: boolean
    may_share: boolean
    may_delete: boolean
    granted_by: string | null
    granted_at: Milliseconds
  }
  agent_versions: {
    agent_id: string
    rev: number
    /** `null`: Keeper itself, or a deleted account. */
    author_id: string | null
    origin: VersionOrigin
    restored_rev: number | null
    golden_run_id: string | null
    /** An unchanged long field isn't repeated: `$in` maps its name to the earlier version that contains it. */
    snapshot: Json<Partial<AgentSnapshot> & { $in?: Record<string, number> }>
    created_at: Milliseconds
  }
  /** Slugs of deleted or renamed agents, reserved for `owner_id` for a while. */
  held_slugs: {
    slug: string
    owner_id: string | null
    held_until: Milliseconds
  }
  golden_questions: {
    id: string
    agent_id: string
    question: string
    expectation: string
    judged_by: GoldenJudge
    source_run_id: string | null
    created_by: string | null
    created_at: Milliseconds
    updated_at: Milliseconds
    rev: Generated<number>
  }
  golden_runs: {
    id: string
    agent_id: string
    person_id: string
    base_rev: number
    candidate: JsonOrNull<AgentSnapshot>
    models: JsonOrNull<ComparedModels>
    memory_check_id: string | null
    memory_hash: string | null
    status: 'running' | 'done' | 'stopped' | 'interrupted'
    results: Json<GoldenResult[]>
    created_at: Milliseconds
    finished_at: Milliseconds | null
    lease_until: Milliseconds
  }
  model_calls: {
    id: string
    run_id: string
    agent_id: string
    agent_owner_id: string | null
    person_id: string | null
    visitor_id: string | null
    provider: Provider
    model: string
    key_source: KeySource
    /** Owner of the key: a person's ID or `platform`; `null`: no cost. */
    payer: string | null
    input_tokens: number
    output_tokens: number
    /** Input tokens read from and written to the provider's cache; `null`: unknown. */
    cached_tokens: number | null
    cache_write_tokens: number | null
    /** Millionths of a dollar; `null`: unknown price. */
    cost_micros: number | null
    estimated: boolean
    failure: string | null
    duration_ms: number
    created_at: Milliseconds
  }
  budgets: {
    scope: BudgetScope
    /** A person's ID for `mine`, else `all`. */
    subject: string
    limit_micros: number | null
    warn_at_percent: number
    updated_at: Milliseconds
    updated_by: string | null
  }
  /** Spent plus reserved per budget window; changed only by conditional updates. */
  spend_windows: {
    bucket: string
    window_start: Milliseconds
    micros: number
  }
  budget_holds: {
    id: string
    run_id: string
    bucket: string
    window_start: Milliseconds
    micros: number
    created_at: Milliseconds
  }
  model_prices: {
    provider: Provider
    model: string
    input_micros: number
    output_micros: number
    cached_input_micros: number | null
    cache_write_micros: number | null
    updated_at: Milliseconds
    updated_by: string | null
  }
  chat_sessions: {
    id: string
    agent_id: string
    person_id: string | null
    visitor_id: string | null
    name: string
    created_at: Milliseconds
    updated_at: Milliseconds
    shown_message_id: string | null
  }
  messages: {
    id: string
    session_id: string
    sender: 'user' | 'agent'
    content: string
    run_id: string | null
    created_at: Milliseconds
    position: number
    /** Previous message. Messages with the same parent are branches. */
    parent_id: string | null
  }
  runs: {
    id: string
    agent_id: string
    agent_name: string
    agent_slug: string
    agent_class: AgentClass
    agent_owner_id: string | null
    agent_rev: number
    person_id: string | null
    visitor_id: string | null
    session_id: string | null
    input: string
    response: string
    output: ColumnType<unknown, JsonText | null, JsonText | null>
    status: RunStatus
    error_code: string | null
    error: string | null
    model_provider: Provider
    model: string
    model_settings: Json<ModelSettings>
    key_source: KeySource
    mock_mode: boolean
    attempts: number
    input_tokens: number
    output_tokens: number
    cost_micros: number | null
    usage_estimated: boolean
    notes: Json<string[]>
    created_at: Milliseconds
    execution_time_ms: number | null
    lease_until: Milliseconds
    stop_requested: boolean
    origin: Generated<RunOrigin>
    payer: string | null
    tools: JsonOrNull<ToolCall[]>
    sources: JsonOrNull<RunSource[]>
    overrides: JsonOrNull<RunOverrides>
    /** A local day; the run reads memory as it was at the end of that day. */
    as_of: string | null
    /** Set if a connected program runs it. */
    connection_id: string | null
  }
  run_spans: {
    id: string
    run_id: string
    parent_id: string | null
    position: number
    kind: SpanKind
    name: string
    started_ms: number
    ended_ms: number | null
    failure: string | null
    input: Json<unknown>
    output: Json<unknown>
    reasoning: string | null
    usage: Json<Usage | null>
    agent_slug: string | null
    provider: Provider | null
    model: string | null
    memory: JsonOrNull<MemoryItem[]>
  }
  tool_decisions: {
    run_id: string
    call_id: string
    allowed: boolean
    decided_at: Milliseconds
  }
  media: {
    id: string
    run_id: string | null
    person_id: string | null
    visitor_id: string | null
    sha256: string
    mime: string
    bytes: number
    created_at: Milliseconds
    keeper_id: string | null
    entity: 'moment' | 'voice' | 'source' | null
    entity_id: string | null
    position: number | null
    name: string | null
    alt: string | null
    width: number | null
    height: number | null
    duration_ms: number | null
    gone_at: Milliseconds | null
    small_sha256: string | null
    small_mime: string | null
    small_bytes: number | null
    /** When the server creates the small version, unless a browser sends one; `null`: none is due. */
    small_due_at: Milliseconds | null
  }
  context_texts: {
    scope: string
    body: string
    updated_at: Milliseconds
    updated_by: string | null
  }
  keeper_types: {
    id: string
    owner_id: string | null
    slug: string
    name: string
    description: string
    memory_pattern: string
    system: boolean
    created_at: Milliseconds
    updated_at: Milliseconds
    rev: Generated<number>
  }
  agent_keeper_types: {
    agent_id: string
    keeper_type_id: string
    assigned_at: Milliseconds
    assigned_by: string | null
  }
}
