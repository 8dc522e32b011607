import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { ownAccount } from '#contract/accounts/own-account.ts'
import { administration } from '#contract/administration/administration.ts'
import { agents } from '#contract/agents/agents.ts'
import { boardLive } from '#contract/boards/board-live.ts'
import { boardSharing } from '#contract/boards/board-sharing.ts'
import { boards } from '#contract/boards/boards.ts'
import { domains } from '#contract/domains/domains.ts'
import { echoes } from '#contract/keepers/echoes.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { transfer } from '#contract/keepers/transfer.ts'
import { live } from '#contract/live/live-events.ts'
import { providerCalls } from '#contract/providers/calls.ts'
import { modelServices } from '#contract/providers/model-services.ts'
import { createLog } from '#server/http/log.ts'
import { ProcessBus } from '#server/live/process-bus.ts'
import { frameOf } from './board-frame-of.ts'
import { type CastName, cast } from './cast.ts'
import { engines } from './engines.ts'
import {
  type Caller,
  callAt,
  type KeeperProcess,
  startProcess,
  statusOfHost,
  streamFrom,
} from './several-processes-world.ts'
import { twoProcesses, typesOf, within } from './two-processes.ts'

const day = 24 * 60 * 60 * 1000
const keeperWords = { title: 'The Harbour Year', purpose: 'Keep.', keeperType: 'journal', memoryPattern: 'sole' }

