import { once } from 'node:events'
import { request } from 'node:http'

/** Sends a create request except for the end of its body; resolves once the server has received the headers. */
export async function startSlowCreate(address: string, authorization: string, name: string) {
  const body = JSON.stringify({ name, purpose: 'p' })
  const outgoing = request(`${address}/api/kip/agents`, {
    method: 'POST',
    headers: {
      authorization,
      expect: '100-continue',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
  })
  const answer = new Promise<{ status: number | undefined; connection: string | undefined }>((resolve, reject) => {
    outgoing.once('error', reject)
    outgoing.once('response', (response) => {
      const { statusCode, headers } = response.resume()
      response.once('end', () => resolve({ status: statusCode, connection: headers.connection })).once('error', reject)
    })
  })
  answer.catch(() => undefined)
  outgoing.write(body.slice(0, 10))
  await Promise.race([once(outgoing, 'continue'), answer])
  return {
    answer,
    finish() {
      outgoing.end(body.slice(10))
      return answer
    },
  }
}
