import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Mailbox } from '../../tests/fakes/mailbox.ts'
import type { Cluster } from '../load/cluster.ts'
import { LoadClient, parseData, type StreamedResponse, type TimedResponse } from '../load/load-client.ts'
import { createClientId, type LoadPerson, password } from '../load/people.ts'

export interface Scene {
  cluster: Cluster
  client: LoadClient
  people: LoadPerson[]
  database: pg.Client
  mailbox: Mailbox
  beforeRestart?(): Promise<void>
}

/** Returns what is wrong; empty if the promise holds. */
export type ScaleOutCheck = (scene: Scene) => Promise<string[]>

const eventTimeoutMs = 2000

async function waitUntil(check: () => boolean | Promise<boolean>, timeoutMs = eventTimeoutMs): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (performance.now() < deadline) {
    if (await check()) return true
    await delay(20)
  }
  return check()
}

const createMemberClients = ({ cluster }: Scene) => cluster.members.map(({ address }) => new LoadClient(address))
const getFirstPerson = ({ people }: Scene): LoadPerson => {
  const [firstPerson] = people
  if (!firstPerson) throw new Error('no people')
  return firstPerson
}
const findWrongStatuses = (answers: TimedResponse[], status: number) => {
  const wrong = answers.filter((answer) => answer.status !== status)
  return wrong.length > 0 ? [`${wrong.length} of ${answers.length} answered ${wrong[0]?.status}, not ${status}`] : []
}
const parseEvents = (stream: StreamedResponse) => {
  const text = stream.text()
  return text
    .slice(0, text.lastIndexOf('\n\n') + 1)
    .split('\n\n')
    .flatMap((block) => {
      const [, event, data] = /^event: (.+)\ndata: (.+)/.exec(block) ?? []
      return event && data ? [{ event, data: JSON.parse(data) as Record<string, unknown> }] : []
    })
}

const checkSessions: ScaleOutCheck = async (scene) => {
  const { client, cluster } = scene
  const { email } = getFirstPerson(scene)
  const signedIn = await client.request('POST', '/api/kam/auth/login', { body: { email, password } })
  const { token } = parseData<{ token: string }>(signedIn)
  const answers: TimedResponse[] = []
  for (let call = 0; call < cluster.members.length * 10; call++)
    answers.push(await client.request('GET', '/api/kam/auth/session', { token }))
  const problems = findWrongStatuses(answers, 200)
  await client.request('POST', '/api/kam/auth/logout', { token, body: {} })
  const isSignedOut = await waitUntil(async () => {
    const responses = await Promise.all(
      createMemberClients(scene).map((memberClient) => memberClient.request('GET', '/api/kam/auth/session', { token })),
    )
    return responses.every(({ status }) => status === 401)
  })
  if (!isSignedOut) problems.push('signed out on one process, but another still accepts the session')
  return problems
}

const checkLiveEvents: ScaleOutCheck = async (scene) => {
  const { token } = getFirstPerson(scene)
  const tabs = await Promise.all(
    createMemberClients(scene).map((memberClient) => memberClient.stream('GET', '/api/events', { token })),
  )
  await waitUntil(() => tabs.every((tab) => parseEvents(tab).some(({ event }) => event === 'open')))
  const changes = 20
  for (let change = 0; change < changes; change++)
    parseData(
      await scene.client.request('POST', '/api/kip/agents', { token, body: { name: `Agent ${change}`, purpose: 'p' } }),
    )
  const countReceived = () =>
    tabs.map((tab) => parseEvents(tab).filter(({ data }) => data.type === 'agents-changed').length)
  await waitUntil(() => countReceived().every((count) => count >= changes))
  await delay(200)
  const wrongCounts = countReceived().filter((count) => count !== changes)
  for (const tab of tabs) tab.close()
  return wrongCounts.length > 0 ? [`of ${changes} changes, tabs received ${countReceived().join(', ')}`] : []
}

const checkRateLimits: ScaleOutCheck = async (scene) => {
  const { token } = scene.people[1] ?? getFirstPerson(scene)
  const statuses: number[] = []
  for (let call = 0; call < 5 + scene.cluster.members.length * 2; call++)
    statuses.push((await scene.client.request('GET', '/api/kam/auth/download', { token })).status)
  const areExpected = statuses.every((status, index) => status === (index < 5 ? 200 : 429))
  return areExpected ? [] : [`downloads were answered ${statuses.join(', ')}`]
}

