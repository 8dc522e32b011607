import { toTrustedScriptUrl } from '#web/csp/trusted-script-url.ts'
import type { HeicReply } from './heic-worker.ts'
import workerAddress from './heic-worker.ts?worker&url'

const decodeTimeoutMs = 120_000
/** An idle worker ends after this time, to free its memory. */
const maxIdleMs = 30_000

let worker: Worker | undefined
let idleTimer: ReturnType<typeof setTimeout> | undefined
let queue: Promise<unknown> = Promise.resolve()

/** A JPEG of a HEIC picture, decoded in a worker, one at a time. @throws Error when it can't be decoded */
export function decodeHeic(picture: Blob): Promise<Blob> {
  const decodedPicture = queue.then(() => runWorker(picture))
  queue = decodedPicture.catch(() => undefined)
  return decodedPicture
}

async function runWorker(picture: Blob): Promise<Blob> {
  clearTimeout(idleTimer)
  worker ??= new Worker(toTrustedScriptUrl(workerAddress))
  const currentWorker = worker
  const bytes = await picture.arrayBuffer()
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error('Decoding took too long')), decodeTimeoutMs)
  const workerReply = new Promise<HeicReply>((resolve, reject) => {
    currentWorker.onmessage = ({ data }: MessageEvent<HeicReply>) => resolve(data)
    currentWorker.onerror = () => reject(new Error('The decoder stopped'))
    currentWorker.postMessage(bytes, [bytes])
  })
  try {
    const reply = await Promise.race([workerReply, timeout.promise])
    if ('error' in reply) throw new Error(reply.error)
    return reply.picture
  } catch (error) {
    // A decoder that failed can be in any state.
    endWorker()
    throw error
  } finally {
    clearTimeout(timer)
    idleTimer = setTimeout(endWorker, maxIdleMs)
  }
}

function endWorker(): void {
  worker?.terminate()
  worker = undefined
}
