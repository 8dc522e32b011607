import { securityHeaders } from './security-headers.ts'

/** Reads each text when the client has room for it; a client that leaves ends the generator. */
export function toByteStream(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await texts.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      cancel: async () => void (await texts.return(undefined)),
    },
    { highWaterMark: 0 },
  )
}

export function streamDownload(
  texts: AsyncGenerator<string>,
  { type, fileName, headers = {} }: { type: string; fileName: string; headers?: Record<string, string> },
): Response {
  return new Response(toByteStream(texts), {
    headers: {
      ...securityHeaders,
      'content-type': type,
      'content-disposition': `attachment; filename="${fileName}"`,
      'cache-control': 'no-store',
      'transfer-encoding': 'chunked',
      ...headers,
    },
  })
}
