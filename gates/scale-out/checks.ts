import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Mailbox } from '#tests/fakes/mailbox.ts'
import { type Answered, Asker, dataOf, type Streamed } from '../load/asking.ts'
import type { Cluster } from '../load/cluster.ts'
import { newClientId, password, type Somebody } from '../load/people.ts'

export interface Scene {
  cluster: Cluster
  asker: Asker
  people: Somebody[]
  database: pg.Client
  mailbox: Mailbox
  whenAllStand?(): Promise<void>
}

/** Returns what is wrong; empty if the promise holds. */
export type Check = (scene: Scene) => Promise<string[]>

/** Max delay of events in ms. */
const soon = 2000

async function within(check: () => boolean | Promise<boolean>, ms = soon): Promise<boolean> {
  const until = performance.now() + ms
  while (performance.now() < until) {
    if (await check()) return true
    await pause(20)
  }
  return check()
}

const each = ({ cluster }: Scene) => cluster.members.map(({ address }) => new Asker(address))
const firstOf = ({ people }: Scene): Somebody => {
  const [somebody] = people
  if (!somebody) throw new Error('no people')
  return somebody
}
const wrongStatuses = (answers: Answered[], status: number) => {
  const wrong = answers.filter((answer) => answer.status !== status)
  return wrong.length > 0 ? [`${wrong.length} of ${answers.length} answered ${wrong[0]?.status}, not ${status}`] : []
}
const eventsIn = (stream: Streamed) => {
  const text = stream.text()
  return text
    .slice(0, text.lastIndexOf('\n\n') + 1)
    .split('\n\n')
    .flatMap((block) => {
      const [, event, data] = /^event: (.+)\ndata: (.+)/.exec(block) ?? []
      return event && data ? [{ event, data: JSON.parse(data) as Record<string, unknown> }] : []
    })
}

const sessions: Check = async (scene) => {
  const { asker, cluster } = scene
  const { email } = firstOf(scene)
  const signedIn = await asker.ask('POST', '/api/kam/auth/login', { body: { email, password } })
  const { token } = dataOf<{ token: string }>(signedIn)
  const answers: Answered[] = []
  for (let call = 0; call < cluster.members.length * 10; call++)
    answers.push(await asker.ask('GET', '/api/kam/auth/session', { token }))
  const problems = wrongStatuses(answers, 200)
  await asker.ask('POST', '/api/kam/auth/logout', { token, body: {} })
  const isOut = await within(async () => {
    const after = await Promise.all(each(scene).map((one) => one.ask('GET', '/api/kam/auth/session', { token })))
    return after.every(({ status }) => status === 401)
  })
  if (!isOut) problems.push('signed out on one process, but another still accepts the session')
  return problems
}

const liveEvents: Check = async (scene) => {
  const { token } = firstOf(scene)
  const tabs = await Promise.all(each(scene).map((one) => one.stream('GET', '/api/events', { token })))
  await within(() => tabs.every((tab) => eventsIn(tab).some(({ event }) => event === 'open')))
  const changes = 20
  for (let change = 0; change < changes; change++)
    dataOf(await scene.asker.ask('POST', '/api/kip/agents', { token, body: { name: `Agent ${change}`, purpose: 'p' } }))
  const heard = () => tabs.map((tab) => eventsIn(tab).filter(({ data }) => data.type === 'agents-changed').length)
  await within(() => heard().every((count) => count >= changes))
  await pause(200)
  const wrong = heard().filter((count) => count !== changes)
  for (const tab of tabs) tab.close()
  return wrong.length > 0 ? [`of ${changes} changes, tabs received ${heard().join(', ')}`] : []
}

const rateLimits: Check = async (scene) => {
  const { token } = scene.people[1] ?? firstOf(scene)
  const statuses: number[] = []
  for (let call = 0; call < 5 + scene.cluster.members.length * 2; call++)
    statuses.push((await scene.asker.ask('GET', '/api/kam/auth/download', { token })).status)
  const right = statuses.every((status, index) => status === (index < 5 ? 200 : 429))
  return right ? [] : [`downloads were answered ${statuses.join(', ')}`]
}

