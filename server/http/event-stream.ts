import { streamHeartbeatMs } from '#contract/endpoint.ts'
import { securityHeaders } from './security-headers.ts'
import type { StreamSlot } from './stream-slots.ts'

export interface EventSink {
  send(event: string, data: unknown): void
  /** Sends one line of text without the name of an event. */
  sendText(text: string): void
  end(): void
}

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
  /** Returns whether the stream was open until now. */
  const finish = (): boolean => {
    if (!isOpen) return false
    isOpen = false
    clearInterval(heartbeatTimer)
    slot.release()
    cleanup?.()
    return true
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (bytes: Uint8Array) => {
          if (!isOpen) return
          controller.enqueue(bytes)
          if ((controller.desiredSize ?? 0) <= -maxBufferedBytes && finish())
            controller.error(new Error('the reader fell behind'))
        }
        // Events of one tick share a chunk, because each chunk costs a system call.
        let pendingEvents = ''
        const flush = () => {
          const events = pendingEvents
          pendingEvents = ''
          if (events !== '') write(encoder.encode(events))
        }
        const end = () => {
          flush()
          if (finish()) controller.close()
        }
        heartbeatTimer = setInterval(() => write(heartbeat), streamHeartbeatMs)
        heartbeatTimer.unref()
        const add = (event: string) => {
          if (pendingEvents === '') process.nextTick(flush)
          pendingEvents += event
          if (pendingEvents.length > maxChunkLength) flush()
        }
        try {
          cleanup = start({
            send: (event, data) => add(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
            sendText: (text) => add(`data: ${text}\n\n`),
            end,
          })
        } catch (error) {
          finish()
          throw error
        }
        // `start` may have ended the stream before returning its cleanup.
        if (!isOpen) cleanup()
        slot.onEvicted(end)
      },
      cancel: () => void finish(),
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
