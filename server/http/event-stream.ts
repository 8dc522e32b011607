import { securityHeaders } from './security-headers.ts'
import type { StreamSlot } from './stream-slots.ts'

export interface EventSink {
  send(event: string, data: unknown): void
  end(): void
}

const heartbeatMs = 15_000
const maxBufferedBytes = 1024 * 1024
const maxChunkLength = 16 * 1024
const eventStreams = new WeakSet<Response>()
const encoder = new TextEncoder()
const heartbeat = encoder.encode(': still here\n\n')

/** Avoids reading the headers, which would instantiate a full response. */
export const isEventStream = (response: Response) => eventStreams.has(response)

/** `start` returns a cleanup function that runs when the stream ends for any reason; the slot is released then, too. */
export function createEventStream(slot: StreamSlot, start: (sink: EventSink) => () => void): Response {
  let cleanup: (() => void) | undefined
  let heartbeatTimer: NodeJS.Timeout | undefined
  let isOpen = true
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const close = (isAborted: boolean) => {
          if (!isOpen) return
          isOpen = false
          clearInterval(heartbeatTimer)
          slot.release()
          cleanup?.()
          if (isAborted) controller.error(new Error('the reader fell behind'))
          else controller.close()
        }
        const write = (bytes: Uint8Array) => {
          if (!isOpen) return
          controller.enqueue(bytes)
          if ((controller.desiredSize ?? 0) <= -maxBufferedBytes) close(true)
        }
        // Events of one tick share a chunk, because each chunk costs a system call.
        let pendingEvents = ''
        const flush = () => {
          const events = pendingEvents
          pendingEvents = ''
          if (events !== '') write(encoder.encode(events))
        }
        heartbeatTimer = setInterval(() => write(heartbeat), heartbeatMs)
        heartbeatTimer.unref()
        try {
          cleanup = start({
            send(event, data) {
              if (pendingEvents === '') process.nextTick(flush)
              pendingEvents += `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
              if (pendingEvents.length > maxChunkLength) flush()
            },
            end() {
              flush()
              close(false)
            },
          })
        } catch (error) {
          isOpen = false
          clearInterval(heartbeatTimer)
          slot.release()
          throw error
        }
        // `start` may have ended the stream before returning its cleanup.
        if (!isOpen) {
          clearInterval(heartbeatTimer)
          cleanup()
        }
        slot.onEvicted(() => {
          flush()
          close(false)
        })
      },
      cancel() {
        if (!isOpen) return
        isOpen = false
        clearInterval(heartbeatTimer)
        slot.release()
        cleanup?.()
      },
    },
    { highWaterMark: 0, size: (bytes) => bytes.byteLength },
  )
  const response = new Response(body, {
    headers: {
      ...securityHeaders,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      // Set explicitly, or the HTTP adapter waits a timer tick for the stream to end.
      'transfer-encoding': 'chunked',
    },
  })
  eventStreams.add(response)
  return response
}
