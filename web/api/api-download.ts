import { type CallInput, type FetchedFile, sendRequest, toFetchedFile } from './api.ts'
import type { AnyEndpoint, UntypedCallInput } from './api-types.ts'

const progressIntervalMs = 250

/** Downloads a large file and reports the bytes received; the total is unknown, because the server streams it. */
export async function downloadFile<E extends AnyEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  onReceived: (bytes: number) => void,
): Promise<FetchedFile> {
  const response = await sendRequest(endpoint, input as UntypedCallInput, '*/*')
  if (!response.body) return toFetchedFile(response)
  let received = 0
  let lastReportedAt = 0
  const countingStream = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      received += chunk.byteLength
      const now = performance.now()
      if (now - lastReportedAt >= progressIntervalMs) {
        lastReportedAt = now
        onReceived(received)
      }
      controller.enqueue(chunk)
    },
  })
  return toFetchedFile(response, new Response(response.body.pipeThrough(countingStream)))
}
