/** A response as Keeper sends it, with its request id; without one, it would count as a proxy's. */
export function createAnswer(body: BodyInit | null, init: ResponseInit = {}): Response {
  const response = new Response(body, init)
  response.headers.set('X-Request-Id', 'request-1')
  return response
}

export const createJsonAnswer = (body: unknown, init?: ResponseInit): Response =>
  createAnswer(JSON.stringify(body), init)
