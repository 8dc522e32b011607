import { ask, type CallInput, type FetchedFile, fileOf } from './api.ts'
import type { AnyEndpoint, LooseInput } from './api-types.ts'

const toldEveryMs = 250

/** Downloads a large file and reports the bytes received; the total is unknown, because the server streams it. */
export async function downloadFile<E extends AnyEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  onReceived: (bytes: number) => void,
): Promise<FetchedFile> {
  const response = await ask(endpoint, input as LooseInput, '*/*')
  if (!response.body) return fileOf(response)
  let received = 0
  let toldAt = 0
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, controller) {
      received += piece.byteLength
      const now = performance.now()
      if (now - toldAt >= toldEveryMs) {
        toldAt = now
        onReceived(received)
      }
      controller.enqueue(piece)
    },
  })
  return fileOf(response, new Response(response.body.pipeThrough(counting)))
}
