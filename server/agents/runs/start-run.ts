import { json, type Write } from '#server/db/database.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import { chooseKey } from '#server/keys/choose-key.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-row.ts'
import { requireSession, sessionInsert } from '../chat/chat-sessions.ts'
import { carryOut } from './carry-out-run.ts'
import { leaseMs, type RunPlan } from './run-plan.ts'
import { sessionHistory, systemPrompt } from './run-prompt.ts'
import { LiveRun } from './run-registry.ts'
import type { Runner } from './runner.ts'
import { holdVisitorToLimits, refuseLongInput, visitorSettings } from './visitor-limits.ts'

/**
 * Writes the run and the message into the database and sets the run going. It goes on by itself: whoever asked may
 * follow it, leave, and come back.
 */
export async function startRun(
  services: Services,
  runner: Runner,
  agent: AgentRow,
  given: { input: string; sessionId?: string | null | undefined; stream: boolean },
): Promise<LiveRun> {
  if (agent.status !== 'ready')
    throw new Problem('agent-not-ready', {
      message: `${agent.name} is not ready. Set its status to ready before running it.`,
    })
  const begun = takePlace(services, runner)
  try {
    const { run, plan } = await writeBeginning(services, runner, agent, given)
    services.runs.add(run)
    const { id: runId, personId, sessionId } = run
    if (personId) services.live.tell(personId, { type: 'run-started', runId, agentId: agent.id, sessionId })
    // Not awaited: the run belongs to itself from here on. It never rejects; failures end in its row.
    void carryOut(services, run, plan)
    return run
  } finally {
    begun()
  }
}

async function writeBeginning(
  services: Services,
  runner: Runner,
  agent: AgentRow,
  given: Parameters<typeof startRun>[3],
): Promise<{ run: LiveRun; plan: RunPlan }> {
  if (runner.visitor) {
    refuseLongInput(given.input)
    await holdVisitorToLimits(services, runner.visitor, 'run')
  }
  const personId = runner.person?.id ?? null
  const visitorId = runner.visitor?.id ?? null
  const session = given.sessionId ? await requireSession(services, runner, given.sessionId, agent) : null
  const position = session ? await freePosition(services, session.id) : 1
  const newSession = !session && agent.memory_enabled ? sessionInsert(services, runner, agent, given.input) : null
  const sessionId = session?.id ?? newSession?.id ?? null
  const history = session ? await sessionHistory(services, session.id) : []
  const settings = runner.person ? agent.model_settings : visitorSettings(agent)
  const key = await chooseKey(services, personId, agent.model_provider)

  const run = new LiveRun({ id: services.newId(), sessionId, personId, visitorId })
  const now = services.now().getTime()
  const insert = services.db.insertInto('runs').values({
    id: run.id,
    agent_id: agent.id,
    agent_name: agent.name,
    agent_slug: agent.slug,
    agent_class: agent.agent_class,
    agent_owner_id: agent.owner_id,
    agent_rev: agent.rev,
    person_id: personId,
    visitor_id: visitorId,
    session_id: sessionId,
    input: given.input,
    response: '',
    output: null,
    status: 'running',
    error_code: null,
    error: null,
    model_provider: agent.model_provider,
    model: settings.model,
    model_settings: json(settings),
    key_source: key.source,
    mock_mode: key.source === 'mock',
    attempts: 0,
    input_tokens: 0,
    output_tokens: 0,
    cost_micros: null,
    usage_estimated: false,
    notes: json([]),
    created_at: now,
    execution_time_ms: null,
    lease_until: now + leaseMs,
    stop_requested: false,
  })
  const writes: Write[] = [insert]
  if (newSession) writes.unshift(newSession.insert)
  if (sessionId) writes.push(...turnInserts(services, { sessionId, position, runId: run.id, input: given.input, now }))
  await orReplyUnderWay(() => services.db.batch(writes))

  const plan: RunPlan = {
    agent,
    settings,
    key,
    startedAt: now,
    stream: given.stream,
    system: systemPrompt(agent),
    messages: [...history, { role: 'user', content: given.input }],
  }
  return { run, plan }
}

/** A turn is two messages: what was asked, and the answer that is filled in as it comes. */
function turnInserts(
  services: Services,
  turn: { sessionId: string; position: number; runId: string; input: string; now: number },
): Write[] {
  const { sessionId, position, runId, input, now } = turn
  const message = (sender: 'user' | 'agent', content: string, at: number) =>
    services.db.insertInto('messages').values({
      id: services.newId(),
      session_id: sessionId,
      sender,
      content,
      run_id: runId,
      created_at: now,
      position: at,
    })
  return [
    message('user', input, position),
    message('agent', '', position + 1),
    services.db.updateTable('chat_sessions').set({ updated_at: now }).where('id', '=', sessionId),
  ]
}

/**
 * Where the next turn of a session goes. Read before looking whether a reply is under way: who is overtaken between
 * here and the insert finds the position taken.
 */
async function freePosition(services: Services, sessionId: string): Promise<number> {
  const { last } = await services.db
    .selectFrom('messages')
    .select((select) => select.fn.max('position').as('last'))
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const running = await services.db
    .selectFrom('runs')
    .select('id')
    .where('session_id', '=', sessionId)
    .where('status', '=', 'running')
    .where('lease_until', '>', services.now().getTime())
    .executeTakeFirst()
  if (running) throw replyUnderWay()
  return Number(last ?? 0) + 1
}

function replyUnderWay(): Problem {
  return new Problem('conflict', {
    message: 'A reply is still being written in this session. Wait for it, or stop it.',
  })
}

/** Two tabs that send at the same moment want the same position; the second one is told. */
async function orReplyUnderWay(write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (error instanceof UniqueViolation && error.columns.includes('position')) throw replyUnderWay()
    throw error
  }
}

/** One of the places a runner has. Returns the function to call when the run is in the registry, or did not begin. */
function takePlace(services: Services, { person, visitor }: Runner): () => void {
  const { limits } = services.settings
  const whose = { personId: person?.id ?? null, visitorId: visitor?.id ?? null }
  if (services.runs.countFor(whose) >= (person ? limits.runsPerPerson : limits.visitorRunsAtOnce)) {
    throw new Problem('too-many', {
      message: 'Too many answers are being written for you at once. Wait for one to end.',
      retryAfterSeconds: 5,
    })
  }
  return services.runs.announce(whose)
}
