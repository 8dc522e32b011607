import type { RunOrigin, RunOverrides } from '#contract/agents/runs.ts'
import type { Write } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-row.ts'
import { orReplyUnderWay, prepareTurn, type TurnWanted } from '../chat/turns.ts'
import type { Tool } from '../tools/tool.ts'
import { carryOut } from './carry-out-run.ts'
import type { AgentContext } from './context-for.ts'
import { prepareRun } from './prepare-run.ts'
import { runInsert } from './run-insert.ts'
import type { RunPlan } from './run-plan.ts'
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
 * A few beginnings are written at a time, in the order they came. All at once each would wait for all: twenty people who
 * ask in the same moment would see their first words when the twentieth request has been sent.
 */
const inTurns = takeTurns(4)

export interface RunWanted extends TurnWanted {
  /** The words are asked for as they come, so somebody is there who can be asked. */
  stream: boolean
  origin?: RunOrigin | undefined
  /** Tools beside those the agent names, for runs that Keeper itself asks for. */
  ownTools?: Tool[]
  /** The name of the tool that the model's first answer must call. */
  mustCall?: string
  /** What it is given to know, instead of what its scope says. */
  context?: AgentContext
  /** Writes that belong to its beginning: what is read is noted before any model reads it, or the run does not begin. */
  along?: (runId: string) => Write[]
  /** What the mock answers with, after saying what it is. */
  mockAnswer?: string
  /** What of the agent given here is not as it is saved. */
  overrides?: RunOverrides | null
}

/**
 * Writes the run and the message into the database and sets the run going. It goes on by itself: whoever asked may
 * follow it, leave, and come back. The run of an agent that is not ready fails at once.
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
      // On a full disk that fails too. Left to itself it would be held for minutes after there is room again.
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

/** One of the places a runner has. Returns the function to call when the run is in the registry, or did not begin. */
async function takePlace(services: Services, { person, visitor }: Runner, agent: AgentRow): Promise<() => void> {
  const { limits } = services.settings
  const whose = { agentId: agent.id, personId: person?.id ?? null, visitorId: visitor?.id ?? null }
  // Asked before anything is counted: from there to the announcement nothing may come between.
  const elsewhere = await runsElsewhere(services, whose)
  const most = person ? limits.runsPerPerson : limits.visitorRunsAtOnce
  if (services.runs.countFor(whose) + elsewhere.theirs >= most) {
    throw new Problem('too-many', {
      message: 'Too many answers are being written for you at once. Wait for one to end.',
      retryAfterSeconds: 5,
    })
  }
  if (visitor) refuseTooManyRuns(services, agent, elsewhere.ofVisitors)
  return services.runs.announce(whose)
}
