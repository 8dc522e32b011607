import { boardAssist } from '#contract/boards/board-assist.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { proposeFrames, showProposals } from './propose-frames.ts'

export function boardAssistRoutes(services: Services): ServedCall[] {
  return serveArea('boardAssist', boardAssist, {
    propose: ({ person, params, body, wantsStream, address }) =>
      proposeFrames(services, person, params.id, { purpose: body.purpose, wantsStream, address }),
    proposals: ({ person, params }) => showProposals(services, person, params.id, params.runId),
  })
}
