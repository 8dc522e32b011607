import type { AgentClass } from '#contract/agents/agent-words.ts'
import type { ModelSettings, Provider } from '#contract/agents/model-settings.ts'
import type { KeySource, RunOrigin, RunOverrides } from '#contract/agents/runs.ts'
import { type Database, type JsonText, json, preparedQuery, type Write } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { ChosenKey } from '#server/keys/choose-key.ts'
import { findProviderSettings, missingProviderText } from '#server/keys/provider-settings.ts'
import type { ModelRequest } from '#server/models/run-model.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-row.ts'
import { orReplyUnderWay, prepareTurn, type Turn, type TurnWanted } from '../chat/turns.ts'
import type { PromptItem } from '../keeper-memory.ts'
import { chooseRunKey } from '../model-lists/choose-run-key.ts'
import type { Tool } from '../tools/tool.ts'
import { toolsFor } from '../tools/tools-for.ts'
import { holdBudget, nothingHeld } from '../usage/hold-budget.ts'
import { plannedCall } from './ask-model.ts'
import { executeRun } from './execute-run.ts'
import {
  type AgentContext,
  contextFor,
  fitHistory,
  noteOfShortened,
  nothingPutIn,
  systemPrompt,
} from './prompt-context.ts'
import { leaseMs, RunFailure, type RunPlan } from './run-context.ts'
import { LiveRun } from './run-registry.ts'
import type { Runner } from './runner.ts'
import { runsElsewhere } from './runs-elsewhere.ts'
import { takeTurns } from './take-turns.ts'
import {
  countVisitorRunOf,
  holdVisitorToLimits,
  refuseLongInput,
  refuseTooManyRuns,
  visitorSettings,
} from './visitor-limits.ts'

/**
 * Limits concurrent starts. Unlimited ones would all wait for each other:
 * of twenty concurrent runs, the first would stream only after the last had started.
 */
const inTurns = takeTurns(4)

export interface RunWanted extends TurnWanted {
  /** Text is streamed, so a person is present to give permission. */
  stream: boolean
  origin?: RunOrigin | undefined
  /** Tools besides the agent's own, for runs started by Keeper itself. */
  ownTools?: Tool[]
  mustCall?: string
  /** Replaces the context of the agent's scope. */
  context?: AgentContext
  pendingMemory?: readonly PromptItem[] | undefined
  /** Written together with the run's start: reads are recorded before any model sees them. */
  along?: (runId: string) => Write[]
  mockAnswer?: string
  overrides?: RunOverrides | null
}

/**
 * Writes the run and its message, then executes it in the background; clients can leave and return.
 * The run of an agent that isn't ready fails immediately.
 */
export async function startRun(
  services: Services,
  runner: Runner,
  agent: AgentRow,
  wanted: RunWanted,
): Promise<LiveRun> {
  const begun = await takePlace(services, runner, agent)
  try {
    const { run, plan } = await writeBeginning(services, runner, agent, wanted)
    services.runs.add(run)
    const { id: runId, personId, sessionId } = run
    if (personId) services.live.tell(personId, { type: 'run-started', runId, agentId: agent.id, sessionId })
    // Not awaited: it never rejects, and failures end in its row.
    void executeRun(services, run, plan)
    return run
  } finally {
    begun()
  }
}

async function writeBeginning(
  services: Services,
  runner: Runner,
  agent: AgentRow,
  wanted: RunWanted,
): Promise<{ run: LiveRun; plan: RunPlan }> {
  if (runner.visitor) {
    refuseLongInput(wanted.input)
    await holdVisitorToLimits(services, runner.visitor, 'run')
    await countVisitorRunOf(services, agent)
  }
  const personId = runner.person?.id ?? null
  const visitorId = runner.visitor?.id ?? null
  const turn = await prepareTurn(services, runner, agent, wanted)
  const settings = runner.person ? agent.model_settings : visitorSettings(agent)
  const run = new LiveRun({ id: services.newId(), agentId: agent.id, sessionId: turn.sessionId, personId, visitorId })
  const { along, ...prepared } = await prepareRun(services, { runner, agent, run, turn, settings, wanted })
  const { key, hold } = prepared

  const now = services.now().getTime()
  const insert = runInsert(services.db, {
    run,
    agent,
    settings,
    key,
    origin: wanted.origin ?? (turn.sessionId ? 'chat' : 'run'),
    input: turn.input,
    overrides: wanted.overrides ?? null,
    now,
  })
  try {
    await inTurns(() =>
      orReplyUnderWay(() => services.db.batch([...turn.before, insert, ...turn.after(run.id, now), ...along])),
    )
  } catch (error) {
    await services.db
      .batch(hold.settle({ usage: nothingUsed, failure: 'not-sent', durationMs: 0 }))
      // On a full disk this fails too; marked runs are released as soon as possible.
      .catch(() => services.runs.holdForNothing(run.id))
    throw error
  }

  const plan: RunPlan = {
    ...prepared,
    agent,
    runner,
    input: turn.input,
    settings,
    startedAt: now,
    stream: wanted.stream,
    mustCall: wanted.mustCall,
    mockAnswer: wanted.mockAnswer,
  }
  return { run, plan }
}

