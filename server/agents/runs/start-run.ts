import type { ModelSettings } from '#contract/agents/model-settings.ts'
import type { RunOrigin, RunOverrides } from '#contract/agents/runs.ts'
import { type Database, json, prepareInsert, type Write } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { ChosenKey } from '#server/keys/choose-key.ts'
import { findProviderSettings, formatMissingProvider } from '#server/keys/provider-keys.ts'
import type { ModelRequest } from '#server/models/run-model.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-view.ts'
import { type ChatTurn, type ChatTurnInput, mapReplyConflict, prepareTurn } from '../chat/turns.ts'
import type { PromptItem } from '../keeper-memory.ts'
import { chooseRunKey } from '../model-lists/choose-run-key.ts'
import { getRunTools } from '../tools/run-tools.ts'
import type { Tool } from '../tools/tool.ts'
import { emptyReservation, reserveBudget } from '../usage/reserve-budget.ts'
import { planCall } from './execute/call-model.ts'
import { limitConcurrency } from './execute/concurrency-limit.ts'
import { executeRun } from './execute/execute-run.ts'
import {
  type AgentContext,
  buildContext,
  buildSystemPrompt,
  describeMemoryDay,
  describeTruncation,
  emptyContext,
  fitHistory,
} from './execute/prompt-context.ts'
import { leaseMs, type PreparedRun, RunFailure, type RunPlan } from './execute/run-context.ts'
import { countRemoteRuns, LiveRun } from './execute/run-registry.ts'
import type { Runner } from './execute/runner.ts'
import {
  countVisitorRun,
  getVisitorSettings,
  limitVisitor,
  refuseLongInput,
  refuseTooManyRuns,
} from './visitor-limits.ts'

/** Unlimited starts would wait for each other: of twenty, the first would stream only after the last had started. */
const withStartLimit = limitConcurrency(4)

export interface RunParams extends ChatTurnInput {
  /** Text is streamed, so a person is present to give permission. */
  stream: boolean
  origin?: RunOrigin | undefined
  extraTools?: Tool[]
  mustCall?: string
  context?: AgentContext
  pendingMemory?: readonly PromptItem[] | undefined
  /** Written together with the start of a run that calls a model: reads are recorded before any model sees them. */
  createMemoryReadInserts?: (runId: string) => Write[]
  mockAnswer?: string
  overrides?: RunOverrides | null
  /** Agent of the stored run, if the one that runs isn't stored. */
  storedAgentId?: string
}

export async function startRun(
  services: Services,
  runner: Runner,
  agent: AgentRow,
  params: RunParams,
): Promise<LiveRun> {
  const releaseSlot = await reserveSlot(services, runner, agent)
  try {
    const { run, plan } = await writeStart(services, runner, agent, params)
    services.runs.add(run)
    const { id: runId, personId, sessionId } = run
    if (personId) services.live.publish(personId, { type: 'run-started', runId, agentId: agent.id, sessionId })
    void executeRun(services, run, plan)
    return run
  } finally {
    releaseSlot()
  }
}

async function writeStart(
  services: Services,
  runner: Runner,
  agent: AgentRow,
  params: RunParams,
): Promise<{ run: LiveRun; plan: RunPlan }> {
  if (runner.visitor) {
    refuseLongInput(params.input)
    await limitVisitor(services, runner.visitor, 'run')
    await countVisitorRun(services, agent)
  }
  const personId = runner.person?.id ?? null
  const visitorId = runner.visitor?.id ?? null
  const turn = await prepareTurn(services, runner, agent, params)
  const settings = runner.person ? agent.model_settings : getVisitorSettings(agent)
  const run = new LiveRun({ id: services.newId(), agentId: agent.id, sessionId: turn.sessionId, personId, visitorId })
  const { memoryReadInserts, ...preparedRun } = await prepareRun(services, {
    runner,
    agent,
    run,
    turn,
    settings,
    params,
  })
  const { stream, mustCall, mockAnswer } = params
  const startedAt = services.now().getTime()
  const plan = { ...preparedRun, agent, runner, input: turn.input, settings, startedAt, stream, mustCall, mockAnswer }
  const writes = [
    ...turn.precedingWrites,
    buildRunInsert(services.db, run, plan, params),
    ...turn.buildMessageWrites(run.id, startedAt),
    ...memoryReadInserts,
  ]
  try {
    await withStartLimit(() => mapReplyConflict(() => services.db.batch(writes)))
  } catch (error) {
    await services.db
      .batch(plan.reservation.settle({ usage: zeroUsage, failure: 'not-sent', durationMs: 0 }))
      // On a full disk this fails too; marked runs are released as soon as possible.
      .catch(() => services.runs.markUnreleased(run.id))
    throw error
  }
  return { run, plan }
}

const zeroUsage = { input_tokens: 0, output_tokens: 0, cost_usd: 0, estimated: true }

