import { voice } from '#contract/keepers/voice.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function voiceRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('voice', voice as never)
}
