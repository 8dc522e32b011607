import { agents } from '#contract/agents/agents.ts'
import { badField } from '#server/http/problem.ts'
import { Reply, type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { requireAgentFor, requirePublicLead } from './agent-access.ts'
import { agentView, publicAgentView } from './agent-view.ts'
import { createSession, listSessions, requireRunnable } from './chat/chat-sessions.ts'
import { sessionMessages } from './chat/session-messages.ts'
import { listAgents } from './list-agents.ts'
import { removeAgent } from './remove-agent.ts'
import { answerRun, startAndStream } from './runs/follow-run.ts'
import { listLogs } from './runs/list-logs.ts'
import { withOverrides } from './runs/run-overrides.ts'
import { runnerOf } from './runs/runner.ts'
import { startRun } from './runs/start-run.ts'
import { holdVisitorToLimits } from './runs/visitor-limits.ts'
import { createAgent, updateAgent } from './save-agent.ts'
import { statsFor } from './usage/stats.ts'

export function agentRoutes(services: Services): ServedCall[] {
  return serveArea('agents', agents, {
    list: async ({ person, query }) => {
      const { agents, next_cursor } = await listAgents(services, person, query)
      return new Reply(agents, { extra: { next_cursor } })
    },
    byId: async ({ person, query }) => agentView(await requireAgentFor(services, person, query.id), person),
    bySlug: async ({ person, query }) =>
      person
        ? agentView(await requireAgentFor(services, person, query.slug), person)
        : publicAgentView(await requirePublicLead(services, query.slug)),
    logs: ({ person, query }) => listLogs(services, person, query),
    stats: async ({ person, query }) =>
      statsFor(services, person, query.agentId ? (await requireAgentFor(services, person, query.agentId)).id : null),
    sessions: async (call) => {
      const runner = runnerOf(call)
      const agent = call.query.agentId ? await requireRunnable(services, runner, call.query.agentId) : null
      return listSessions(services, runner, { ...call.query, agent })
    },
    messages: (call) => sessionMessages(services, runnerOf(call), call.query),
    create: ({ person, body }) => createAgent(services, person, body),
    run: async (call) => {
      const runner = runnerOf(call)
      const agent = await requireRunnable(services, runner, call.body.agentId)
      const overridden = withOverrides(agent, runner, call.body)
      if (call.wantsStream) return startAndStream(services, { ...runner, address: call.address }, overridden, call.body)
      return answerRun(await startRun(services, runner, overridden, { ...call.body, stream: false }))
    },
    createSession: async (call) => {
      const runner = runnerOf(call)
      const agent = await requireRunnable(services, runner, call.body.agentId)
      if (runner.visitor) await holdVisitorToLimits(services, runner.visitor, 'session')
      return createSession(services, runner, agent, call.body.sessionName ?? null)
    },
    update: ({ person, body, ifMatch }) => updateAgent(services, person, body, ifMatch),
    remove: async ({ person, query, body }) => {
      const id = body.id ?? query.id
      if (!id) throw badField('id', "Specify the agent's id.")
      await removeAgent(services, person, id)
      return {}
    },
  })
}
