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
import { dayMs } from '#server/values/time-units.ts'
import { type CastName, cast } from './cast.ts'
import { engines } from './engines.ts'
import { createFrameInput } from './frame-input.ts'
import {
  callProcess,
  fetchHostStatus,
  type KeeperProcess,
  type ProcessCaller,
  startServerProcess,
  streamFromProcess,
} from './several-processes-world.ts'
import { expectSoon, getEventTypes, startTwoProcesses } from './two-processes.ts'

const keeperInput = { title: 'The Harbour Year', purpose: 'Keep.', keeperType: 'journal', memoryPattern: 'sole' }

describe.runIf(engines.includes('postgres'))('two server processes on one PostgreSQL', () => {
  let world: Awaited<ReturnType<typeof startTwoProcesses>>
  beforeAll(async () => {
    world = await startTwoProcesses()
  }, 60_000)
  afterAll(async () => {
    expect(await world?.close(), 'stderr of both processes').toBe('')
  }, 40_000)

  const signIn = async (process: KeeperProcess, name: CastName) => {
    const { email, password } = cast[name]
    const { data } = await callProcess(process, { token: '' }, accounts.login, { body: { email, password } })
    return { id: data.user.id, token: data.token }
  }
  const fetchSession = (process: KeeperProcess, caller: ProcessCaller) => callProcess(process, caller, accounts.session)

  it('a model service added on one process is offered on the other until deleted', async () => {
    const { one, two, ada, provider } = world
    const fetchServiceIds = async () => (await callProcess(two, ada, providerCalls.list)).data.map(({ id }) => id)
    const body = { id: 'harbour', name: 'Harbour models', base_url: provider.baseUrl }
    expect((await callProcess(one, ada, modelServices.create, { body })).status).toBe(200)
    await expectSoon(fetchServiceIds).toEqual(['harbour'])
    await callProcess(one, ada, modelServices.remove, { params: { id: 'harbour' } })
    await expectSoon(fetchServiceIds).toEqual([])
  })

  it("events reach the owner's tabs on the other process, without content", async () => {
    const { one, two, ada, ben } = world
    const [adaEvents, benEvents] = [
      await streamFromProcess(two, ada, live.events),
      await streamFromProcess(two, ben, live.events),
    ]
    await expectSoon(() => [getEventTypes(adaEvents), getEventTypes(benEvents)]).toEqual([['open'], ['open']])
    await callProcess(one, ada, agents.create, { body: { name: 'Canary', purpose: 'canary' } })
    await expectSoon(() => getEventTypes(adaEvents)).toEqual(['open', 'agents-changed'])
    expect(getEventTypes(benEvents)).toEqual(['open'])
    expect(adaEvents.text().toLowerCase()).not.toContain('canary')
    await Promise.all([adaEvents.close(), benEvents.close()])
  })

  it("signing out on one process ends only that session's streams on the other", async () => {
    const { one, two } = world
    const [signingOut, staying] = [await signIn(one, 'ben'), await signIn(two, 'ben')]
    for (const caller of [signingOut, staying]) expect((await fetchSession(two, caller)).status).toBe(200)
    const [endedStream, activeStream] = [
      await streamFromProcess(two, signingOut, live.events),
      await streamFromProcess(two, staying, live.events),
    ]
    await callProcess(one, signingOut, accounts.logout)
    await expectSoon(async () => (await fetchSession(two, signingOut)).status).toBe(401)
    await expectSoon(() => endedStream.isOver()).toBe(true)
    expect(getEventTypes(endedStream).at(-1)).toBe('session-ended')
    expect((await fetchSession(two, staying)).status).toBe(200)
    await expectSoon(() => getEventTypes(activeStream)).toEqual(['open', 'account-changed'])
    expect(activeStream.isOver()).toBe(false)
    await activeStream.close()
  })

  it('role changes on one process take effect on the other right away', async () => {
    const { one, two, ada, ben, dot } = world
    const fetchUsersStatus = async (caller: ProcessCaller) =>
      (await callProcess(two, caller, administration.users)).status
    expect({ ben: await fetchUsersStatus(ben), dot: await fetchUsersStatus(dot) }).toEqual({ ben: 403, dot: 403 })
    const body = { userId: ben.id, roleName: 'admin' }
    expect((await callProcess(one, ada, administration.assignRole, { body })).status).toBe(200)
    await expectSoon(() => fetchUsersStatus(ben)).toBe(200)
    expect((await callProcess(one, ada, administration.removeRole, { body })).status).toBe(200)
    await expectSoon(() => fetchUsersStatus(ben)).toBe(403)
    expect(await fetchUsersStatus(dot)).toBe(403)
  })

  it('people on different processes see board changes in the same order', async () => {
    const { one, two, ada, ben, dot } = world
    const [domain] = (await callProcess(one, ada, domains.mine)).data
    const domainId = domain?.id ?? ''
    await callProcess(one, ada, domains.addMember, {
      params: { id: domainId },
      body: { userId: ben.id, role: 'friend' },
    })
    const { data: board } = await callProcess(one, ada, boards.create, { body: { name: 'Harbour' } })
    const rights = { admin: 'none', user: 'none', friend: 'edit', connection: 'none' }
    await callProcess(one, ada, boardSharing.share, { params: { id: board.id, domainId }, body: { rights } })
    const streams = await Promise.all([
      streamFromProcess(one, ada, live.events),
      streamFromProcess(two, ben, live.events),
      streamFromProcess(two, dot, live.events),
    ])
    const [adaEvents, benEvents, dotEvents] = streams
    const tabs = { ada: 'a'.repeat(32), ben: 'b'.repeat(32) }
    const sendPresence = (process: KeeperProcess, caller: ProcessCaller, tab: string, overrides = {}) =>
      callProcess(process, caller, boardLive.presence, {
        params: { id: board.id },
        body: { tab, cursor: { x: 1, y: 2 }, selection: ['f'.repeat(32)], ...overrides },
      })
    expect((await sendPresence(one, ada, tabs.ada)).data.map(({ tab }) => tab)).toEqual([tabs.ada])
    expect((await sendPresence(two, ben, tabs.ben)).data.map(({ tab }) => tab)).toEqual([tabs.ada, tabs.ben])
    const expectedPresence = {
      personId: ben.id,
      tab: tabs.ben,
      may: 'edit',
      cursor: { x: 1, y: 2 },
      selection: ['f'.repeat(32)],
    }
    const getPresences = (stream: (typeof streams)[number]) =>
      stream.events().flatMap(({ data }) => (data.type === 'board-presence' ? [data] : []))
    await expectSoon(() => getPresences(adaEvents).at(-1)).toMatchObject({ gone: false, who: expectedPresence })

    const frame = { ...createFrameInput('process_frame'), id: 'f'.repeat(32) }
    const sendChange = async (process: KeeperProcess, caller: ProcessCaller, tab: string, name: string) => {
      const updated = { ...frame, data: { ...frame.data, name } }
      const change = { frames: [{ id: frame.id, before: frame, after: updated }], config: null, order: null }
      const { data, text } = await callProcess(process, caller, boardLive.changes, {
        params: { id: board.id },
        body: { tab, change },
      })
      if (!data) throw new Error(text)
      return data.seq
    }
    const sequenceNumbers = (
      await Promise.all(
        Array.from({ length: 20 }, async (_, index) => [
          await sendChange(one, ada, tabs.ada, `ada ${index}`),
          await sendChange(two, ben, tabs.ben, `ben ${index}`),
        ]),
      )
    ).flat()
    const getChanges = (stream: (typeof streams)[number]) =>
      stream
        .events()
        .flatMap(({ data }) => (data.type === 'board-change' ? [data as { seq: number; change: unknown }] : []))
    await expectSoon(() => [getChanges(adaEvents).length, getChanges(benEvents).length], 5000).toEqual([40, 40])
    const inOrder = sequenceNumbers.toSorted((a, b) => a - b)
    expect(new Set(sequenceNumbers).size).toBe(40)
    for (const stream of [adaEvents, benEvents]) expect(getChanges(stream).map(({ seq }) => seq)).toEqual(inOrder)
    expect(getChanges(adaEvents)).toEqual(getChanges(benEvents))

    await sendPresence(two, ben, tabs.ben, { gone: true })
    await expectSoon(() => getPresences(adaEvents).at(-1)).toMatchObject({ gone: true, who: { tab: tabs.ben } })
    expect((await sendPresence(one, ada, tabs.ada)).data.map(({ tab }) => tab)).toEqual([tabs.ada])
    // Unsharing on one process stops events for people on the other.
    await sendPresence(two, ben, tabs.ben)
    await callProcess(one, ada, boardSharing.unshare, { params: { id: board.id, domainId } })
    const previousCounts = [getPresences(benEvents).length, getChanges(benEvents).length]
    await sendChange(one, ada, tabs.ada, 'after unsharing')
    await expectSoon(() => getChanges(adaEvents).length).toBe(41)
    expect([getPresences(benEvents).length, getChanges(benEvents).length]).toEqual(previousCounts)
    expect(benEvents.text()).not.toContain('after unsharing')
    expect(
      dotEvents.events().map(({ event }) => event),
      "people the board isn't shared with receive nothing",
    ).toEqual(['open'])
    await Promise.all(streams.map((stream) => stream.close()))
  })

  it('rate limits count requests per person across both processes', async () => {
    const { one, two, ben, dot } = world
    const fetchDownloadStatus = async (process: KeeperProcess, caller: ProcessCaller) =>
      (await callProcess(process, caller, ownAccount.download)).status
    for (const process of [one, two, one, two, one]) expect(await fetchDownloadStatus(process, ben)).toBe(200)
    expect({
      'two, ben': await fetchDownloadStatus(two, ben),
      'one, ben': await fetchDownloadStatus(one, ben),
    }).toEqual({
      'two, ben': 429,
      'one, ben': 429,
    })
    expect(await fetchDownloadStatus(two, dot)).toBe(200)
  })

  it('a memory created on one process is found by meaning on the other', async () => {
    const { one, two, ada } = world
    const { data: keeper } = await callProcess(one, ada, keepers.create, { body: keeperInput })
    const createMemory = async (content: string) => {
      const { data } = await callProcess(one, ada, reflections.create, {
        params: { id: keeper.id },
        body: { content },
      })
      await callProcess(one, ada, reflections.promote, { params: { id: data.id } })
    }
    const search = async () =>
      (
        await callProcess(two, ada, memoryCards.search, {
          params: { id: keeper.id },
          query: { query: 'father flour scale' },
        })
      ).data.map(({ card }) => card.content)
    await createMemory('The harbour was quiet, and the boats lay still.')
    // Loads the vectors of this keeper on the other process, so that the next memory must refresh them.
    await search()
    await createMemory('My father measured flour on a scale.')
    expect((await search())[0]).toBe('My father measured flour on a scale.')
  })

  it('an archive uploaded to one process is imported once by the other', async () => {
    const { database, one, two, ben, dot } = world
    const { data: keeper } = await callProcess(one, dot, keepers.create, { body: keeperInput })
    await callProcess(one, dot, reflections.create, {
      params: { id: keeper.id },
      body: { content: 'Imported.' },
    })
    const exported = await fetch(`${one.address}/api/keeper/keepers/${keeper.id}/export`, {
      headers: { authorization: `Bearer ${dot.token}` },
    })
    const bytes = { mime: 'application/zip', data: new Uint8Array(await exported.arrayBuffer()) }
    const { data: job } = await callProcess(one, dot, transfer.upload, { query: { fileName: 'mine.zip' }, bytes })
    const fetchState = async () =>
      (await callProcess(two, dot, transfer.show, { params: { jobId: job.id } })).data.state
    await expectSoon(fetchState, 5000).toBe('previewed')
    expect((await callProcess(two, ben, transfer.begin, { params: { jobId: job.id }, body: {} })).status).toBe(404)
    await callProcess(two, dot, transfer.begin, { params: { jobId: job.id }, body: {} })
    await expectSoon(fetchState, 5000).toBe('done')
    const rows = await database.db.selectFrom('reflections').select('content').where('owner_id', '=', dot.id).execute()
    const contents = rows.map(({ content }) => content)
    expect(contents).toEqual(['Imported.', 'Imported.'])
  })

  it('a custom host removed on one process is no longer served by the other', async () => {
    const { database, one, two, ada } = world
    const [domain] = (await callProcess(one, ada, domains.mine)).data
    const host = 'memories.example'
    await database.db
      .updateTable('domains')
      .set({ custom_domain: host, custom_domain_verified: true })
      .where('id', '=', domain?.id ?? '')
      .execute()
    expect(await fetchHostStatus(two, host)).toBe(421)
    const bus = new ProcessBus()
    await bus.open(database.db, createLog('error'))
    bus.send({ kind: 'hosts-changed' })
    await expectSoon(() => fetchHostStatus(two, host)).not.toBe(421)
    await callProcess(one, ada, domains.setCustomDomain, {
      params: { id: domain?.id ?? '' },
      body: { customDomain: null },
    })
    await expectSoon(() => fetchHostStatus(two, host)).toBe(421)
    await bus.close()
  })

  it('a process whose database listener was cut off reconnects and catches up', async () => {
    const { database, one, two, ada, ben } = world
    const signingOut = await signIn(one, 'ben')
    expect((await fetchSession(two, signingOut)).status).toBe(200)
    const [adaEvents, benEvents] = [
      await streamFromProcess(two, ada, live.events),
      await streamFromProcess(one, ben, live.events),
    ]
    await expectSoon(() => [getEventTypes(adaEvents), getEventTypes(benEvents)]).toEqual([['open'], ['open']])
    const listening = sql`from pg_stat_activity where datname = current_database() and query = 'listen keeper'`
    // Both processes must be listening before their connections are cut.
    await expectSoon(async () => (await database.db.write(sql`select pid ${listening}`)).rows.length, 8000).toBe(2)
    await database.db.write(sql`select pg_terminate_backend(pid) ${listening}`)
    await callProcess(one, signingOut, accounts.logout)
    await expectSoon(async () => (await fetchSession(two, signingOut)).status, 3000).toBe(401)
    await expectSoon(() => getEventTypes(adaEvents), 3000).toEqual(['open', 'open'])
    await expectSoon(() => getEventTypes(benEvents).filter((type) => type === 'open'), 3000).toEqual(['open', 'open'])
    await callProcess(one, ada, agents.create, { body: { name: 'Later', purpose: 'p' } })
    await expectSoon(() => getEventTypes(adaEvents)).toEqual(['open', 'open', 'agents-changed'])
    expect({ adaIsOver: adaEvents.isOver(), benIsOver: benEvents.isOver() }).toEqual({
      adaIsOver: false,
      benIsOver: false,
    })
    await Promise.all([adaEvents.close(), benEvents.close()])
  })

  it('two processes starting together email each due echo once', async () => {
    const { database, mailbox, environment, one, dot } = world
    const { data: keeper } = await callProcess(one, dot, keepers.create, { body: keeperInput })
    const triggerDate = new Date(Date.now() + dayMs).toISOString()
    for (let index = 0; index < 8; index++)
      await callProcess(one, dot, echoes.create, {
        params: { id: keeper.id },
        body: { message: `echo ${index}`, triggerDate },
      })
    expect(mailbox.mails).toEqual([])
    const laterEnvironment = { ...environment, CLOCK_OFFSET_MS: String(2 * dayMs) }
    const startedProcesses = await Promise.all([
      startServerProcess(database, laterEnvironment),
      startServerProcess(database, laterEnvironment),
    ])
    await expectSoon(() => mailbox.mails.length, 8000).toBe(8)
    await Promise.all(startedProcesses.map((keeperProcess) => keeperProcess.end('SIGTERM')))
    const mailedTexts = mailbox.mails.map(({ text }) => /echo \d/.exec(text)?.[0]).sort()
    expect(mailedTexts).toEqual(Array.from({ length: 8 }, (_, index) => `echo ${index}`))
    expect(startedProcesses.map((keeperProcess) => keeperProcess.stderr())).toEqual(['', ''])
  })
})
