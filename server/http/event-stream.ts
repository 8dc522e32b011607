import { securityHeaders } from './security-headers.ts'
import type { StreamSlot } from './stream-slots.ts'

export interface EventSink {
  /** Sends one event; after the reader went away or fell too far behind it does nothing. */
  send(event: string, data: unknown): void
  end(): void
}

const heartbeatMs = 15_000
/** A reader that lets more than this many bytes pile up is cut; it can resume. */
const mostBuffered = 1024 * 1024
const eventStreams = new WeakSet<Response>()
const encoder = new TextEncoder()
const heartbeat = encoder.encode(': still here\n\n')

/** Whether the answer is one that goes on. To ask its headers would make a light response a heavy one. */
export const isEventStream = (response: Response) => eventStreams.has(response)

/**
 * An event stream. `start` is given the sink and returns what to do when it ends, whether by `end()`, by the reader
 * going away or falling behind, or because another client takes the slot. The slot is released then, too.
 */
export function eventStream(slot: StreamSlot, start: (sink: EventSink) => () => void): Response {
  let stop: (() => void) | undefined
  let beat: NodeJS.Timeout | undefined
  let open = true
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const close = (abort: boolean) => {
          if (!open) return
          open = false
          clearInterval(beat)
          slot.release()
          stop?.()
          if (abort) controller.error(new Error('the reader fell behind'))
          else controller.close()
        }
        const write = (bytes: Uint8Array) => {
          if (!open) return
          controller.enqueue(bytes)
          if ((controller.desiredSize ?? 0) <= -mostBuffered) close(true)
        }
        beat = setInterval(() => write(heartbeat), heartbeatMs)
        beat.unref()
        try {
          stop = start({
            send: (event, data) => write(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)),
            end: () => close(false),
          })
        } catch (error) {
          open = false
          clearInterval(beat)
          slot.release()
          throw error
        }
        // `start` may have ended the stream before it could hand over what to do then.
        if (!open) {
          clearInterval(beat)
          stop()
        }
        slot.onEvicted(() => close(false))
      },
      cancel() {
        if (!open) return
        open = false
        clearInterval(beat)
        slot.release()
        stop?.()
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
      // Said by us, or the HTTP adapter waits a timer's turn to see whether the stream is already over.
      'transfer-encoding': 'chunked',
    },
  })
  eventStreams.add(response)
  return response
}