const checkBoards: ScaleOutCheck = async (scene) => {
  const { token, board } = getFirstPerson(scene)
  const clients = createMemberClients(scene)
  const tabs = await Promise.all(clients.map((memberClient) => memberClient.stream('GET', '/api/events', { token })))
  await waitUntil(() => tabs.every((tab) => parseEvents(tab).some(({ event }) => event === 'open')))
  const tabIds = clients.map(() => createClientId())
  const sendPresence = (index: number) => {
    const body = { tab: tabIds[index], cursor: { x: index, y: 0 }, selection: [] }
    return clients[index]?.request('POST', `/api/boards/${board.id}/presence`, { token, body })
  }
  for (const index of clients.keys()) await sendPresence(index)
  const change = { frames: [], config: null, order: { before: [], after: [] } }
  const numbers = await Promise.all(
    clients.map(async (memberClient, index) => {
      const tabNumbers: number[] = []
      for (let changeIndex = 0; changeIndex < 10; changeIndex++) {
        const body = { tab: tabIds[index], change }
        tabNumbers.push(
          parseData<{ seq: number }>(
            await memberClient.request('POST', `/api/boards/${board.id}/changes`, { token, body }),
          ).seq,
        )
      }
      return tabNumbers
    }),
  )
  const order = numbers.flat().toSorted((a, b) => a - b)
  const getReceived = () =>
    tabs.map((tab) => parseEvents(tab).flatMap(({ data }) => (data.type === 'board-change' ? [Number(data.seq)] : [])))
  const areInSync = await waitUntil(() => getReceived().every((seqs) => seqs.join() === order.join()), 5000)
  for (const tab of tabs) tab.close()
  const problems = areInSync
    ? []
    : [
        `of ${order.length} changes, tabs received ${getReceived()
          .map((seqs) => seqs.length)
          .join(', ')}`,
      ]
  if (new Set(order).size !== order.length) problems.push('two changes have the same number')
  return problems
}

const checkUploads: ScaleOutCheck = async (scene) => {
  const { token, keeperId } = getFirstPerson(scene)
  const data = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    Buffer.from(createClientId().repeat(1000)),
  ])
  const bytes = { mime: 'image/png', data }
  const uploaded = await scene.client.request('POST', `/api/keeper/keepers/${keeperId}/media?name=a.png`, {
    token,
    bytes,
  })
  const { id } = parseData<{ id: string }>(uploaded)
  const answers = await Promise.all(
    createMemberClients(scene).map((memberClient) => memberClient.request('GET', `/api/keeper/media/${id}`, { token })),
  )
  const problems = findWrongStatuses(answers, 200)
  const lengths = new Set(answers.map(({ text }) => text.length))
  if (problems.length === 0 && lengths.size !== 1) problems.push('different bytes')
  return problems
}

