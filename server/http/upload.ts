import type { Endpoint } from '#contract/endpoint.ts'
import { badField, Problem } from './problem.ts'
import { withTimeout } from './request-body.ts'
import { streamChunks } from './stream-file.ts'

const idleTimeoutMs = 30_000

export interface Upload {
  mime: string
  declaredBytes: number | null
  /** Fails with 413 above the limit, 408 after a silence, 400 if the client disconnects. */
  stream: ReadableStream<Uint8Array>
}

/** @throws Problem 415 for an unsupported content type, 413 for a declared length above the limit */
export function openUpload(request: Request, endpoint: Endpoint, maxBytes: number): Upload {
  if (!endpoint.upload) throw new Error(`${endpoint.method} ${endpoint.path} takes no bytes`)
  const mime = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (!endpoint.upload.contentTypes.includes(mime)) {
    throw new Problem('wrong-content-type', { message: `Send one of: ${endpoint.upload.contentTypes.join(', ')}.` })
  }
  const declared = request.headers.get('content-length')
  const declaredBytes = declared === null ? null : Number(declared)
  if (declaredBytes !== null && declaredBytes > maxBytes) throw createUploadTooLargeProblem(maxBytes)
  return { mime, declaredBytes, stream: limitStream(request.body ?? new Blob([]).stream(), maxBytes) }
}

function limitStream(body: ReadableStream<Uint8Array>, maxBytes: number): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const cancel = () => reader.cancel().catch(() => undefined)
  async function* readChunks() {
    let bytes = 0
    while (true) {
      const { done, value } = await withTimeout(reader.read(), idleTimeoutMs).catch((error: unknown) => {
        throw error instanceof Problem ? error : badField('body', 'The upload was interrupted. Send it again.', error)
      })
      if (done) return
      bytes += value.byteLength
      if (bytes > maxBytes) {
        void cancel()
        throw createUploadTooLargeProblem(maxBytes)
      }
      yield value
    }
  }
  return streamChunks(readChunks(), cancel)
}

function createUploadTooLargeProblem(maxBytes: number): Problem {
  return new Problem('too-large', {
    message: `Keeper accepts at most ${Math.floor(maxBytes / 1024 / 1024)} MB here. Send a smaller file.`,
  })
}
