import type { Services } from '#server/services.ts'

/** `cut`: the response starts, then its connection breaks. */
export type NetworkFault = 'unreachable' | 'status 500' | 'cut'

export interface ArmedNetworkFault {
  /** From 1. */
  callNumber: number
  fault: NetworkFault
  /** Every later call fails too. */
  isForGood: boolean
}

export interface FailingNetwork {
  /** Requests and emails since `arm` or `count`. */
  calls: number
  hasFailed: boolean
  inFlight: number
  /** Counts calls from 0 without failing any. */
  count(): void
  /** Counts calls from 0 and fails one. */
  arm(armedFault: ArmedNetworkFault): void
}

/** Makes outgoing requests and emails of these services fail by number. */
export function injectNetworkFaults(services: Services): FailingNetwork {
  const noFault: ArmedNetworkFault = { callNumber: Number.POSITIVE_INFINITY, fault: 'unreachable', isForGood: false }
  let armedFault = noFault
  const failing: FailingNetwork = {
    calls: 0,
    hasFailed: false,
    inFlight: 0,
    count() {
      failing.arm(noFault)
    },
    arm(nextFault) {
      Object.assign(failing, { calls: 0, hasFailed: false })
      armedFault = nextFault
    },
  }
  const shouldFailNextCall = () => {
    const { callNumber, isForGood } = armedFault
    const number = ++failing.calls
    const shouldFail = isForGood ? number >= callNumber : number === callNumber
    if (shouldFail) failing.hasFailed = true
    return shouldFail
  }
  const { modelRuntime, mailer } = services
  const { fetch } = modelRuntime
  modelRuntime.fetch = async (input, init) => {
    if (!shouldFailNextCall()) return fetch(input, init)
    const { fault } = armedFault
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
