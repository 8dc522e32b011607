import { securityHeaders } from './security-headers.ts'

const encoder = new TextEncoder()

/** Opens nothing before the first read, so that an unread response leaves nothing open. */
export function streamChunks(
  chunks: AsyncIterator<string | Uint8Array>,
  cancel: () => unknown = () => chunks.return?.(),
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
      },
      async cancel() {
        await cancel()
      },
    },
    { highWaterMark: 0 },
  )
}

export const csvType = 'text/csv; charset=utf-8; header=present'

/** A file that is sent while it is created, and saved by the browser. */
export function streamFile(
  fileName: string,
  type: string,
  chunks: AsyncIterator<string>,
  headers: Record<string, string> = {},
): Response {
  return new Response(streamChunks(chunks), {
    headers: {
      ...securityHeaders,
      'content-type': type,
      'content-disposition': `attachment; filename="${fileName}"`,
      'cache-control': 'no-store',
      // Set explicitly, or the HTTP adapter waits a timer tick for the stream to end.
      'transfer-encoding': 'chunked',
      ...headers,
    },
  })
}
