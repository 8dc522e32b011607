import { beforeEach, describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { agents } from '#contract/agents/agents.ts'
import { domains } from '#contract/domains/domains.ts'
import { people } from '#contract/domains/people.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { moments } from '#contract/keepers/moments.ts'
import { topics } from '#contract/keepers/topics.ts'
import { themes } from '#contract/themes/themes.ts'
import { json } from '#server/db/database.ts'
import { cast } from '#tests/cast.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { computeDatabaseHash } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { expectInvalid } from '#tests/expect-invalid.ts'
import { removeRequestId } from '#tests/remove-request-id.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { authenticate } from './authenticate.ts'

describe.each(engines)('profile and settings, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])

  it("changing one's own names updates the session right away", async () => {
    await ada.call(accounts.session)
    const answer = await ada.call(accounts.updateProfile, {
      params: { id: ada.id },
      body: { name: ' Ada L. ', nickname: 'Addi' },
    })
    expect(answer.data).toEqual({ id: ada.id, name: 'Ada L.', nickname: 'Addi', email: cast.ada.email })
    expect((await ada.call(accounts.session)).data.user).toEqual(answer.data)
    const cleared = await ada.call(accounts.updateProfile, { params: { id: ada.id }, body: { nickname: '' } })
    expect(cleared.data).toMatchObject({ name: 'Ada L.', nickname: null })
  })

  it("a name change is sent to one's other tabs only", async () => {
    const received: string[] = []
    const unsubscribers = [ada, ben].map(({ id }) =>
      app.services.live.subscribe(id, ({ type }) => received.push(`${id === ada.id ? 'ada' : 'ben'}: ${type}`)),
    )
    await ada.call(accounts.updateProfile, { params: { id: ada.id }, body: {} })
    expect(received).toEqual([])
    await ada.call(accounts.updateProfile, { params: { id: ada.id }, body: { nickname: 'Addi' } })
    for (const unsubscribe of unsubscribers) unsubscribe()
    expect(received).toEqual(['ada: session-changed'])
  })

  it("a later user changes their own names and no one else's", async () => {
    const readNames = () =>
      app.services.db.selectFrom('people').select(['id', 'name']).where('id', '!=', ben.id).execute()
    const otherNames = await readNames()
    const { data } = await ben.call(accounts.updateProfile, { params: { id: ben.id }, body: { name: 'Ben, here' } })
    expect(data).toMatchObject({ id: ben.id, name: 'Ben, here', email: cast.ben.email })
    expect(await readNames()).toEqual(otherNames)
  })

  it("someone else's id answers like a random one and changes nothing", async () => {
    const previous = await computeDatabaseHash(app.services.db)
    const attempt = (id: string) => ben.call(accounts.updateProfile, { params: { id }, body: { name: 'Mallory' } })
    const [foreign, random] = [await attempt(ada.id), await attempt('f'.repeat(32))]
    expect(foreign.status).toBe(404)
    expect(removeRequestId(foreign.text)).toBe(removeRequestId(random.text))
    expect([...foreign.headers.keys()]).toEqual([...random.headers.keys()])
    expect(await computeDatabaseHash(app.services.db)).toBe(previous)
  })

  it.each([[''], ['   '], ['x'.repeat(121)], [7], [['a']]])(
    'the name %j is refused, naming the field',
    async (name) => {
      const answer = await ada.call(accounts.updateProfile, { params: { id: ada.id }, body: { name: name as string } })
      expectInvalid(answer, 'name')
    },
  )

  it('extra fields change nothing but the names', async () => {
    const readRow = () =>
      app.services.db.selectFrom('people').selectAll().where('id', '=', ben.id).executeTakeFirstOrThrow()
    const previous = await readRow()
    const extra = Object.fromEntries(Object.keys(previous).map((column) => [column, 'taken-over']))
    const answer = await ben.call(accounts.updateProfile, {
      params: { id: ben.id },
      body: { ...extra, name: 'Ben H.', nickname: 'Benno', platformRoles: ['super-admin'], roles: ['admin'] } as never,
    })
    expect(answer.status).toBe(200)
    expect(await readRow()).toEqual({ ...previous, name: 'Ben H.', nickname: 'Benno' })
    expect((await ben.call(accounts.session)).data.platformRoles).toEqual([])
  })

  it('a theme is chosen by id or slug and cleared by null', async () => {
    const [first] = (await app.visitor().call(themes.list)).data
    const chosen = await ada.call(accounts.updateSettings, { body: { preferred_theme_id: first?.slug ?? '' } })
    expect(chosen.data).toEqual({ preferred_theme_id: first?.id })
    expect((await ada.call(accounts.updateSettings, { body: {} })).data).toEqual({ preferred_theme_id: first?.id })
    expect((await ben.call(accounts.settings)).data).toEqual({ preferred_theme_id: null })
    expect((await ada.call(accounts.updateSettings, { body: { preferred_theme_id: null } })).data).toEqual({
      preferred_theme_id: null,
    })
  })

  it('an unknown theme is refused, naming the field, and not stored', async () => {
    const answer = await ada.call(accounts.updateSettings, { body: { preferred_theme_id: 'neon' } })
    expect({ status: answer.status, fields: answer.body.fields }).toEqual({
      status: 400,
      fields: { preferred_theme_id: expect.any(String) },
    })
    expect((await ada.call(accounts.settings)).data).toEqual({ preferred_theme_id: null })
  })
})