const boards: Check = async (scene) => {
  const { token, board } = firstOf(scene)
  const askers = each(scene)
  const tabs = await Promise.all(askers.map((one) => one.stream('GET', '/api/events', { token })))
  await within(() => tabs.every((tab) => eventsIn(tab).some(({ event }) => event === 'open')))
  const names = askers.map(() => newClientId())
  const presence = (index: number) => {
    const body = { tab: names[index], cursor: { x: index, y: 0 }, selection: [] }
    return askers[index]?.ask('POST', `/api/boards/${board.id}/presence`, { token, body })
  }
  for (const index of askers.keys()) await presence(index)
  const change = { frames: [], config: null, order: { before: [], after: [] } }
  const numbers = await Promise.all(
    askers.map(async (one, index) => {
      const own: number[] = []
      for (let times = 0; times < 10; times++) {
        const body = { tab: names[index], change }
        own.push(dataOf<{ seq: number }>(await one.ask('POST', `/api/boards/${board.id}/changes`, { token, body })).seq)
      }
      return own
    }),
  )
  const order = numbers.flat().toSorted((a, b) => a - b)
  const heard = () =>
    tabs.map((tab) => eventsIn(tab).flatMap(({ data }) => (data.type === 'board-change' ? [Number(data.seq)] : [])))
  const together = await within(() => heard().every((seqs) => seqs.join() === order.join()), 5000)
  for (const tab of tabs) tab.close()
  const problems = together
    ? []
    : [
        `of ${order.length} changes, tabs received ${heard()
          .map((seqs) => seqs.length)
          .join(', ')}`,
      ]
  if (new Set(order).size !== order.length) problems.push('two changes have the same number')
  return problems
}

const uploads: Check = async (scene) => {
  const { token, keeperId } = firstOf(scene)
  const data = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    Buffer.from(newClientId().repeat(1000)),
  ])
  const bytes = { mime: 'image/png', data }
  const uploaded = await scene.asker.ask('POST', `/api/keeper/keepers/${keeperId}/media?name=a.png`, { token, bytes })
  const { id } = dataOf<{ id: string }>(uploaded)
  const answers = await Promise.all(each(scene).map((one) => one.ask('GET', `/api/keeper/media/${id}`, { token })))
  const problems = wrongStatuses(answers, 200)
  const lengths = new Set(answers.map(({ text }) => text.length))
  if (problems.length === 0 && lengths.size !== 1) problems.push('different bytes')
  return problems
}

