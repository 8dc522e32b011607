import { agents } from '#contract/agents/agents.ts'
import { badField } from '#server/http/problem.ts'
import { Reply, type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { requireAgentFor, requireAgentForRunner, requirePublicLead } from './agent-access.ts'
import { toAgentView, toPublicAgentView } from './agent-view.ts'
import { createSession, listSessions } from './chat/chat-sessions.ts'
import { listSessionMessages } from './chat/session-messages.ts'
import { listAgents } from './list-agents.ts'
import { removeAgent } from './remove-agent.ts'
import { applyOverrides } from './runs/execute/run-overrides.ts'
import { getRunner } from './runs/execute/runner.ts'
import { startAndStream, waitForReply } from './runs/follow-run.ts'
import { listLastRuns } from './runs/list-last-runs.ts'
import { listLogs } from './runs/list-logs.ts'
import { startRun } from './runs/start-run.ts'
import { limitVisitor } from './runs/visitor-limits.ts'
import { createAgent, updateAgent } from './save-agent.ts'
import { tryOutAgent } from './try-out-agent.ts'
import { getStats } from './usage/show-usage.ts'

export function agentRoutes(services: Services): ServedCall[] {
  return serveArea('agents', agents, {
    list: async ({ person, query }) => {
      const { agents, next_cursor } = await listAgents(services, person, query)
      return new Reply(agents, { extra: { next_cursor } })
    },
    byId: async ({ person, query }) => toAgentView(await requireAgentFor(services, person, query.id), person),
    bySlug: async ({ person, query }) =>
      person
        ? toAgentView(await requireAgentFor(services, person, query.slug), person)
        : toPublicAgentView(await requirePublicLead(services, query.slug)),
    logs: ({ person, query }) => listLogs(services, person, query),
    stats: async ({ person, query }) =>
      getStats(services, person, query.agentId ? (await requireAgentFor(services, person, query.agentId)).id : null),
    lastRuns: ({ person }) => listLastRuns(services, person),
    sessions: async (call) => {
      const runner = getRunner(call)
      const agent = call.query.agentId ? await requireAgentForRunner(services, runner, call.query.agentId) : null
      return listSessions(services, runner, { ...call.query, agent })
    },
    messages: (call) => listSessionMessages(services, getRunner(call), call.query),
    create: ({ person, body }) => createAgent(services, person, body),
    run: async (call) => {
      const runner = { ...getRunner(call), asOf: call.body.asOf ?? null }
      const agent = await requireAgentForRunner(services, runner, call.body.agentId)
      const overridden = applyOverrides(agent, runner, call.body)
      if (call.wantsStream) return startAndStream(services, { ...runner, address: call.address }, overridden, call.body)
      return waitForReply(await startRun(services, runner, overridden, { ...call.body, stream: false }))
    },
    tryOut: ({ person, body, wantsStream, address }) =>
      tryOutAgent(services, person, body, wantsStream ? address : undefined),
    createSession: async (call) => {
      const runner = getRunner(call)
      const agent = await requireAgentForRunner(services, runner, call.body.agentId)
      if (runner.visitor) await limitVisitor(services, runner.visitor, 'session')
      return createSession(services, runner, agent, call.body.sessionName ?? null)
    },
    update: ({ person, body, ifMatch }) => updateAgent(services, person, body, ifMatch),
    remove: ({ person, query, body }) => {
      const id = body.id ?? query.id
      if (!id) throw badField('id', 'Send the ID of the agent.')
      return removeAgent(services, person, id)
    },
  })
}
