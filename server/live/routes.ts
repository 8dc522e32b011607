import { live } from '#contract/live/live-events.ts'
import { authenticate } from '#server/accounts/authenticate.ts'
import { eventStream } from '#server/http/event-stream.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import { takeStreamPlace } from '#server/http/stream-places.ts'
import type { Services } from '#server/services.ts'

/** How soon an open stream notices that its session ended where nobody said so; else it does at once. */
const recheckMs = 30_000

export function liveRoutes(services: Services): ServedCall[] {
  return serveArea('live', live, {
    events: ({ person, token }) => {
      const leave = takeStreamPlace(services, 'tabs', { person, visitor: null })
      return eventStream('tabs', (sink) => {
        sink.send('open', {})
        const endIfSignedOut = async () => {
          const still = token ? await authenticate(services, token).catch(() => person) : null
          if (still) return
          sink.send('happening', { type: 'session-ended' })
          sink.end()
        }
        const unsubscribe = services.live.subscribe(
          person.id,
          (event) => {
            // One of the person's sessions ended, which need not be the one of this stream.
            if (event.type === 'session-ended') void endIfSignedOut()
            else sink.send('happening', event)
          },
          () => {
            // As after a break of the stream itself: the page asks for everything again.
            sink.send('open', {})
            void endIfSignedOut()
          },
        )
        const recheck = setInterval(endIfSignedOut, recheckMs)
        recheck.unref()
        return () => {
          leave()
          clearInterval(recheck)
          unsubscribe()
        }
      })
    },
  })
}