describe.runIf(engines.includes('two server processes on one PostgreSQL'))('two server processes on one PostgreSQL', () => {
  let world: Awaited<ReturnType<typeof twoProcesses>>
  beforeAll(async () => {
    world = await twoProcesses()
  }, 60_000)
  afterAll(async () => {
    expect(await world?.close()).toBe('')
  }, 40_000)

  const signIn = async (at: KeeperProcess, name: CastName) => {
    const { email, password } = cast[name]
    const { data } = await callAt(at, { token: '' }, accounts.login, { body: { email, password } })
    return { id: data.user.id, token: data.token }
  }
  const sessionAt = (at: KeeperProcess, who: Caller) => callAt(at, who, accounts.session)

  it('a model service added at one is offered at the other until deleted', async () => {
    const { one, two, ada, provider } = world
    const offered = async () => (await callAt(two, ada, providerCalls.list)).data.map(({ id }) => id)
    const body = { id: 'harbour', name: 'Harbour models', base_url: provider.baseUrl }
    expect((await callAt(one, ada, modelServices.create, { body })).status).toBe(200)
    await within(offered).toEqual(['harbour'])
    await callAt(one, ada, modelServices.remove, { params: { id: 'harbour' } })
    await within(offered).toEqual([])
  })

  it("events reach the owner's tabs at the other process, without content", async () => {
    const { one, two, ada, ben } = world
    const [adas, bens] = [await streamFrom(two, ada, live.events), await streamFrom(two, ben, live.events)]
    await within(() => [typesOf(adas), typesOf(bens)]).toEqual([['open'], ['open']])
    await callAt(one, ada, agents.create, { body: { name: 'Canary', purpose: 'canary' } })
    await within(() => typesOf(adas)).toEqual(['open', 'agents-changed'])
    expect(typesOf(bens)).toEqual(['open'])
    expect(adas.text().toLowerCase()).not.toContain('canary')
    await Promise.all([adas.close(), bens.close()])
  })

  it("signing out at one process ends only that session's streams at the other", async () => {
    const { one, two } = world
    const [leaving, staying] = [await signIn(one, 'ben'), await signIn(two, 'ben')]
    for (const who of [leaving, staying]) expect((await sessionAt(two, who)).status).toBe(200)
    const [ends, goesOn] = [await streamFrom(two, leaving, live.events), await streamFrom(two, staying, live.events)]
    await callAt(one, leaving, accounts.logout)
    await within(async () => (await sessionAt(two, leaving)).status).toBe(401)
    await within(() => ends.isOver()).toBe(true)
    expect(typesOf(ends).at(-1)).toBe('session-ended')
    expect((await sessionAt(two, staying)).status).toBe(200)
    await within(() => typesOf(goesOn)).toEqual(['open', 'account-changed'])
    expect(goesOn.isOver()).toBe(false)
    await goesOn.close()
  })

  it('granting or revoking a role at one takes effect at the other right away', async () => {
    const { one, two, ada, ben, dot } = world
    const users = async (who: Caller) => (await callAt(two, who, administration.users)).status
    expect([await users(ben), await users(dot)]).toEqual([403, 403])
    const body = { userId: ben.id, roleName: 'admin' }
    expect((await callAt(one, ada, administration.assignRole, { body })).status).toBe(200)
    await within(() => users(ben)).toBe(200)
    expect((await callAt(one, ada, administration.removeRole, { body })).status).toBe(200)
    await within(() => users(ben)).toBe(403)
    expect(await users(dot)).toBe(403)
  })

  it('two people at different processes see the same board changes in one order', async () => {
    const { one, two, ada, ben, dot } = world
    const [own] = (await callAt(one, ada, domains.mine)).data
    const domainId = own?.id ?? ''
    await callAt(one, ada, domains.addMember, { params: { id: domainId }, body: { userId: ben.id, role: 'friend' } })
    const { data: board } = await callAt(one, ada, boards.create, { body: { name: 'Harbour' } })
    const rights = { admin: 'none', user: 'none', friend: 'edit', connection: 'none' }
    await callAt(one, ada, boardSharing.share, { params: { id: board.id, domainId }, body: { rights } })
    const streams = await Promise.all([
      streamFrom(one, ada, live.events),
      streamFrom(two, ben, live.events),
      streamFrom(two, dot, live.events),
    ])
    const [adas, bens, dots] = streams
    const tabs = { ada: 'a'.repeat(32), ben: 'b'.repeat(32) }
    const say = (at: KeeperProcess, who: Caller, tab: string, more = {}) =>
      callAt(at, who, boardLive.presence, {
        params: { id: board.id },
        body: { tab, cursor: { x: 1, y: 2 }, selection: ['f'.repeat(32)], ...more },
      })
    expect((await say(one, ada, tabs.ada)).data.map(({ tab }) => tab)).toEqual([tabs.ada])
    expect((await say(two, ben, tabs.ben)).data.map(({ tab }) => tab)).toEqual([tabs.ada, tabs.ben])
    const met = { personId: ben.id, tab: tabs.ben, may: 'edit', cursor: { x: 1, y: 2 }, selection: ['f'.repeat(32)] }
    const presences = (of: (typeof streams)[number]) =>
      of.events().flatMap(({ data }) => (data.type === 'board-presence' ? [data] : []))
    await within(() => presences(adas).at(-1)).toMatchObject({ gone: false, who: met })

    const frame = { ...frameOf('process_frame'), id: 'f'.repeat(32) }
    const pass = async (at: KeeperProcess, who: Caller, tab: string, name: string) => {
      const after = { ...frame, data: { ...frame.data, name } }
      const change = { frames: [{ id: frame.id, before: frame, after }], config: null, order: null }
      const { data, text } = await callAt(at, who, boardLive.changes, {
        params: { id: board.id },
        body: { tab, change },
      })
      if (!data) throw new Error(text)
      return data.seq
    }
    const numbers = (
      await Promise.all(
        Array.from({ length: 20 }, async (_, index) => [
          await pass(one, ada, tabs.ada, `ada ${index}`),
          await pass(two, ben, tabs.ben, `ben ${index}`),
        ]),
      )
    ).flat()
    const heard = (of: (typeof streams)[number]) =>
      of
        .events()
        .flatMap(({ data }) => (data.type === 'board-change' ? [data as { seq: number; change: unknown }] : []))
    await within(() => [heard(adas).length, heard(bens).length], 5000).toEqual([40, 40])
    const inOrder = numbers.toSorted((a, b) => a - b)
    expect(new Set(numbers).size).toBe(40)
    for (const stream of [adas, bens]) expect(heard(stream).map(({ seq }) => seq)).toEqual(inOrder)
    expect(heard(adas)).toEqual(heard(bens))

    await say(two, ben, tabs.ben, { gone: true })
    await within(() => presences(adas).at(-1)).toMatchObject({ gone: true, who: { tab: tabs.ben } })
    expect((await say(one, ada, tabs.ada)).data.map(({ tab }) => tab)).toEqual([tabs.ada])
    // Unsharing at one stops events for people at the other.
    await say(two, ben, tabs.ben)
    await callAt(one, ada, boardSharing.unshare, { params: { id: board.id, domainId } })
    const before = [presences(bens).length, heard(bens).length]
    await pass(one, ada, tabs.ada, 'after it was taken back')
    await within(() => heard(adas).length).toBe(41)
    expect([presences(bens).length, heard(bens).length]).toEqual(before)
    expect(bens.text()).not.toContain('after it was taken back')
    expect(
      dots.events().map(({ event }) => event),
      'people without the board receive nothing',
    ).toEqual(['open'])
    await Promise.all(streams.map((stream) => stream.close()))
  })

  it('rate limits count requests at both processes per person', async () => {
    const { one, two, ben, dot } = world
    const download = async (at: KeeperProcess, who: Caller) => (await callAt(at, who, ownAccount.download)).status
    for (const at of [one, two, one, two, one]) expect(await download(at, ben)).toBe(200)
    expect([await download(two, ben), await download(one, ben)]).toEqual([429, 429])
    expect(await download(two, dot)).toBe(200)
  })

  it('a memory kept at one is found by meaning at the other', async () => {
    const { one, two, ada } = world
    const { data: keeper } = await callAt(one, ada, keepers.create, { body: keeperWords })
    const keep = async (content: string) => {
      const { data } = await callAt(one, ada, reflections.create, { params: { id: keeper.id }, body: { content } })
      await callAt(one, ada, reflections.promote, { params: { id: data.id } })
    }
    const search = async () =>
      (
        await callAt(two, ada, memoryCards.search, {
          params: { id: keeper.id },
          query: { query: 'father flour scale' },
        })
      ).data.map(({ card }) => card.content)
    await keep('The harbour was quiet, and the boats lay still.')
    await search()
    await keep('My father measured flour on a scale.')
    expect((await search())[0]).toBe('My father measured flour on a scale.')
  })

  it('an archive uploaded at one is imported once from the other', async () => {
    const { database, one, two, ben, dot } = world
    const { data: keeper } = await callAt(one, dot, keepers.create, { body: keeperWords })
    await callAt(one, dot, reflections.create, { params: { id: keeper.id }, body: { content: 'Brought along.' } })
    const exported = await fetch(`${one.address}/api/keeper/keepers/${keeper.id}/export`, {
      headers: { authorization: `Bearer ${dot.token}` },
    })
    const bytes = { mime: 'application/zip', data: new Uint8Array(await exported.arrayBuffer()) }
    const { data: job } = await callAt(one, dot, transfer.upload, { query: { fileName: 'mine.zip' }, bytes })
    const state = async () => (await callAt(two, dot, transfer.show, { params: { jobId: job.id } })).data.state
    await within(state, 5000).toBe('previewed')
    expect((await callAt(two, ben, transfer.begin, { params: { jobId: job.id }, body: {} })).status).toBe(404)
    await callAt(two, dot, transfer.begin, { params: { jobId: job.id }, body: {} })
    await within(state, 5000).toBe('done')
    const brought = await database.db
      .selectFrom('reflections')
      .select('content')
      .where('owner_id', '=', dot.id)
      .execute()
    expect(brought.map(({ content }) => content)).toEqual(['Brought along.', 'Brought along.'])
  })

  it('a custom host removed at one is no longer served by the other', async () => {
    const { database, one, two, ada } = world
    const [own] = (await callAt(one, ada, domains.mine)).data
    const host = 'memories.example'
    await database.db
      .updateTable('domains')
      .set({ custom_domain: host, custom_domain_verified: true })
      .where('id', '=', own?.id ?? '')
      .execute()
    expect(await statusOfHost(two, host)).toBe(421)
    const bus = new ProcessBus()
    await bus.open(database.db, createLog('error'))
    bus.send({ kind: 'hosts-changed' })
    await within(() => statusOfHost(two, host)).not.toBe(421)
    await callAt(one, ada, domains.setCustomDomain, { params: { id: own?.id ?? '' }, body: { customDomain: null } })
    await within(() => statusOfHost(two, host)).toBe(421)
    await bus.close()
  })

  it('a lost listener reconnects, refreshes tabs and clears cached sessions', async () => {
    const { database, one, two, ada, ben } = world
    const leaving = await signIn(one, 'ben')
    expect((await sessionAt(two, leaving)).status).toBe(200)
    const [adas, bens] = [await streamFrom(two, ada, live.events), await streamFrom(one, ben, live.events)]
    await within(() => [typesOf(adas), typesOf(bens)]).toEqual([['open'], ['open']])
    const listening = sql`from pg_stat_activity where datname = current_database() and query = 'listen keeper'`
    // Waits until an interrupted listener is back.
    await within(async () => (await database.db.write(sql`select pid ${listening}`)).rows.length, 8000).toBe(2)
    await database.db.write(sql`select pg_terminate_backend(pid) ${listening}`)
    await callAt(one, leaving, accounts.logout)
    await within(async () => (await sessionAt(two, leaving)).status, 3000).toBe(401)
    await within(() => typesOf(adas), 3000).toEqual(['open', 'open'])
    await within(() => typesOf(bens).filter((type) => type === 'open'), 3000).toEqual(['open', 'open'])
    await callAt(one, ada, agents.create, { body: { name: 'After', purpose: 'p' } })
    await within(() => typesOf(adas)).toEqual(['open', 'open', 'agents-changed'])
    expect([adas.isOver(), bens.isOver()]).toEqual([false, false])
    await Promise.all([adas.close(), bens.close()])
  })

  it('two processes starting together email each due echo once', async () => {
    const { database, mailbox, environment, one, dot } = world
    const { data: keeper } = await callAt(one, dot, keepers.create, { body: keeperWords })
    const triggerDate = new Date(Date.now() + day).toISOString()
    for (let index = 0; index < 8; index++)
      await callAt(one, dot, echoes.create, {
        params: { id: keeper.id },
        body: { message: `echo ${index}`, triggerDate },
      })
    expect(mailbox.mails).toEqual([])
    const later = { ...environment, AHEAD: String(2 * day) }
    const both = await Promise.all([startProcess(database, later), startProcess(database, later)])
    await within(() => mailbox.mails.length, 8000).toBe(8)
    await Promise.all(both.map((each) => each.end('SIGTERM')))
    const told = mailbox.mails.map(({ text }) => /echo \d/.exec(text)?.[0]).sort()
    expect(told).toEqual(Array.from({ length: 8 }, (_, index) => `echo ${index}`))
    expect(both.map((each) => each.stderr())).toEqual(['', ''])
  })
})