/** Kills one of several chatting processes: no stored text may be lost or duplicated, another process closes the run, the other chats continue, and the chat can be resumed. */
const checkKillDuringChat: ScaleOutCheck = async (scene) => {
  const { client, cluster, database } = scene
  const problems: string[] = []
  const [victim] = cluster.members
  if (!victim) return ['no process']
  const person = getFirstPerson(scene)
  const { token, agentId, sessionId } = person
  const startChat = (memberClient: LoadClient, chatPerson: LoadPerson, pieceCount: number) => {
    const body = {
      action: 'run',
      agentId: chatPerson.agentId,
      sessionId: chatPerson.sessionId,
      input: `pieces=${pieceCount}`,
    }
    return memberClient.stream('POST', '/api/kip/agents', { token: chatPerson.token, body })
  }
  const otherStreams = await Promise.all(
    scene.people.slice(2, 2 + cluster.members.length - 1).map((chatPerson, index) => {
      return startChat(new LoadClient(cluster.members[index + 1]?.address ?? ''), chatPerson, 200)
    }),
  )
  const stream = await startChat(new LoadClient(victim.address), person, 400)
  await waitUntil(() => parseEvents(stream).filter(({ event }) => event === 'text').length > 60, 20_000)
  const runId = String(parseEvents(stream)[0]?.data.run_id)
  const visibleText = getStreamedText(stream)
  // Maximum time that progress of an unobserved run stays in its process.
  await delay(1200)
  await victim.end('SIGKILL')
  const killedAt = performance.now()
  const resumed = await client.stream('GET', `/api/kip/runs/${runId}/stream`, { token })
  if (resumed.status !== 200) problems.push(`resuming the run returned ${resumed.status}`)
  const outcome = await Promise.race([resumed.finished, delay(90_000, 'late' as const)])
  const closedAfterSeconds = ((performance.now() - killedAt) / 1000).toFixed(0)
  const events = parseEvents(resumed)
  const lastEvent = events.at(-1)
  if (outcome === 'late' || lastEvent?.event !== 'error' || lastEvent.data.code !== 'interrupted')
    problems.push(`the run ended as ${JSON.stringify(lastEvent)?.slice(0, 200)} after ${closedAfterSeconds} s`)
  const storedText = getStreamedText(resumed)
  if (!storedText.startsWith(visibleText))
    problems.push(`${visibleText.length} characters were shown, ${storedText.length} were stored`)
  const marks = [...storedText.matchAll(/<(\d+\.\d)>/g)].map(([, at]) => at)
  if (marks.length < 60 || new Set(marks).size < marks.length * 0.9) problems.push('words are missing or duplicated')
  for (const other of otherStreams) {
    await other.finished
    if (!other.text().includes('event: done')) problems.push('a chat on another process was interrupted')
  }
  const messages = await client.request('GET', `/api/kip/agents?messages=true&sessionId=${sessionId}`, { token })
  const answer = messages.status === 200 ? parseData<{ id: string; content: string }[]>(messages).at(-1) : undefined
  if (answer?.content !== storedText) problems.push('the message differs from the stored text')
  const body = { action: 'run', agentId, sessionId, input: 'pieces=5', regenerateOf: answer?.id }
  const continued = await client.stream('POST', '/api/kip/agents', { token, body })
  await continued.finished
  if (!continued.text().includes('event: done'))
    problems.push(`the chat didn't continue: ${JSON.stringify(parseEvents(continued).at(-1))?.slice(0, 200)}`)
  const { rows } = await database.query(
    'select status, count(*)::int as count from runs where session_id = $1 group by 1',
    [sessionId],
  )
  const statuses = Object.fromEntries(rows.map(({ status, count }) => [status, count]))
  if (statuses.interrupted !== 1 || statuses.success !== 1 || statuses.running)
    problems.push(`runs of the chat: ${JSON.stringify(statuses)}`)
  await victim.start()
  return problems
}

const getStreamedText = (stream: StreamedResponse) =>
  parseEvents(stream).reduce((text, { event, data }) => {
    if (event === 'snapshot') return String(data.response)
    return event === 'text' ? text + String(data.delta) : text
  }, '')

const checkHourlyJobs: ScaleOutCheck = async (scene) => {
  const { cluster, mailbox } = scene
  const { token, keeperId } = getFirstPerson(scene)
  const triggerDate = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString()
  const count = 30
  const mailsBefore = mailbox.mails.length
  const firstMember = cluster.members[0]
  for (let index = 0; index < count; index++) {
    const body = { message: `echo ${index}.`, triggerDate }
    const memberClient = new LoadClient(firstMember?.address ?? '')
    parseData(await memberClient.request('POST', `/api/keeper/keepers/${keeperId}/echoes`, { token, body }))
    memberClient.close()
  }
  await Promise.all(cluster.members.map((member) => member.end('SIGTERM')))
  await scene.beforeRestart?.()
  await scene.database.query(`update echoes set trigger_at = $1 where trigger_at > $1`, [Date.now() - 1000])
  await Promise.all(cluster.members.map((member) => member.start()))
  await waitUntil(() => mailbox.mails.length - mailsBefore >= count, 20_000)
  await delay(1500)
  const mailedEchoes = mailbox.mails.slice(mailsBefore).map(({ text }) => /echo \d+\./.exec(text)?.[0])
  return mailedEchoes.length === count && new Set(mailedEchoes).size === count
    ? []
    : [`${count} echoes became ${mailedEchoes.length} emails of ${new Set(mailedEchoes).size} echoes`]
}

export const checks: Record<string, ScaleOutCheck> = {
  'a session works on all processes and ends on all': checkSessions,
  'live events reach every process, once': checkLiveEvents,
  'rate limits apply to all processes together': checkRateLimits,
  'board changes reach all processes in one order': checkBoards,
  'an upload is served by all processes': checkUploads,
  'killed during a chat: nothing lost or duplicated, resumed on another process': checkKillDuringChat,
  'hourly jobs: each item once': checkHourlyJobs,
}