const dirtyName = '\u202EAda\r\nLind\u200Bqvist \u{E0068}\u{E0069}\u202C'
const cleanName = 'Ada Lindqvist'

describe.each(engines)('names with invisible characters, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'])
  beforeEach(() => app.services.db.updateTable('people').set({ name: cleanName }).where('id', '=', ada.id).execute())

  const getOwnParams = () => ({ params: { id: ada.id } })
  const toRefusal = (answer: { status: number; body: { fields?: Record<string, string> } }) => ({
    status: answer.status,
    fields: answer.body.fields,
  })

  it('are cleaned before they are stored', async () => {
    await ada.call(accounts.updateProfile, { ...getOwnParams(), body: { name: dirtyName, nickname: dirtyName } })
    const { data } = await ada.call(domains.create, { body: { name: dirtyName } })
    const { data: agent } = await ada.call(agents.create, { body: { name: dirtyName, purpose: 'One\n\u202Etwo' } })
    const { db } = app.services
    const person = db.selectFrom('people').select(['name', 'nickname']).where('id', '=', ada.id)
    expect(await person.executeTakeFirst()).toEqual({ name: cleanName, nickname: cleanName })
    const domain = db.selectFrom('domains').select(['name', 'slug']).where('id', '=', data.id)
    expect(await domain.executeTakeFirst()).toEqual({
      name: cleanName,
      slug: expect.stringMatching(/^ada-lindqvist-\w+$/),
    })
    const stored = db.selectFrom('agents').select(['name', 'purpose']).where('id', '=', agent.id)
    expect(await stored.executeTakeFirst()).toEqual({ name: cleanName, purpose: 'One\n\u202Etwo' })
  })

  it('count as empty without a visible character', async () => {
    for (const name of ['\u200B\u2060', '\u3164', '\u{E0061}\u{E0062}'])
      expect(toRefusal(await ada.call(accounts.updateProfile, { ...getOwnParams(), body: { name } }))).toEqual({
        status: 400,
        fields: { name: 'Enter a name.' },
      })
  })

  it('are cleaned in responses if stored earlier, and can be saved again', async () => {
    const { db } = app.services
    await db.updateTable('people').set({ name: dirtyName }).where('id', '=', ada.id).execute()
    app.services.sessions.evictPerson(ada.id)
    expect((await ada.call(accounts.session)).data.user.name).toBe(cleanName)
    // Presence on boards and other events use this name, bypassing response cleaning.
    expect((await authenticate(app.services, ada.token ?? ''))?.name).toBe(cleanName)
    const { data: domain } = await ada.call(domains.create, { body: { name: 'Old' } })
    await db.updateTable('domains').set({ name: dirtyName }).where('id', '=', domain.id).execute()
    const listed = (await ada.call(domains.mine)).data.find(({ id }) => id === domain.id)
    expect(listed?.name).toBe(cleanName)
    const body = { name: listed?.name ?? '', description: 'New' }
    const saved = await ada.call(domains.update, { params: { id: domain.id }, body, ifMatch: listed?.rev ?? 0 })
    expect({ status: saved.status, name: saved.data.name }).toEqual({ status: 200, name: cleanName })
    await db.updateTable('domains').set({ name: dirtyName }).where('id', '=', domain.id).execute()
    const stale = await ada.call(domains.update, { params: { id: domain.id }, body, ifMatch: listed?.rev ?? 0 })
    expect(stale).toMatchObject({ status: 409, body: { data: { current: { name: cleanName } } } })
    const search = await ada.call(people.list, { query: { domainId: domain.id } })
    expect(search.text).not.toMatch(/[\u202E\u200B]/)
  })

  it("keep a journal's bytes and find old text by its visible form", async () => {
    const { id: keeperId } = await createTestKeeper(ada)
    const params = { id: keeperId }
    const body = 'First\r\n\u202Esecond\u200B \u{E0061}'
    const moment = await ada.call(moments.create, { params, body: { body, title: dirtyName, topics: [dirtyName] } })
    expect(moment.data).toMatchObject({ body, title: cleanName, topics: [{ name: cleanName }] })
    const duplicate = await ada.call(topics.create, { params, body: { name: ` ${cleanName}\u200B` } })
    expect(duplicate).toMatchObject({ status: 409, body: { error: expect.stringContaining(`“${cleanName}”`) } })
    const entry = { entry: 'e', label: 'l', category: 'c', tags: ['t'] }
    const { data } = await ada.call(logbook.create, { params, body: entry })
    const old = { category: dirtyName, tags: json([dirtyName]) }
    await app.services.db.updateTable('logbook_entries').set(old).where('id', '=', data.id).execute()
    expect((await ada.call(logbook.categories, { params })).data).toEqual([cleanName])
    for (const kind of ['category', 'tag'] as const)
      expect((await ada.call(logbook.renameWord, { params, body: { kind, from: cleanName, to: 'new' } })).data).toEqual(
        {
          changed: 1,
        },
      )
    expect((await ada.call(logbook.list, { params })).data[0]).toMatchObject({ category: 'new', tags: ['new'] })
  })

  it.each([
    'Win at https://evil.example',
    'hxxp and http:// x',
    'www.evil.example',
    'evil.example/login',
    'EVIL.example?x=1',
    'evil．example／a',
    'evil.example:8080',
  ])('names with a web address are refused for people and domains: %s', async (name) => {
    const text = 'A name can’t contain a web address. Leave it out.'
    expect(toRefusal(await ada.call(accounts.updateProfile, { ...getOwnParams(), body: { name } }))).toEqual({
      status: 400,
      fields: { name: text },
    })
    const nickname = await ada.call(accounts.updateProfile, { ...getOwnParams(), body: { nickname: name } })
    expect(toRefusal(nickname)).toEqual({ status: 400, fields: { nickname: text } })
    expect(toRefusal(await ada.call(domains.create, { body: { name } }))).toEqual({
      status: 400,
      fields: { name: text },
    })
    const account = { email: 'new@example.com', password: 'harbour-lamp-41', name }
    expect(toRefusal(await app.visitor().call(accounts.register, { body: account }))).toEqual({
      status: 400,
      fields: { name: text },
    })
  })

  it.each([
    'J. Smith',
    'Dr. No',
    "St. John's/St. Mary",
    'Node.js/React club',
    'keeper.example.com',
    'A.B. & Co.',
    'v1.2',
  ])('can contain a dot: %s', async (name) => {
    expect((await ada.call(accounts.updateProfile, { ...getOwnParams(), body: { name } })).data.name).toBe(name)
    expect((await ada.call(domains.create, { body: { name } })).status).toBe(200)
  })

  it('can keep a web address they already had', async () => {
    const name = 'Ada https://ada.example'
    await app.services.db.updateTable('people').set({ name }).where('id', '=', ada.id).execute()
    app.services.sessions.evictPerson(ada.id)
    const saved = await ada.call(accounts.updateProfile, { ...getOwnParams(), body: { name, nickname: 'A' } })
    expect(saved.data).toMatchObject({ name, nickname: 'A' })
  })
})
