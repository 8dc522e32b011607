import { toTrustedScriptUrl } from '#web/csp/trusted-script-url.ts'
import type { HeicReply } from './heic-worker.ts'
import workerAddress from './heic-worker.ts?worker&url'

const timeoutMs = 120_000
/** Frees the memory of the decoder. */
const idleMs = 30_000

let worker: Worker | undefined
let idleTimer: ReturnType<typeof setTimeout> | undefined
let queue: Promise<unknown> = Promise.resolve()

/** A JPEG of a HEIC picture, decoded in a worker, one at a time. @throws Error when it can't be decoded */
export function decodeHeic(picture: Blob): Promise<Blob> {
  const decoded = queue.then(() => runWorker(picture))
  queue = decoded.catch(() => undefined)
  return decoded
}

async function runWorker(picture: Blob): Promise<Blob> {
  clearTimeout(idleTimer)
  worker ??= new Worker(toTrustedScriptUrl(workerAddress))
  const current = worker
  const bytes = await picture.arrayBuffer()
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error('Decoding took too long')), timeoutMs)
  const answered = new Promise<HeicReply>((resolve, reject) => {
    current.onmessage = ({ data }: MessageEvent<HeicReply>) => resolve(data)
    current.onerror = () => reject(new Error('The decoder stopped'))
    current.postMessage(bytes, [bytes])
  })
  try {
    const reply = await Promise.race([answered, timeout.promise])
    if ('error' in reply) throw new Error(reply.error)
    return reply.picture
  } catch (error) {
    // A decoder that failed may be in any state.
    endWorker()
    throw error
  } finally {
    clearTimeout(timer)
    idleTimer = setTimeout(endWorker, idleMs)
  }
}

function endWorker(): void {
  worker?.terminate()
  worker = undefined
}
