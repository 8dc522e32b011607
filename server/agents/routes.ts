import { agentClassCalls } from '#contract/agents/agent-classes.ts'
import { agents } from '#contract/agents/agents.ts'
import { chat } from '#contract/agents/chat.ts'
import { goldenQuestions } from '#contract/agents/golden-questions.ts'
import { intent } from '#contract/agents/intent.ts'
import { models } from '#contract/agents/models.ts'
import { personalToolServers } from '#contract/agents/personal-tool-servers.ts'
import { runs } from '#contract/agents/runs.ts'
import { sharing } from '#contract/agents/sharing.ts'
import { tools } from '#contract/agents/tools.ts'
import { usageCalls } from '#contract/agents/usage.ts'
import { versions } from '#contract/agents/versions.ts'
import { listEntries } from '#server/catalog/catalog.ts'
import { removeEntry, updateEntry } from '#server/catalog/save-entry.ts'
import { badField } from '#server/http/problem.ts'
import { Reply, type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { requireAgentFor, requireAgentForRunner, requirePublicLead } from './agent-access.ts'
import { toAgentView, toPublicAgentView } from './agent-view.ts'
import { createSession, deleteSession, listSessions, renameSession, showBranch } from './chat/chat-sessions.ts'
import { listSessionMessages } from './chat/session-messages.ts'
import { agentClassKind, createClass } from './classes/class-catalog.ts'
import { addQuestion, changeQuestion, listQuestions, removeQuestion } from './golden/golden-questions.ts'
import { listGoldenRuns, showGoldenRun, startGoldenRun, stopGoldenRun } from './golden/golden-runs.ts'
import { listContextTexts, setContextText } from './intent/context-texts.ts'
import { answerIntent, extractType } from './intent/propose-agent.ts'
import { listAgents } from './list-agents.ts'
import { getModelList, getVoiceList } from './model-lists/provider-lists.ts'
import { listRetiringModels } from './model-lists/retiring-models.ts'
import { applyOverrides } from './runs/execute/run-overrides.ts'
import { getRunner } from './runs/execute/runner.ts'
import { showRecording } from './runs/execute/show-recording.ts'
import {
  requestStop,
  requireRun,
  resumeRun,
  startAndStream,
  waitForFinalStatus,
  waitForReply,
} from './runs/follow-run.ts'
import { exportLogs, listLastRuns, listLogs } from './runs/list-logs.ts'
import { showRun } from './runs/show-run.ts'
import { startRun } from './runs/start-run.ts'
import { limitVisitor } from './runs/visitor-limits.ts'
import { createAgent, removeAgent, updateAgent } from './save-agent.ts'
import { listGrants, setGrant } from './sharing/grants.ts'
import { listTools } from './tools/available-tools.ts'
import { decideToolCall } from './tools/decide-tool-call.ts'
import {
  createPersonalToolServer,
  listPersonalToolServers,
  removePersonalToolServer,
} from './tools/personal/personal-tool-servers.ts'
import { finishSignIn, startSignIn } from './tools/personal/sign-in.ts'
import { listToolServers, setTrust } from './tools/tool-servers.ts'
import { tryOutAgent } from './try-out-agent.ts'
import { listBudgets, setBudget } from './usage/budgets.ts'
import { listModelPrices, removeModelPrice, setModelPrice } from './usage/model-prices.ts'
import { exportUsage, getStats, showUsage } from './usage/show-usage.ts'
import { exportAgent, importAgent } from './versions/agent-file.ts'
import { listVersions, restoreVersion, showVersion } from './versions/versions.ts'

export function agentRoutes(services: Services): ServedCall[] {
  return [
    ...serveArea('agents', agents, {
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
        const overriddenAgent = applyOverrides(agent, runner, call.body)
        if (call.wantsStream)
          return startAndStream(services, { ...runner, address: call.address }, overriddenAgent, call.body)
        return waitForReply(await startRun(services, runner, overriddenAgent, { ...call.body, stream: false }))
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
    }),
    ...serveArea('runs', runs, {
      decide: (call) => decideToolCall(services, getRunner(call), { ...call.params, allowed: call.body.allow }),
      audio: (call) => showRecording(services, getRunner(call), call.params.runId, call.range),
      exportLogs: ({ person, query }) => exportLogs(services, person, query),
      show: ({ person, params }) => showRun(services, person, params.runId),
      stream: (call) => resumeRun(services, { ...getRunner(call), address: call.address }, call.params.runId),
      stop: async (call) => {
        const runner = getRunner(call)
        const run = await requireRun(services, runner, call.params.runId)
        await requestStop(services, run.id)
        return { status: await waitForFinalStatus(services, runner, run.id) }
      },
    }),
    ...serveArea('sharing', sharing, {
      list: ({ person, params }) => listGrants(services, person, params.agentId),
      grant: ({ person, params, body }) => setGrant(services, person, params, body.rights),
      revoke: async ({ person, params }) => void (await setGrant(services, person, params, [])),
    }),
    ...serveArea('versions', versions, {
      list: ({ person, params, query }) => listVersions(services, person, params.agentId, query),
      show: ({ person, params }) => showVersion(services, person, params),
      restore: ({ person, params }) => restoreVersion(services, person, params),
      exportFile: ({ person, params }) => exportAgent(services, person, params.agentId),
      importFile: ({ person, body }) => importAgent(services, person, body),
    }),
    ...serveArea('goldenQuestions', goldenQuestions, {
      list: ({ person, params }) => listQuestions(services, person, params.agentId),
      create: ({ person, params, body }) => addQuestion(services, person, params.agentId, body),
      update: ({ person, params, body, ifMatch }) => changeQuestion(services, person, params, body, ifMatch),
      remove: ({ person, params }) => removeQuestion(services, person, params),
      run: ({ person, params, body }) => startGoldenRun(services, person, params.agentId, body),
      runs: ({ person, params }) => listGoldenRuns(services, person, params.agentId),
      showRun: ({ person, params }) => showGoldenRun(services, person, params),
      stopRun: ({ person, params }) => stopGoldenRun(services, person, params),
    }),
    ...serveArea('tools', tools, {
      list: ({ person, query }) => listTools(services, person, { fresh: query.fresh === 'true' }),
      servers: ({ query }) => listToolServers(services, query),
      trustServer: ({ person, params, body }) => setTrust(services, person, { id: params.id, trusted: body.trusted }),
    }),
    ...serveArea('personalToolServers', personalToolServers, {
      list: ({ person, query }) => listPersonalToolServers(services, person, query),
      create: ({ person, body }) => createPersonalToolServer(services, person, body),
      remove: ({ person, params }) => removePersonalToolServer(services, person, params.id),
      startSignIn: ({ person, params, body }) => startSignIn(services, person, params.id, body),
      finishSignIn: ({ person, body }) => finishSignIn(services, person, body),
    }),
    ...serveArea('models', models, {
      list: ({ person, query }) =>
        getModelList(services, person, { provider: query.provider, fresh: query.fresh === 'true' }),
      retiring: ({ person }) => listRetiringModels(services, person),
      voices: ({ person, query }) => getVoiceList(services, person, { fresh: query.fresh === 'true' }),
    }),
    ...serveArea('usage', usageCalls, {
      show: ({ person, query }) => showUsage(services, person, query),
      exportFile: ({ person, query }) => exportUsage(services, person, query),
      budgets: ({ person }) => listBudgets(services, person),
      setBudget: ({ person, body }) => setBudget(services, person, body),
      prices: () => listModelPrices(services),
      setPrice: ({ person, body }) => setModelPrice(services, person, body),
      removePrice: ({ person, body }) => removeModelPrice(services, person, body),
    }),
    ...serveArea('intent', intent, {
      ask: ({ person, body, wantsStream, address }) =>
        answerIntent(services, person, body.input, { wantsStream, address }),
      extractType: ({ person, body }) => extractType(services, person, body.description),
      contextTexts: () => listContextTexts(services),
      setContextText: ({ person, params, body, ifMatch }) =>
        setContextText(services, person, { scope: params.scope, body: body.body }, ifMatch),
    }),
    ...serveArea('agentClasses', agentClassCalls, {
      list: ({ person, query }) => listEntries(services, person, agentClassKind, query.cursor),
      create: ({ person, body }) => createClass(services, person, body),
      update: ({ person, params, body, ifMatch }) =>
        updateEntry(services, person, agentClassKind, { id: params.id, changes: body, ifMatch }),
      remove: ({ person, params }) => removeEntry(services, person, agentClassKind, params.id),
    }),
    ...serveArea('chat', chat, {
      rename: (call) => renameSession(services, getRunner(call), call.params.sessionId, call.body.sessionName),
      remove: async (call) => {
        await deleteSession(services, getRunner(call), call.params.sessionId)
      },
      showBranch: (call) => showBranch(services, getRunner(call), call.params.sessionId, call.body.messageId),
    }),
  ]
}
