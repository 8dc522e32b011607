import type { Services } from '#server/services.ts'

/** `cut`: the response starts, then its connection breaks. */
export type OutsideFault = 'unreachable' | 'status 500' | 'cut'

export interface FailingOutside {
  /** Requests and emails since `arm` or `count`. */
  calls: number
  hit: boolean
  underWay: number
  count(): void
  /** Call number `at` (from 1) fails; with `forGood` every later one too. */
  arm(at: number, fault: OutsideFault, forGood: boolean): void
}

/** Makes outgoing requests and emails of these services fail by number. */
export function failingOutside(services: Services): FailingOutside {
  let failAt = Number.POSITIVE_INFINITY
  let fault: OutsideFault = 'unreachable'
  let isForGood = false
  const failing: FailingOutside = {
    calls: 0,
    hit: false,
    underWay: 0,
    count() {
      failing.arm(Number.POSITIVE_INFINITY, 'unreachable', false)
    },
    arm(at, how, forGood) {
      Object.assign(failing, { calls: 0, hit: false })
      failAt = at
      fault = how
      isForGood = forGood
    },
  }
  const isNext = () => {
    const number = ++failing.calls
    const fails = isForGood ? number >= failAt : number === failAt
    if (fails) failing.hit = true
    return fails
  }
  const { modelRuntime, mailer } = services
  const { fetch } = modelRuntime
  modelRuntime.fetch = async (input, init) => {
    if (!isNext()) return fetch(input, init)
    if (fault === 'unreachable') throw new TypeError('fetch failed')
    if (fault === 'status 500') return Response.json({ error: { message: 'down' } }, { status: 500 })
    return cut(await fetch(input, init))
  }
  const { send } = mailer
  mailer.send = async (mail) => {
    if (isNext()) throw new Error('the mail server is deliberately unavailable')
    failing.underWay++
    return send(mail).finally(() => failing.underWay--)
  }
  return failing
}

/** Sends half of the body, then fails. */
async function cut(answer: Response): Promise<Response> {
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(bytes.slice(0, Math.ceil(bytes.length / 2))),
    pull: (controller) => controller.error(new TypeError('terminated')),
  })
  return new Response(body, { status: answer.status, headers: answer.headers })
}
