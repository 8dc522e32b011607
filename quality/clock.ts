import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { report } from '../bench/measure.ts'
import { startPostgres, withDatabaseName } from '../tests/engines-setup.ts'
import { startProviderFake } from '../tests/fakes/model-providers/start-provider-fake.ts'
import { type KeeperProcess, startServerProcess } from '../tests/several-processes-world.ts'
import { openInspector } from './faults/database-inspector.ts'
import { createLoadWorld, type LoadWorld, requireData, sendRequest } from './faults/writers.ts'

// A server clock that jumps, is wrong or crosses a DST change causes nothing early, repeated, negative or lost.

const { values } = parseArgs({ options: { moments: { type: 'string', default: '60' } } })
const moments = Number(values.moments)
const hour = 60 * 60 * 1000
const day = 24 * hour
const fake = await startProviderFake({ provider: 'openai', key: 'gate-key', wordDelayMs: 60 })
const environment = { OPENAI_BASE_URL: fake.baseUrl, OPENAI_API_KEY: 'gate-key' }
const postgres = await startPostgres()
let failures: string[] = []
const expect = (description: string, isMet: boolean) => void (isMet || failures.push(description))

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
  for (const jump of [-hour, day, -day]) {
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
    expect(`a run over a jump of ${jump / hour} h has ${ownLogs.length} rows`, ownLogs.length === 1)
    expect(
      `its row says ${ownLogs[0]?.status}, ${ownLogs[0]?.execution_time_ms} ms`,
      ownLogs[0]?.status === 'success' && (ownLogs[0].execution_time_ms ?? -1) >= 0,
    )
  }
}

async function checkLists({ server, world, callApi }: Scene): Promise<void> {
  const createdIds: string[] = []
  for (let index = 0; index < moments; index++) {
    server.setClockOffset([0, hour, -hour, -day, day][index % 5] ?? 0)
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
  } while (cursor && listedIds.length < moments * 3)
  const distinctIds = new Set(listedIds)
  expect(
    `pages show ${distinctIds.size} of ${moments} moments in ${listedIds.length} places`,
    listedIds.length === moments && createdIds.every((id) => distinctIds.has(id)),
  )
}

async function checkChat({ server, world, callApi }: Scene): Promise<void> {
  const { agentId } = world
  const session = await callApi<{ id: string }>('POST', '/api/kip/agents', { action: 'createSession', agentId })
  for (const [index, ahead] of [0, -day, hour, -hour].entries()) {
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
  expect(
    `a chat shows ${questions.join(', ')}`,
    chatMessages.length === 8 && questions.every((content, index) => content === `Question ${index}`),
  )
}

async function checkEcho({ server, world, callApi }: Scene): Promise<void> {
  const triggerDate = new Date(Date.now() + 12 * hour).toISOString()
  const path = `/api/keeper/keepers/${world.keeperId}/echoes`
  const { id } = await callApi<{ id: string }>('POST', path, {
    message: 'Remember the buns.',
    agentId: world.agentId,
    triggerDate,
  })
  const findEcho = async () =>
    (await callApi<{ id: string; state: string; readyAt: string | null }[]>('GET', path)).find((echo) => echo.id === id)
  server.setClockOffset(-day)
  expect('an echo is ready a day and a half early', (await findEcho())?.state === 'pending')
  server.setClockOffset(0)
  expect('an echo is ready half a day early', (await findEcho())?.state === 'pending')
  server.setClockOffset(day)
  const first = await findEcho()
  expect(`a due echo is ${first?.state}`, first?.state === 'ready')
  server.setClockOffset(-day)
  const back = await findEcho()
  expect(
    'a ready echo is no longer ready, or its time changed',
    back?.state === 'ready' && back.readyAt === first?.readyAt,
  )
  server.setClockOffset(day)
  await callApi('POST', `/api/keeper/echoes/${id}/deliver`, {})
  const again = await sendRequest(server.address, world.token, 'POST', `/api/keeper/echoes/${id}/deliver`, {})
  expect(`an echo was delivered twice: ${again.status}`, again.status !== 200)
  server.setClockOffset(0)
  expect('a delivered echo came back', (await findEcho())?.state === 'delivered')
}

async function checkSuggestion({ server, world, callApi }: Scene): Promise<void> {
  const path = `/api/keeper/keepers/${world.keeperId}/reflections`
  const body = { content: 'The harbour is patient.', agentId: world.agentId }
  const { id } = await callApi<{ id: string }>('POST', path, body)
  const fromTomorrow = await callApi<{ id: string; createdAt: string }>('POST', path, {
    ...body,
    createdAt: new Date(Date.now() + 3 * day).toISOString(),
  })
  expect('a client from the future wrote in the future', Date.parse(fromTomorrow.createdAt) <= Date.now() + 1000)
  const isSuggested = async () =>
    (await callApi<{ id: string }[]>('GET', `${path}/suggestions`)).some((suggested) => suggested.id === id)
  for (const [ahead, is] of [
    [0, false],
    [-day, false],
    [23 * hour, false],
    [24 * hour + 60_000, true],
    [-hour, false],
  ] as const) {
    server.setClockOffset(ahead)
    expect(`a reflection is ${is ? 'not ' : ''}suggested after ${ahead / hour} h`, (await isSuggested()) === is)
  }
  server.setClockOffset(0)
}

async function checkSessionsAndThrottles({ server, world }: Scene): Promise<void> {
  for (const ahead of [day, -day, -hour, 0]) {
    server.setClockOffset(ahead)
    const { status } = await sendRequest(server.address, world.token, 'GET', '/api/kam/auth/session')
    expect(`a signed-in person is answered ${status} after ${ahead / hour} h`, status === 200)
    const wrong = await sendRequest(server.address, undefined, 'POST', '/api/kam/auth/login', {
      email: 'nobody@keeper.example',
      password: 'not-the-password-5',
    })
    expect(`a wrong password is answered ${wrong.status} after ${ahead / hour} h`, wrong.status === 401)
  }
  server.setClockOffset(400 * day)
  const { status } = await sendRequest(server.address, world.token, 'GET', '/api/kam/auth/session')
  expect(`a session from last year is answered ${status}`, status === 401)
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
        expect(`a moment of ${instant} is one of ${moment.localDate} in ${timezone}`, moment.localDate === date)
        await callApi('POST', `/api/keeper/keepers/${id}/reflections`, { content: 'No one minded.' })
      }
    const today = days[2][0]
    const query = `date=${today}&timezone=${encodeURIComponent(timezone)}`
    const { streak } = await callApi<{ streak: { current: number; days: { date: string; count: number }[] } }>(
      'GET',
      `/api/keeper/keepers/${id}/dashboard?${query}`,
    )
    expect(`the streak in ${timezone} is ${streak.current} days`, streak.current === days.length)
    for (const [date] of days) {
      const count = streak.days.find((day) => day.date === date)?.count
      expect(`${date} has ${count} entries in ${timezone}`, count === 4)
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
      server: { ...server, setClockOffset: () => server.setClockOffset(25 * hour) },
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