/** One of several chatting processes is killed: nothing stored is lost or duplicated, another process closes the run, the other chats continue, and the chat can be resumed. */
const killedInMidChat: Check = async (scene) => {
  const { asker, cluster, database } = scene
  const problems: string[] = []
  const [victim] = cluster.members
  if (!victim) return ['no process']
  const who = firstOf(scene)
  const { token, agentId, sessionId } = who
  const chat = (one: Asker, somebody: Somebody, pieces: number) => {
    const body = { action: 'run', agentId: somebody.agentId, sessionId: somebody.sessionId, input: `pieces=${pieces}` }
    return one.stream('POST', '/api/kip/agents', { token: somebody.token, body })
  }
  const others = await Promise.all(
    scene.people.slice(2, 2 + cluster.members.length - 1).map((somebody, index) => {
      return chat(new Asker(cluster.members[index + 1]?.address ?? ''), somebody, 200)
    }),
  )
  const stream = await chat(new Asker(victim.address), who, 400)
  await within(() => eventsIn(stream).filter(({ event }) => event === 'text').length > 60, 20_000)
  const runId = String(eventsIn(stream)[0]?.data.run_id)
  const seen = textOf(stream)
  // Maximum time that progress of an unobserved run stays in its process.
  await pause(1200)
  await victim.end('SIGKILL')
  const killed = performance.now()
  const resumed = await asker.stream('GET', `/api/kip/runs/${runId}/stream`, { token })
  if (resumed.status !== 200) problems.push(`resuming the run returned ${resumed.status}`)
  const isOver = await Promise.race([resumed.ended, pause(90_000, 'late' as const)])
  const closedAfter = ((performance.now() - killed) / 1000).toFixed(0)
  const events = eventsIn(resumed)
  const ending = events.at(-1)
  if (isOver === 'late' || ending?.event !== 'error' || ending.data.code !== 'interrupted')
    problems.push(`the run ended as ${JSON.stringify(ending)?.slice(0, 200)} after ${closedAfter} s`)
  const kept = textOf(resumed)
  if (!kept.startsWith(seen)) problems.push(`${seen.length} characters were shown, ${kept.length} were stored`)
  const marks = [...kept.matchAll(/<(\d+\.\d)>/g)].map(([, at]) => at)
  if (marks.length < 60 || new Set(marks).size < marks.length * 0.9) problems.push('words are missing or duplicated')
  for (const other of others) {
    await other.ended
    if (!other.text().includes('event: done')) problems.push('a chat on another process was interrupted')
  }
  const messages = await asker.ask('GET', `/api/kip/agents?messages=true&sessionId=${sessionId}`, { token })
  const answer = messages.status === 200 ? dataOf<{ id: string; content: string }[]>(messages).at(-1) : undefined
  if (answer?.content !== kept) problems.push('the message differs from the stored text')
  const body = { action: 'run', agentId, sessionId, input: 'pieces=5', regenerateOf: answer?.id }
  const again = await asker.stream('POST', '/api/kip/agents', { token, body })
  await again.ended
  if (!again.text().includes('event: done'))
    problems.push(`the chat didn't continue: ${JSON.stringify(eventsIn(again).at(-1))?.slice(0, 200)}`)
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

const textOf = (stream: Streamed) =>
  eventsIn(stream).reduce((text, { event, data }) => {
    if (event === 'snapshot') return String(data.response)
    return event === 'text' ? text + String(data.delta) : text
  }, '')

const sweeps: Check = async (scene) => {
  const { cluster, mailbox } = scene
  const { token, keeperId } = firstOf(scene)
  const triggerDate = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString()
  const count = 30
  const before = mailbox.mails.length
  const owner = cluster.members[0]
  for (let index = 0; index < count; index++) {
    const body = { message: `echo ${index}.`, triggerDate }
    const one = new Asker(owner?.address ?? '')
    dataOf(await one.ask('POST', `/api/keeper/keepers/${keeperId}/echoes`, { token, body }))
    one.close()
  }
  await Promise.all(cluster.members.map((member) => member.end('SIGTERM')))
  await scene.whenAllStand?.()
  await scene.database.query(`update echoes set trigger_at = $1 where trigger_at > $1`, [Date.now() - 1000])
  await Promise.all(cluster.members.map((member) => member.start()))
  await within(() => mailbox.mails.length - before >= count, 20_000)
  await pause(1500)
  const told = mailbox.mails.slice(before).map(({ text }) => /echo \d+\./.exec(text)?.[0])
  return told.length === count && new Set(told).size === count
    ? []
    : [`${count} echoes became ${told.length} emails of ${new Set(told).size} echoes`]
}

export const checks: Record<string, Check> = {
  'a session works on all processes and ends on all': sessions,
  'live events reach every process, once': liveEvents,
  'rate limits apply to all processes together': rateLimits,
  'board changes reach all processes in one order': boards,
  'an upload is served by all processes': uploads,
  'killed during a chat: nothing lost or duplicated, resumed on another process': killedInMidChat,
  'hourly jobs: each item once': sweeps,
}
