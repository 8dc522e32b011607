import { live } from '#contract/live/live-events.ts'
import type { watchSession } from '#server/accounts/sessions.ts'
import { createEventStream } from '#server/http/event-stream.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'

export function liveRoutes(services: Services, watch: typeof watchSession): ServedCall[] {
  return serveArea('live', live, {
    events: ({ person, address }) => {
      const slot = services.streams.acquire('tabs', { address, person, visitor: null })
      return createEventStream(slot, (sink) => {
        sink.send('open', {})
        const stopWatching = watch(services, person, (type) => {
          sink.send('happening', { type })
          sink.end()
        })
        const unsubscribe = services.live.subscribe(
          person.id,
          (event) => {
            // Can be about another session of this person; `watch` watches this one.
            if (event.type !== 'session-ended' && event.type !== 'session-locked') sink.send('happening', event)
          },
          () => sink.send('open', {}),
        )
        return () => {
          stopWatching()
          unsubscribe()
        }
      })
    },
  })
}
