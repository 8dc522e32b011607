import { constants, setPriority } from 'node:os'
import { LoadClient } from './load-client.ts'
import { pace } from './pace.ts'
import { openSlowConnections } from './slow-connections.ts'

// Runs all attacks in a low-priority process: attackers would use other machines, so their cost must not count as the server's.

interface RowOwner {
  token: string
  keeperId: string
}

export interface Hostility {
  port: number
  only: string[]
  slowConnectionCount: number
  slowReader: RowOwner
  /** A second owner of many rows, whose searches don't wait for the slow connections. */
  searcher: RowOwner
  emails: string[]
  publicAgentId: string
}

export interface HostilityMetrics {
  openConnections: number
  closedConnections: number
  signInAttempts: number
  visits: number
  searches: number
}

export const wrongSignInsPerSecond = 100
export const visitorsPerSecond = 30
const daySeconds = 24 * 60 * 60

export function runHostility(hostility: Hostility, onMetrics: (metrics: HostilityMetrics) => void): void {
  const { port, slowReader, searcher, emails } = hostility
  const isEnabled = (attack: string) => hostility.only.includes(attack)
  const client = new LoadClient(`http://127.0.0.1:${port}`, 512)
  const createForwardedHeaders = (number: number) => ({
    'x-forwarded-for': `203.0.${Math.floor(number / 250) % 250}.${number % 250}`,
  })
  const slowPath = `/api/keeper/keepers/${slowReader.keeperId}/moments?limit=100`
  const slow = openSlowConnections(
    port,
    isEnabled('slow') ? hostility.slowConnectionCount : 0,
    slowReader.token,
    slowPath,
  )
  const path = `/api/keeper/keepers/${searcher.keeperId}`
  let [signInAttempts, visits, searches] = [0, 0, 0]
  const ignoreErrors = (work: Promise<unknown>) => work.catch(() => undefined)
  void pace(isEnabled('sign-ins') ? wrongSignInsPerSecond : 0, daySeconds, async () => {
    const body = { email: emails[signInAttempts % emails.length], password: 'not the password' }
    await ignoreErrors(
      client.request('POST', '/api/kam/auth/login', { body, headers: createForwardedHeaders(signInAttempts++ % 50) }),
    )
  })
  void pace(isEnabled('visitors') ? visitorsPerSecond : 0, daySeconds, async () => {
    const body = { action: 'run', agentId: hostility.publicAgentId, input: 'pieces=20' }
    await ignoreErrors(
      client.request('POST', '/api/kip/agents', { body, headers: createForwardedHeaders(5000 + (visits++ % 500)) }),
    )
  })
  const searchPaths = [
    () => `${path}/moments?limit=100&q=${encodeURIComponent(`Moment ${searches * 7919}`)}`,
    () => `${path}/moments?limit=100`,
    () => `${path}/moments?limit=100&mood=2&q=ferry`,
    () => `${path}/moments/calendar?from=2020-01-01&to=2020-12-31`,
    () => `${path}/memory-cards/search?query=${encodeURIComponent('ferry quay rope')}&limit=100`,
    () => `${path}/dashboard`,
  ]
  async function searchForever(): Promise<never> {
    for (;;) {
      const getPath = searchPaths[searches++ % searchPaths.length]
      if (getPath)
        await ignoreErrors(
          client.request('GET', getPath(), { token: searcher.token, headers: createForwardedHeaders(9000) }),
        )
    }
  }
  if (isEnabled('searches')) for (let number = 0; number < 4; number++) void searchForever()
  setInterval(
    () =>
      onMetrics({
        openConnections: slow.getOpenCount(),
        closedConnections: slow.getClosedCount(),
        signInAttempts,
        visits,
        searches,
      }),
    1000,
  )
}

if (process.send) {
  setPriority(constants.priority.PRIORITY_LOW)
  process.once('disconnect', () => process.exit())
  process.once('message', (hostility) => runHostility(hostility as Hostility, (metrics) => process.send?.(metrics)))
}
