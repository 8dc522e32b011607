import { goldenQuestions } from '#contract/agents/golden-questions.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { addQuestion, changeQuestion, listQuestions, removeQuestion } from './golden-questions.ts'
import { listGoldenRuns, showGoldenRun, startGoldenRun, stopGoldenRun } from './golden-runs.ts'

export function goldenRoutes(services: Services): ServedCall[] {
  return serveArea('goldenQuestions', goldenQuestions, {
    list: ({ person, params }) => listQuestions(services, person, params.agentId),
    create: ({ person, params, body }) => addQuestion(services, person, params.agentId, body),
    update: ({ person, params, body, ifMatch }) => changeQuestion(services, person, params, body, ifMatch),
    remove: ({ person, params }) => removeQuestion(services, person, params),
    run: ({ person, params, body }) => startGoldenRun(services, person, params.agentId, body),
    runs: ({ person, params }) => listGoldenRuns(services, person, params.agentId),
    showRun: ({ person, params }) => showGoldenRun(services, person, params),
    stopRun: ({ person, params }) => stopGoldenRun(services, person, params),
  })
}
