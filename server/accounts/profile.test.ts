import { describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { themes } from '#contract/themes/themes.ts'
import { cast } from '#tests/cast.ts'
import { computeDatabaseHash } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const withoutRequestId = (text: string) => text.replace(/"requestId":"\w+"/, '')

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
    const stops = [ada, ben].map(({ id }) =>
      app.services.live.subscribe(id, ({ type }) => received.push(`${id === ada.id ? 'ada' : 'ben'}: ${type}`)),
    )
    await ada.call(accounts.updateProfile, { params: { id: ada.id }, body: {} })
    expect(received).toEqual([])
    await ada.call(accounts.updateProfile, { params: { id: ada.id }, body: { nickname: 'Addi' } })
    for (const stop of stops) stop()
    expect(received).toEqual(['ada: session-changed'])
  })

  it("a later user changes their own names and no one else's", async () => {
    const names = () => app.services.db.selectFrom('people').select(['id', 'name']).where('id', '!=', ben.id).execute()
    const otherNames = await names()
    const { data } = await ben.call(accounts.updateProfile, { params: { id: ben.id }, body: { name: 'Ben, here' } })
    expect(data).toMatchObject({ id: ben.id, name: 'Ben, here', email: cast.ben.email })
    expect(await names()).toEqual(otherNames)
  })

  it("someone else's id answers like a random one and changes nothing", async () => {
    const previous = await computeDatabaseHash(app.services.db)
    const attempt = (id: string) => ben.call(accounts.updateProfile, { params: { id }, body: { name: 'Mallory' } })
    const [foreign, random] = [await attempt(ada.id), await attempt('f'.repeat(32))]
    expect(foreign.status).toBe(404)
    expect(withoutRequestId(foreign.text)).toBe(withoutRequestId(random.text))
    expect([...foreign.headers.keys()]).toEqual([...random.headers.keys()])
    expect(await computeDatabaseHash(app.services.db)).toBe(previous)
  })

  it.each([[''], ['   '], ['x'.repeat(121)], [7], [['a']]])('the name %j is refused by name', async (name) => {
    const answer = await ada.call(accounts.updateProfile, { params: { id: ada.id }, body: { name: name as string } })
    expect({ status: answer.status, fields: Object.keys(answer.body.fields ?? {}) }).toEqual({
      status: 400,
      fields: ['name'],
    })
  })

  it('extra fields change nothing but the names', async () => {
    const row = () =>
      app.services.db.selectFrom('people').selectAll().where('id', '=', ben.id).executeTakeFirstOrThrow()
    const previous = await row()
    const extra = Object.fromEntries(Object.keys(previous).map((column) => [column, 'taken-over']))
    const answer = await ben.call(accounts.updateProfile, {
      params: { id: ben.id },
      body: { ...extra, name: 'Ben H.', nickname: 'Benno', platformRoles: ['super-admin'], roles: ['admin'] } as never,
    })
    expect(answer.status).toBe(200)
    expect(await row()).toEqual({ ...previous, name: 'Ben H.', nickname: 'Benno' })
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

  it('an unknown theme is refused by name and not stored', async () => {
    const answer = await ada.call(accounts.updateSettings, { body: { preferred_theme_id: 'neon' } })
    expect({ status: answer.status, fields: answer.body.fields }).toEqual({
      status: 400,
      fields: { preferred_theme_id: expect.any(String) },
    })
    expect((await ada.call(accounts.settings)).data).toEqual({ preferred_theme_id: null })
  })
})
