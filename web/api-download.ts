import { ask, type CallInput, type FetchedFile, fileOf } from './api.ts'
import type { AnyEndpoint, LooseInput } from './api-types.ts'

/** As often a second as somebody reads a figure. */
const toldEveryMs = 250

/**
 * Makes a call that answers a large file, telling how many bytes came: how many there will be nobody knows, for it is
 * written while it is sent. Aborting rejects with the AbortError of the signal.
 */
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
