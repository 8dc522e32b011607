import type { Services } from '#server/services.ts'

/** `cut`: the response starts, then its connection breaks. */
export type NetworkFault = 'unreachable' | 'status 500' | 'cut'

export interface FailingNetwork {
  /** Requests and emails since `arm` or `count`. */
  calls: number
  hit: boolean
  inFlight: number
  count(): void
  /** Call number `at` (from 1) fails; with `forGood` every later one too. */
  arm(at: number, fault: NetworkFault, forGood: boolean): void
}

/** Makes outgoing requests and emails of these services fail by number. */
export function injectNetworkFaults(services: Services): FailingNetwork {
  let failAt = Number.POSITIVE_INFINITY
  let fault: NetworkFault = 'unreachable'
  let isForGood = false
  const failing: FailingNetwork = {
    calls: 0,
    hit: false,
    inFlight: 0,
    count() {
      failing.arm(Number.POSITIVE_INFINITY, 'unreachable', false)
    },
    arm(at, nextFault, forGood) {
      Object.assign(failing, { calls: 0, hit: false })
      failAt = at
      fault = nextFault
      isForGood = forGood
    },
  }
  const shouldFailNextCall = () => {
    const number = ++failing.calls
    const fails = isForGood ? number >= failAt : number === failAt
    if (fails) failing.hit = true
    return fails
  }
  const { modelRuntime, mailer } = services
  const { fetch } = modelRuntime
  modelRuntime.fetch = async (input, init) => {
    if (!shouldFailNextCall()) return fetch(input, init)
    if (fault === 'unreachable') throw new TypeError('fetch failed')
    if (fault === 'status 500') return Response.json({ error: { message: 'down' } }, { status: 500 })
    return truncateBody(await fetch(input, init))
  }
  const { send } = mailer
  mailer.send = async (mail) => {
    if (shouldFailNextCall()) throw new Error('the mail server is deliberately unavailable')
    failing.inFlight++
    return send(mail).finally(() => failing.inFlight--)
  }
  return failing
}

/** Sends half of the body, then fails. */
async function truncateBody(answer: Response): Promise<Response> {
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(bytes.slice(0, Math.ceil(bytes.length / 2))),
    pull: (controller) => controller.error(new TypeError('terminated')),
  })
  return new Response(body, { status: answer.status, headers: answer.headers })
}