async function reserveSlot(services: Services, { person, visitor }: Runner, agent: AgentRow): Promise<() => void> {
  const { limits } = services.settings
  const owner = { agentId: agent.id, personId: person?.id ?? null, visitorId: visitor?.id ?? null }
  // Queried first, so that no other run starts between counting and reserving.
  const remoteRuns = await countRemoteRuns(services, owner)
  const maxRuns = person ? limits.runsPerPerson : limits.visitorConcurrency
  if (services.runs.countFor(owner) + remoteRuns.byRunner >= maxRuns) {
    throw new Problem('too-many', {
      message: 'Too many answers are still being written for you. Wait for one to finish.',
      retryAfterSeconds: 5,
    })
  }
  if (visitor) refuseTooManyRuns(services, agent, remoteRuns.byVisitors)
  return services.runs.reserve(owner)
}

interface RunStart {
  runner: Runner
  agent: AgentRow
  run: LiveRun
  turn: ChatTurn
  settings: ModelSettings
  params: RunParams
}

async function prepareRun(
  services: Services,
  runStart: RunStart,
): Promise<PreparedRun & { memoryReadInserts: Write[] }> {
  const { runner, agent, run, turn, settings, params } = runStart
  if (agent.status !== 'ready')
    return prepareRefusedRun(runStart, {
      code: 'agent-not-ready',
      message: `${agent.name} is not ready. Set its status to ready before running it.`,
    })
  if (!findProviderSettings(services, agent.model_provider))
    return prepareRefusedRun(runStart, {
      code: 'provider-missing',
      message: `${formatMissingProvider(agent.model_provider)} Choose another model provider for ${agent.name}, or ask an administrator to add the service again.`,
    })
  const [key, { tools, notes }, context] = await Promise.all([
    chooseRunKey(
      services,
      { personId: run.personId, agent },
      { provider: agent.model_provider, model: settings.model },
    ),
    getRunTools(services, { runner, agent, rootAgent: agent, extraTools: params.extraTools }),
    params.context ??
      buildContext(services, {
        agent,
        callers: [],
        runner,
        run,
        input: turn.input,
        pendingMemory: params.pendingMemory,
      }),
  ])
  const system = await buildSystemPrompt(services, runner, { agent, context, tools })
  const questionMessages: ModelRequest['messages'] = [{ role: 'user', content: turn.input }]
  const requiredParts = { system, messages: questionMessages, tools }
  const history = fitHistory(turn.history, {
    provider: agent.model_provider,
    settings,
    requiredParts,
    baseUrl: key.baseUrl,
  })
  const messages = [...history, ...questionMessages]
  const reservation = await reserveBudget(
    services,
    planCall({ run, runner, rootAgent: agent, agent, settings, key }, { system, messages, tools }),
  )
  const contextReads = runner.person
    ? services.keeperMemory.createMemoryReadInserts(
        services,
        { person: runner.person, runId: run.id, agent, purpose: `Context of ${agent.name}` },
        context.keeperItems,
      )
    : []
  return {
    key,
    tools,
    context,
    system,
    messages,
    reservation,
    pastMessageCount: history.length,
    notes: [...notes, ...describeMemoryDay(runner), ...describeTruncation(turn.history.length, history.length)],
    memoryReadInserts: [...contextReads, ...(params.createMemoryReadInserts?.(run.id) ?? [])],
  }
}

const noKey: ChosenKey = { source: 'none', key: null, baseUrl: null, payer: null }

function prepareRefusedRun({ turn }: RunStart, { code, message }: { code: string; message: string }) {
  return {
    key: noKey,
    tools: [],
    context: emptyContext,
    system: '',
    messages: [{ role: 'user' as const, content: turn.input }],
    pastMessageCount: 0,
    notes: [],
    reservation: emptyReservation,
    refusal: new RunFailure(code, message),
    memoryReadInserts: [],
  }
}

function buildRunInsert(
  db: Database,
  run: LiveRun,
  { agent, runner, settings, key, input, startedAt }: RunPlan,
  { origin = run.sessionId ? 'chat' : 'run', overrides, storedAgentId = agent.id }: RunParams,
): Write {
  return insertRun.bind(db, {
    id: run.id,
    agent_id: storedAgentId,
    agent_name: agent.name,
    agent_slug: agent.slug,
    agent_class: agent.agent_class,
    agent_owner_id: agent.owner_id,
    agent_rev: agent.rev,
    person_id: run.personId,
    visitor_id: run.visitorId,
    session_id: run.sessionId,
    origin,
    input,
    response: '',
    output: null,
    status: 'running',
    error_code: null,
    error: null,
    model_provider: agent.model_provider,
    model: settings.model,
    model_settings: json(settings),
    overrides: overrides ? json(overrides) : null,
    as_of: runner.asOf ?? null,
    connection_id: runner.person?.connection?.id ?? null,
    key_source: key.source,
    payer: key.payer,
    mock_mode: key.source === 'mock',
    attempts: 0,
    input_tokens: 0,
    output_tokens: 0,
    cost_micros: null,
    usage_estimated: false,
    notes: json([]),
    created_at: startedAt,
    execution_time_ms: null,
    lease_until: startedAt + leaseMs,
    stop_requested: false,
  })
}

const insertRun = prepareInsert('runs')
