import type { AgentClass } from '#contract/agents/agent-words.ts'
import type { ModelSettings, Provider } from '#contract/agents/model-settings.ts'
import type { KeySource, RunOrigin, RunOverrides } from '#contract/agents/runs.ts'
import { type Database, type JsonText, json, preparedQuery, type Write } from '#server/db/database.ts'
import type { ChosenKey } from '#server/keys/choose-key.ts'
import type { AgentRow } from '../agent-row.ts'
import { leaseMs } from './run-plan.ts'
import type { LiveRun } from './run-registry.ts'

/** The row of a run that begins: nothing is said yet, and its lease is this process's. */
export function runInsert(
  db: Database,
  given: {
    run: LiveRun
    agent: AgentRow
    settings: ModelSettings
    key: ChosenKey
    origin: RunOrigin
    input: string
    overrides: RunOverrides | null
    now: number
  },
): Write {
  const { run, agent, settings, key, now } = given
  return insert.with(db, {
    id: run.id,
    agent_id: agent.id,
    agent_name: agent.name,
    agent_slug: agent.slug,
    agent_class: agent.agent_class,
    agent_owner_id: agent.owner_id,
    agent_rev: agent.rev,
    person_id: run.personId,
    visitor_id: run.visitorId,
    session_id: run.sessionId,
    origin: given.origin,
    input: given.input,
    model_provider: agent.model_provider,
    model: settings.model,
    model_settings: json(settings),
    overrides: given.overrides ? json(given.overrides) : null,
    key_source: key.source,
    payer: key.payer,
    mock_mode: key.source === 'mock',
    notes: json([]),
    created_at: now,
    lease_until: now + leaseMs,
  })
}

/** Column by column: what stands for the values of a hot query cannot be spread. */
const insert = preparedQuery<{
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
  origin: RunOrigin
  input: string
  model_provider: Provider
  model: string
  model_settings: JsonText<ModelSettings>
  overrides: JsonText<RunOverrides> | null
  key_source: KeySource
  payer: string | null
  mock_mode: boolean
  notes: JsonText<string[]>
  created_at: number
  lease_until: number
}>()((db, row) =>
  db.insertInto('runs').values({
    id: row.id,
    agent_id: row.agent_id,
    agent_name: row.agent_name,
    agent_slug: row.agent_slug,
    agent_class: row.agent_class,
    agent_owner_id: row.agent_owner_id,
    agent_rev: row.agent_rev,
    person_id: row.person_id,
    visitor_id: row.visitor_id,
    session_id: row.session_id,
    origin: row.origin,
    input: row.input,
    response: '',
    output: null,
    status: 'running',
    error_code: null,
    error: null,
    model_provider: row.model_provider,
    model: row.model,
    model_settings: row.model_settings,
    overrides: row.overrides,
    key_source: row.key_source,
    payer: row.payer,
    mock_mode: row.mock_mode,
    attempts: 0,
    input_tokens: 0,
    output_tokens: 0,
    cost_micros: null,
    usage_estimated: false,
    notes: row.notes,
    created_at: row.created_at,
    execution_time_ms: null,
    lease_until: row.lease_until,
    stop_requested: false,
  }),
)
