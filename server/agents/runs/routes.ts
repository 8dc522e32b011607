import { runs } from '#contract/agents/runs.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { decideToolCall } from '../tools/decide-tool-call.ts'
import { getRunner } from './execute/runner.ts'
import { showRecording } from './execute/show-recording.ts'
import { exportLogs } from './export-logs.ts'
import { requestStop, requireRun, resumeRun, waitForFinalStatus } from './follow-run.ts'
import { showRun } from './show-run.ts'

export function runRoutes(services: Services): ServedCall[] {
  return serveArea('runs', runs, {
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
  })
}