const nothingUsed = { input_tokens: 0, output_tokens: 0, cost_usd: 0, estimated: true }

/** Reserves one of the runner's slots. Returns the function to call once the run is registered or didn't start. */
async function takePlace(services: Services, { person, visitor }: Runner, agent: AgentRow): Promise<() => void> {
  const { limits } = services.settings
  const whose = { agentId: agent.id, personId: person?.id ?? null, visitorId: visitor?.id ?? null }
  // Queried first: nothing may happen between counting and the announcement.
  const elsewhere = await runsElsewhere(services, whose)
  const most = person ? limits.runsPerPerson : limits.visitorRunsAtOnce
  if (services.runs.countFor(whose) + elsewhere.theirs >= most) {
    throw new Problem('too-many', {
      message: 'Too many of your answers are still being written. Wait for one to finish.',
      retryAfterSeconds: 5,
    })
  }
  if (visitor) refuseTooManyRuns(services, agent, elsewhere.ofVisitors)
  return services.runs.announce(whose)
}

interface Beginning {
  runner: Runner
  agent: AgentRow
  run: LiveRun
  turn: Turn
  settings: ModelSettings
  wanted: RunWanted
}

interface PreparedRun
  extends Omit<
    RunPlan,
    'agent' | 'runner' | 'input' | 'settings' | 'startedAt' | 'stream' | 'mustCall' | 'mockAnswer'
  > {
  along: Write[]
}

async function prepareRun(services: Services, beginning: Beginning): Promise<PreparedRun> {
  const { runner, agent, run, turn, settings, wanted } = beginning
  if (agent.status !== 'ready')
    return refusedRun(beginning, {
      code: 'agent-not-ready',
      message: `${agent.name} is not ready. Set its status to ready before running it.`,
    })
  if (!findProviderSettings(services, agent.model_provider))
    return refusedRun(beginning, {
      code: 'provider-missing',
      message: `${missingProviderText(agent.model_provider)} Choose another model provider for ${agent.name}, or ask an administrator to add the service again.`,
    })
  const [key, { tools, notes }, context] = await Promise.all([
    chooseRunKey(
      services,
      { personId: run.personId, agent },
      { provider: agent.model_provider, model: settings.model },
    ),
    toolsFor(services, { runner, agent, root: agent, own: wanted.ownTools }),
    wanted.context ??
      contextFor(services, {
        ...{ agent, askedBy: [], runner, run, input: turn.input },
        pending: wanted.pendingMemory,
      }),
  ])
  const system = await systemPrompt(services, runner, { agent, context, tools })
  const asked: ModelRequest['messages'] = [{ role: 'user', content: turn.input }]
  const rest = { system, messages: asked, tools }
  const history = fitHistory(turn.history, {
    provider: agent.model_provider,
    settings,
    rest,
    baseUrl: key.baseUrl,
  })
  const messages = [...history, ...asked]
  const hold = await holdBudget(
    services,
    plannedCall({ run, root: agent, agent, settings, key }, { system, messages, tools }),
  )
  const reads = runner.person
    ? services.keeperMemory.noteReads(
        services,
        { person: runner.person, runId: run.id, agent, purpose: `Context of ${agent.name}` },
        context.ofKeepers,
      )
    : []
  return {
    ...{ key, tools, context, system, messages, hold },
    past: history.length,
    notes: [...notes, ...noteOfShortened(turn.history.length, history.length)],
    refusal: undefined,
    along: [...reads, ...(wanted.along?.(run.id) ?? [])],
  }
}

const noKey: ChosenKey = { source: 'none', key: null, baseUrl: null, payer: null }

/** Prepares a run that fails without calling a model, reading anything or costing money. */
function refusedRun({ turn }: Beginning, { code, message }: { code: string; message: string }): PreparedRun {
  return {
    key: noKey,
    tools: [],
    context: nothingPutIn,
    system: '',
    messages: [{ role: 'user', content: turn.input }],
    past: 0,
    notes: [],
    hold: nothingHeld,
    refusal: new RunFailure(code, message),
    along: [],
  }
}

function runInsert(
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

/** Lists every column because prepared queries can't spread their placeholders. */
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
