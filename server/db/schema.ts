import type { ColumnType, Generated } from 'kysely'
import type { PlatformRole } from '#contract/accounts/accounts.ts'
import type { AgentClass, AgentStatus, Visibility } from '#contract/agents/agent-words.ts'
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
import type { DomainSchema } from './domain-schema.ts'
import type { KeeperSchema } from './keeper-schema.ts'
import type { JsonText } from './parameters.ts'
import type { PlatformSchema } from './platform-schema.ts'
import type { ThemeSchema } from './theme-schema.ts'

/** Read as a value, written as JSON text made by `json()`. */
type Json<T> = ColumnType<T, JsonText<T>, JsonText<T>>
/** Milliseconds since 1970, UTC. */
type Milliseconds = number

export interface Schema extends KeeperSchema, DomainSchema, BoardSchema, ThemeSchema, PlatformSchema {
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
    /** When the account goes with everything in it, where its owner asked for that. */
    deletes_at: ColumnType<Milliseconds | null, Milliseconds | null | undefined, Milliseconds | null>
    first_steps_dismissed_at: ColumnType<Milliseconds | null, Milliseconds | null | undefined, Milliseconds | null>
  }
  /** What each person has, as last counted by `server/quota/person-usage.ts`. */
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
    /** `null`: from `created_at`. Sessions from before there was a maximum age have a time of their own. */
    age_counted_from: Generated<Milliseconds | null>
    /** Browser and system as they named themselves at sign-in. */
    device: ColumnType<string | null, string | null | undefined, string | null>
  }
  one_time_links: {
    id: string
    kind: 'setup' | 'password-reset'
    token_hash: string
    person_id: string | null
    created_at: Milliseconds
    expires_at: Milliseconds
    used_at: Milliseconds | null
    /** To set a password: handed over by somebody who may not grant roles. */
    by_lesser: Generated<boolean>
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
    /** Visitors' chats with it may spend the owner's personal key, up to the daily limit. */
    visitors_spend_owner_key: Generated<boolean>
    /** Millionths of a dollar a day that visitors may spend on it; `null`: only the platform's limit counts. */
    visitor_daily_micros: Milliseconds | null
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
  /** Every save of an agent; `rev` is the agent's revision that it made. */
  agent_versions: {
    agent_id: string
    rev: number
    /** `null`: Keeper itself, or somebody who is gone. */
    author_id: string | null
    origin: VersionOrigin
    restored_rev: number | null
    golden_run_id: string | null
    /** Long fields that did not change are in the earlier version that `$in` names for each. */
    snapshot: Json<Partial<AgentSnapshot> & { $in?: Record<string, number> }>
    created_at: Milliseconds
  }
  /** Slugs of deleted or renamed agents: nobody but `owner_id` may take one before its time. */
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
    /** The unsaved version that was tried; `null`: the saved one. */
    candidate: ColumnType<AgentSnapshot | null, JsonText<AgentSnapshot> | null, JsonText<AgentSnapshot> | null>
    /** The models that are compared; `null` in any other run. */
    models: ColumnType<
      ComparedModels | null,
      JsonText<ComparedModels> | null | undefined,
      JsonText<ComparedModels> | null
    >
    /** Set where a memory that was about to be approved was asked with: the check, and a hash of the memory. */
    memory_check_id: ColumnType<string | null, string | null | undefined, string | null>
    memory_hash: ColumnType<string | null, string | null | undefined, string | null>
    status: 'running' | 'done' | 'stopped' | 'interrupted'
    results: Json<GoldenResult[]>
    created_at: Milliseconds
    finished_at: Milliseconds | null
    lease_until: Milliseconds
  }
  /** The ledger: one row for each request a model answered or refused, never changed. Outlives run and agent. */
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
    /** Whose key: a person's id or `platform`; `null` where nobody paid. */
    payer: string | null
    input_tokens: number
    output_tokens: number
    /** Of the input, read from the provider's cache and written to it; `null` where it did not say. */
    cached_tokens: Generated<number | null>
    cache_write_tokens: Generated<number | null>
    /** Millionths of a dollar; `null` when the price is not known. */
    cost_micros: number | null
    estimated: boolean
    failure: string | null
    duration_ms: number
    created_at: Milliseconds
  }
  budgets: {
    scope: BudgetScope
    /** A person's id for `mine`, else `all`. */
    subject: string
    /** `null`: no limit, also where there would be one by default. */
    limit_micros: number | null
    warn_at_percent: number
    updated_at: Milliseconds
    updated_by: string | null
  }
  /** Spent and reserved together, for each budget's window; moved only by conditional updates. */
  spend_windows: {
    bucket: string
    window_start: Milliseconds
    micros: number
  }
  /** What a call under way holds of each of its windows; gone when it is settled, or given back after a crash. */
  budget_holds: {
    /** One for each call, with a row for each window. */
    id: string
    /** Of a run, or of whatever else asks a model. */
    run_id: string
    bucket: string
    window_start: Milliseconds
    micros: number
    created_at: Milliseconds
  }
  /** Millionths of a dollar for a million tokens; overrides the list that comes with Keeper. */
  model_prices: {
    provider: Provider
    model: string
    input_micros: number
    output_micros: number
    /** `null`: as input. */
    cached_input_micros: Generated<number | null>
    cache_write_micros: Generated<number | null>
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
    /** The last message of the branch that is open; `null` while there is none. */
    shown_message_id: string | null
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
    /** What it follows. Several that follow the same one are branches: another answer, or the question put another way. */
    parent_id: string | null
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
    key_source: KeySource
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
    origin: Generated<RunOrigin>
    /** Whose key: a person's id or `platform`; `null` where nobody paid. */
    payer: string | null
    tools: ColumnType<ToolCall[] | null, JsonText<ToolCall[]> | null, JsonText<ToolCall[]> | null>
    sources: ColumnType<RunSource[] | null, JsonText<RunSource[]> | null, JsonText<RunSource[]> | null>
    /** What this run changed of the agent's settings ("run again with changes"). */
    overrides: ColumnType<RunOverrides | null, JsonText<RunOverrides> | null, JsonText<RunOverrides> | null>
  }
  run_spans: {
    id: string
    run_id: string
    parent_id: string | null
    position: number
    kind: SpanKind
    name: string
    /** Milliseconds since the run began. */
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
    memory: ColumnType<MemoryItem[] | null, JsonText<MemoryItem[]> | null, JsonText<MemoryItem[]> | null>
  }
  /** What a person said to a tool that asked. */
  tool_decisions: {
    run_id: string
    call_id: string
    allowed: boolean
    decided_at: Milliseconds
  }
  /** What a file is and whose; the bytes lie under `media` in the data folder, named by their hash. */
  media: {
    id: string
    /** The run that spoke it; the row goes with the run. */
    run_id: string | null
    person_id: string | null
    visitor_id: string | null
    sha256: string
    mime: string
    bytes: number
    created_at: Milliseconds
    /** Of a person's uploads: the keeper it is kept in, and the entry that shows it (none: it waits for one). */
    keeper_id: string | null
    entity: 'moment' | 'voice' | null
    entity_id: string | null
    position: number | null
    name: string | null
    alt: string | null
    width: number | null
    height: number | null
    duration_ms: number | null
    /** Of an upload that no entry shows: when the sweep takes it. */
    gone_at: Milliseconds | null
  }
  /** What the operator puts before agents of a context scope. */
  context_texts: {
    scope: string
    body: string
    updated_at: Milliseconds
    updated_by: string | null
  }
  keeper_types: {
    id: string
    /** `null` for system types. */
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
