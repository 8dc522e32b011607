import { constants, setPriority } from 'node:os'
import { LoadClient } from './load-client.ts'
import { pace } from './pace.ts'
import { openSlowConnections } from './slow-connections.ts'

// All attacks, in a low-priority process: attackers would use other machines, so their cost must not count as the server's.

interface HasRows {
  token: string
  keeperId: string
}

export interface Hostility {
  port: number
  only: string[]
  slow: number
  big: HasRows
  /** Another person who searches such rows; a separate one, so they don't wait for the slow connections. */
  looker: HasRows
  emails: string[]
  publicAgentId: string
}

export interface HostilityMetrics {
  openConnections: number
  sentAway: number
  tries: number
  visits: number
  looks: number
}

export const wrongSignInsPerSecond = 100
export const visitorsPerSecond = 30
const aDay = 24 * 60 * 60

export function runHostility(hostility: Hostility, onMetrics: (metrics: HostilityMetrics) => void): void {
  const { port, big, looker, emails } = hostility
  const has = (attack: string) => hostility.only.includes(attack)
  const client = new LoadClient(`http://127.0.0.1:${port}`, 512)
  const from = (number: number) => ({ 'x-forwarded-for': `203.0.${Math.floor(number / 250) % 250}.${number % 250}` })
  const slowPath = `/api/keeper/keepers/${big.keeperId}/moments?limit=100`
  const slow = openSlowConnections(port, has('slow') ? hostility.slow : 0, big.token, slowPath)
  const path = `/api/keeper/keepers/${looker.keeperId}`
  let [tries, visits, looks] = [0, 0, 0]
  const quietly = (work: Promise<unknown>) => work.catch(() => undefined)
  void pace(has('sign-ins') ? wrongSignInsPerSecond : 0, aDay, async () => {
    const body = { email: emails[tries % emails.length], password: 'not the password' }
    await quietly(client.request('POST', '/api/kam/auth/login', { body, headers: from(tries++ % 50) }))
  })
  void pace(has('visitors') ? visitorsPerSecond : 0, aDay, async () => {
    const body = { action: 'run', agentId: hostility.publicAgentId, input: 'pieces=20' }
    await quietly(client.request('POST', '/api/kip/agents', { body, headers: from(5000 + (visits++ % 500)) }))
  })
  const searchPaths = [
    () => `${path}/moments?limit=100&q=${encodeURIComponent(`Moment ${looks * 7919}`)}`,
    () => `${path}/moments?limit=100`,
    () => `${path}/moments?limit=100&mood=2&q=ferry`,
    () => `${path}/moments/calendar?from=2020-01-01&to=2020-12-31`,
    () => `${path}/memory-cards/search?query=${encodeURIComponent('ferry quay rope')}&limit=100`,
    () => `${path}/dashboard`,
  ]
  async function searchForever(): Promise<never> {
    for (;;) {
      const getPath = searchPaths[looks++ % searchPaths.length]
      if (getPath) await quietly(client.request('GET', getPath(), { token: looker.token, headers: from(9000) }))
    }
  }
  if (has('looks')) for (let number = 0; number < 4; number++) void searchForever()
  setInterval(
    () => onMetrics({ openConnections: slow.getOpenCount(), sentAway: slow.getClosedCount(), tries, visits, looks }),
    1000,
  )
}

if (process.send) {
  setPriority(constants.priority.PRIORITY_LOW)
  process.once('disconnect', () => process.exit())
  process.once('message', (hostility) => runHostility(hostility as Hostility, (metrics) => process.send?.(metrics)))
}
