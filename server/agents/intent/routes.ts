import { intent } from '#contract/agents/intent.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { listContextTexts, setContextText } from './context-texts.ts'
import { answerIntent, extractType } from './propose-agent.ts'

export function intentRoutes(services: Services): ServedCall[] {
  return serveArea('intent', intent, {
    ask: ({ person, body, wantsStream, address }) =>
      answerIntent(services, person, body.input, { wantsStream, address }),
    extractType: ({ person, body }) => extractType(services, person, body.description),
    contextTexts: () => listContextTexts(services),
    setContextText: ({ person, params, body, ifMatch }) =>
      setContextText(services, person, { scope: params.scope, body: body.body }, ifMatch),
  })
}
