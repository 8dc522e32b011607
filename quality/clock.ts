import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { report } from '../bench/measure.ts'
import { dayMs, hourMs } from '../server/values/time-units.ts'
import { startPostgres, withDatabaseName } from '../tests/engines-setup.ts'
import { startProviderFake } from '../tests/fakes/model-providers/start-provider-fake.ts'
import { type KeeperProcess, startServerProcess } from '../tests/several-processes-world.ts'
import { openInspector } from './faults/database-inspector.ts'
import { createLoadWorld, type LoadWorld, requireData, sendRequest } from './faults/writers.ts'

// A server clock that jumps, is wrong or crosses a DST change causes nothing early, repeated, negative or lost.

const { values } = parseArgs({ options: { moments: { type: 'string', default: '60' } } })
const momentCount = Number(values.moments)
const fake = await startProviderFake({ provider: 'openai', key: 'gate-key', wordDelayMs: 60 })
const environment = { OPENAI_BASE_URL: fake.baseUrl, OPENAI_API_KEY: 'gate-key' }
const postgres = await startPostgres()
let failures: string[] = []
const check = (description: string, isMet: boolean) => void (isMet || failures.push(description))

interface Scene {
  server: KeeperProcess
  world: LoadWorld
  callApi<T>(method: string, path: string, body?: unknown): Promise<T>
}

const createCaller =
  (server: KeeperProcess, token: string): Scene['callApi'] =>
  async <T>(method: string, path: string, body?: unknown) =>
    requireData<T>(await sendRequest(server.address, token, method, path, body))

async function checkRuns({ server, world, callApi }: Scene): Promise<void> {
  for (const jump of [-hourMs, dayMs, -dayMs]) {
    const run = callApi<{ run_id: string }>('POST', '/api/kip/agents', {
      action: 'run',
      agentId: world.agentId,
      input: 'What does the harbour say today, and what tomorrow?',
    })
    await delay(250)
    server.setClockOffset(jump)
    const { run_id } = await run
    server.setClockOffset(0)
    const { logs } = await callApi<{ logs: { id: string; status: string; execution_time_ms: number | null }[] }>(
      'GET',
      '/api/kip/agents?logs=true',
    )
    const ownLogs = logs.filter(({ id }) => id === run_id)
    check(`a run over a jump of ${jump / hourMs} h has ${ownLogs.length} rows`, ownLogs.length === 1)
    check(
      `its row says ${ownLogs[0]?.status}, ${ownLogs[0]?.execution_time_ms} ms`,
      ownLogs[0]?.status === 'success' && (ownLogs[0].execution_time_ms ?? -1) >= 0,
    )
  }
}

async function checkLists({ server, world, callApi }: Scene): Promise<void> {
  const createdIds: string[] = []
  for (let index = 0; index < momentCount; index++) {
    server.setClockOffset([0, hourMs, -hourMs, -dayMs, dayMs][index % 5] ?? 0)
    const path = `/api/keeper/keepers/${world.keeperId}/moments`
    createdIds.push((await callApi<{ id: string }>('POST', path, { body: `Moment ${index}` })).id)
  }
  server.setClockOffset(0)
  const listedIds: string[] = []
  let cursor: string | null = null
  do {
    const query: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''
    const page: { items: { id: string }[]; next_cursor: string | null } = await callApi(
      'GET',
      `/api/keeper/keepers/${world.keeperId}/moments?limit=7${query}`,
    )
    listedIds.push(...page.items.map(({ id }) => id))
    cursor = page.next_cursor
  } while (cursor && listedIds.length < momentCount * 3)
  const distinctIds = new Set(listedIds)
  check(
    `pages show ${distinctIds.size} of ${momentCount} moments in ${listedIds.length} entries`,
    listedIds.length === momentCount && createdIds.every((id) => distinctIds.has(id)),
  )
}

async function checkChat({ server, world, callApi }: Scene): Promise<void> {
  const { agentId } = world
  const session = await callApi<{ id: string }>('POST', '/api/kip/agents', { action: 'createSession', agentId })
  for (const [index, ahead] of [0, -dayMs, hourMs, -hourMs].entries()) {
    server.setClockOffset(ahead)
    await callApi('POST', '/api/kip/agents', {
      action: 'run',
      agentId,
      sessionId: session.id,
      input: `Question ${index}`,
    })
  }
  server.setClockOffset(0)
  const chatMessages = await callApi<{ sender: string; content: string }[]>(
    'GET',
    `/api/kip/agents?messages=true&sessionId=${session.id}`,
  )
  const questions = chatMessages.filter(({ sender }) => sender === 'user').map(({ content }) => content)
  check(
    `a chat shows ${questions.join(', ')}`,
    chatMessages.length === 8 && questions.every((content, index) => content === `Question ${index}`),
  )
}

