import type { Endpoint } from '#contract/endpoint.ts'
import { badField, Problem } from './problem.ts'
import { inTime } from './request-body.ts'

/** However slow a connection is, something comes in so long. */
const quietMs = 30_000

/** Bytes somebody sends. */
export interface Upload {
  /** Without parameters, lowercased: `audio/webm`. */
  mime: string
  /** As the client declared it; null when it did not. */
  declaredBytes: number | null
  /**
   * Fails with a 413 as soon as there are more bytes than the call takes, with a 408 when nothing comes any more, with a 400 when
   * whoever sends goes away in the middle.
   */
  stream: ReadableStream<Uint8Array>
}

/** @throws Problem 415 for a content type the call does not take, 413 for a body declared too long */
export function uploadOf(request: Request, endpoint: Endpoint, limitBytes: number): Upload {
  if (!endpoint.takes) throw new Error(`${endpoint.method} ${endpoint.path} takes no bytes`)
  const mime = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (!endpoint.takes.mime.includes(mime)) {
    throw new Problem('wrong-content-type', { message: `Send one of: ${endpoint.takes.mime.join(', ')}.` })
  }
  const declared = request.headers.get('content-length')
  const declaredBytes = declared === null ? null : Number(declared)
  if (declaredBytes !== null && declaredBytes > limitBytes) throw tooLong(limitBytes)
  return { mime, declaredBytes, stream: held(request.body ?? new Blob([]).stream(), limitBytes) }
}

function held(body: ReadableStream<Uint8Array>, limitBytes: number): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let bytes = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await inTime(reader.read(), quietMs).catch((error: unknown) => {
          throw error instanceof Problem ? error : brokeOff(error)
        })
        if (done) return controller.close()
        bytes += value.byteLength
        if (bytes > limitBytes) {
          void reader.cancel().catch(() => undefined)
          throw tooLong(limitBytes)
        }
        controller.enqueue(value)
      },
      // How it ends does not concern whoever has read enough.
      cancel: (reason) => reader.cancel(reason).catch(() => undefined),
    },
    { highWaterMark: 0 },
  )
}

function brokeOff(cause: unknown): Problem {
  return badField('body', 'The upload broke off. Send it again.', cause)
}

function tooLong(limitBytes: number): Problem {
  return new Problem('too-large', {
    message: `This call takes at most ${Math.floor(limitBytes / 1024 / 1024)} MB. Send a smaller file.`,
  })
}
