import { goldenQuestions } from '#contract/agents/golden-questions.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import { unbuilt } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function goldenRoutes(_services: Services): ServedCall[] {
  return serveArea('goldenQuestions', goldenQuestions, unbuilt(goldenQuestions))
}