async function checkEcho({ server, world, callApi }: Scene): Promise<void> {
  const triggerDate = new Date(Date.now() + 12 * hourMs).toISOString()
  const path = `/api/keeper/keepers/${world.keeperId}/echoes`
  const { id } = await callApi<{ id: string }>('POST', path, {
    message: 'Remember the buns.',
    agentId: world.agentId,
    triggerDate,
  })
  const findEcho = async () =>
    (await callApi<{ id: string; state: string; readyAt: string | null }[]>('GET', path)).find((echo) => echo.id === id)
  server.setClockOffset(-dayMs)
  check('an echo is ready a day and a half early', (await findEcho())?.state === 'pending')
  server.setClockOffset(0)
  check('an echo is ready half a day early', (await findEcho())?.state === 'pending')
  server.setClockOffset(dayMs)
  const first = await findEcho()
  check(`a due echo is ${first?.state}`, first?.state === 'ready')
  server.setClockOffset(-dayMs)
  const afterJumpBack = await findEcho()
  check(
    'a ready echo is no longer ready, or its time changed',
    afterJumpBack?.state === 'ready' && afterJumpBack.readyAt === first?.readyAt,
  )
  server.setClockOffset(dayMs)
  await callApi('POST', `/api/keeper/echoes/${id}/deliver`, {})
  const again = await sendRequest(server.address, world.token, 'POST', `/api/keeper/echoes/${id}/deliver`, {})
  check(`an echo was delivered twice: ${again.status}`, again.status !== 200)
  server.setClockOffset(0)
  check('a delivered echo came back', (await findEcho())?.state === 'delivered')
}

async function checkSuggestion({ server, world, callApi }: Scene): Promise<void> {
  const path = `/api/keeper/keepers/${world.keeperId}/reflections`
  const body = { content: 'The harbour is patient.', agentId: world.agentId }
  const { id } = await callApi<{ id: string }>('POST', path, body)
  const fromTomorrow = await callApi<{ id: string; createdAt: string }>('POST', path, {
    ...body,
    createdAt: new Date(Date.now() + 3 * dayMs).toISOString(),
  })
  check('a client from the future wrote in the future', Date.parse(fromTomorrow.createdAt) <= Date.now() + 1000)
  const isSuggested = async () =>
    (await callApi<{ id: string }[]>('GET', `${path}/suggestions`)).some((suggested) => suggested.id === id)
  for (const [ahead, isExpected] of [
    [0, false],
    [-dayMs, false],
    [23 * hourMs, false],
    [24 * hourMs + 60_000, true],
    [-hourMs, false],
  ] as const) {
    server.setClockOffset(ahead)
    check(
      `a reflection is ${isExpected ? 'not ' : ''}suggested after ${ahead / hourMs} h`,
      (await isSuggested()) === isExpected,
    )
  }
  server.setClockOffset(0)
}

async function checkSessionsAndThrottles({ server, world }: Scene): Promise<void> {
  for (const ahead of [dayMs, -dayMs, -hourMs, 0]) {
    server.setClockOffset(ahead)
    const { status } = await sendRequest(server.address, world.token, 'GET', '/api/kam/auth/session')
    check(`a signed-in person is answered ${status} after ${ahead / hourMs} h`, status === 200)
    const wrong = await sendRequest(server.address, undefined, 'POST', '/api/kam/auth/login', {
      email: 'nobody@keeper.example',
      password: 'not-the-password-5',
    })
    check(`a wrong password is answered ${wrong.status} after ${ahead / hourMs} h`, wrong.status === 401)
  }
  server.setClockOffset(400 * dayMs)
  const { status } = await sendRequest(server.address, world.token, 'GET', '/api/kam/auth/session')
  check(`a session from last year is answered ${status}`, status === 401)
  server.setClockOffset(0)
}

/** Days around a DST change, each with instants half an hour after its start and before its end. */
const clockChanges = [
  {
    timezone: 'Europe/Berlin',
    days: [
      ['2027-03-27', '2027-03-26T23:30:00Z', '2027-03-27T22:30:00Z'],
      ['2027-03-28', '2027-03-27T23:30:00Z', '2027-03-28T21:30:00Z'],
      ['2027-03-29', '2027-03-28T22:30:00Z', '2027-03-29T21:30:00Z'],
    ],
  },
  {
    timezone: 'America/New_York',
    days: [
      ['2027-11-06', '2027-11-06T04:30:00Z', '2027-11-07T03:30:00Z'],
      ['2027-11-07', '2027-11-07T04:30:00Z', '2027-11-08T04:30:00Z'],
      ['2027-11-08', '2027-11-08T05:30:00Z', '2027-11-09T04:30:00Z'],
    ],
  },
] as const

async function checkClockChanges({ server, world }: Scene): Promise<void> {
  for (const { timezone, days } of clockChanges) {
    const goTo = (instant: string) => server.setClockOffset(Date.parse(instant) - Date.now())
    goTo(days[0][1])
    const email = `${timezone.replace('/', '.').toLowerCase()}.${world.keeperId}@keeper.example`
    const registered = requireData<{ token: string }>(
      await sendRequest(server.address, undefined, 'POST', '/api/kam/auth/register', {
        email,
        password: 'a-gates-password-5',
      }),
    )
    const callApi = createCaller(server, registered.token)
    const { id } = await callApi<{ id: string }>('POST', '/api/keeper/keepers', {
      title: 'The Harbour Year',
      purpose: 'Keep what the harbour says.',
      keeperType: 'journal',
    })
    for (const [date, ...instants] of days)
      for (const instant of instants) {
        goTo(instant)
        const moment = await callApi<{ localDate: string }>('POST', `/api/keeper/keepers/${id}/moments`, {
          body: 'The ferry was late.',
          timezone,
        })
        check(`a moment of ${instant} is one of ${moment.localDate} in ${timezone}`, moment.localDate === date)
        await callApi('POST', `/api/keeper/keepers/${id}/reflections`, { content: 'No one minded.' })
      }
    const today = days[2][0]
    const query = `date=${today}&timezone=${encodeURIComponent(timezone)}`
    const { streak } = await callApi<{ streak: { current: number; days: { date: string; count: number }[] } }>(
      'GET',
      `/api/keeper/keepers/${id}/dashboard?${query}`,
    )
    check(`the streak in ${timezone} is ${streak.current} days`, streak.current === days.length)
    for (const [date] of days) {
      const count = streak.days.find((day) => day.date === date)?.count
      check(`${date} has ${count} entries in ${timezone}`, count === 4)
    }
  }
  server.setClockOffset(0)
}

const scenes = {
  runs: checkRuns,
  lists: checkLists,
  chat: checkChat,
  'echo once': checkEcho,
  'a day old': checkSuggestion,
  'sessions and throttles': checkSessionsAndThrottles,
  'a change of clocks': checkClockChanges,
}

for (const engine of ['sqlite', 'postgres'] as const) {
  let databaseUrl = ''
  if (engine === 'postgres') {
    const admin = await openInspector({ dataDir: '', databaseUrl: postgres.url })
    await admin.rows('create database gate')
    await admin.close()
    databaseUrl = withDatabaseName(postgres.url, 'gate')
  }
  const server = await startServerProcess({ databaseUrl } as Parameters<typeof startServerProcess>[0], environment)
  const world = await createLoadWorld(server.address, /setup=(\S+)/.exec(server.stdout())?.[1])
  const callApi = createCaller(server, world.token)
  if (engine === 'sqlite') {
    failures = []
    // A one-day-old reflection must be distinguishable by the server's clock.
    await checkSuggestion({
      server: { ...server, setClockOffset: () => server.setClockOffset(25 * hourMs) },
      world,
      callApi,
    })
    report(
      'control: a clock that is always a day ahead',
      `${failures.length} problems`,
      'must be noticed',
      failures.length > 0,
    )
    server.setClockOffset(0)
  }
  for (const [name, scene] of Object.entries(scenes)) {
    failures = []
    await scene({ server, world, callApi }).catch((error: unknown) => failures.push(String(error)))
    server.setClockOffset(0)
    for (const line of failures) console.log(`  ${line}`)
    report(`clock jumps, ${engine}: ${name}`, `${failures.length} problems`, '0', failures.length === 0)
  }
  await server.end('SIGTERM')
}
await fake.close()
await postgres.stop()
