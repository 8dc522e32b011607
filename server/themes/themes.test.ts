import { describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { themeKeys } from '#contract/themes/theme-keys.ts'
import { type Theme, themes } from '#contract/themes/themes.ts'
import { downloadAccount } from '#server/accounts/own/download-account.ts'
import { json } from '#server/db/database.ts'
import { hourMs } from '#server/values/time-units.ts'
import { countRows } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { expectInvalid } from '#tests/expect-invalid.ts'
import { removeRequestId } from '#tests/remove-request-id.ts'
import { unzip } from '#tests/unzip.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { sweepThemes } from './theme-catalog.ts'

const systemSlugs = ['keeper-classic', 'forest-deep', 'ocean-calm', 'sunset-warm', 'midnight-elegant']
const createPalette = (color: string) => Object.fromEntries(themeKeys.map((key) => [key, color])) as Theme['light']
const fog = { name: 'Harbour Fog', light: createPalette('#eeeeee'), dark: createPalette('#111111') }

describe.each(engines)('themes people create, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true })

  const createTheme = (body: object = {}, actor = ada) => actor.call(themes.create, { body: { ...fog, ...body } })
  const updateTheme = (themeId: string, body: object, actor = ada) =>
    actor.call(themes.update, { params: { themeId }, body })
  const showTheme = (themeId: string, actor = ada) => actor.call(themes.show, { params: { themeId } })
  const removeTheme = (themeId: string, actor = ada) => actor.call(themes.remove, { params: { themeId } })
  const restoreTheme = (themeId: string, actor = ada) => actor.call(themes.restore, { params: { themeId } })
  const listSlugs = async (actor = ada) => (await actor.call(themes.list)).data.map(({ slug }) => slug)
  const chooseTheme = (id: string | null, actor = ada) =>
    actor.call(accounts.updateSettings, { body: { preferred_theme_id: id } })
  const fetchChosenTheme = async (actor = ada) => (await actor.call(accounts.settings)).data.preferred_theme_id

  it('are found by id and slug; colors are normalized and unknown keys dropped', async () => {
    const light = { ...fog.light, primary: ' #ABC ', ribbon: 'url(//evil)' }
    const { data } = await createTheme({ light })
    expect(data).toMatchObject({ slug: 'harbour-fog', mine: true, system: false, visibility: 'private', rev: 1 })
    expect(data.light).toEqual({ ...fog.light, primary: '#aabbcc' })
    expect((await showTheme(data.id)).data).toEqual(data)
    expect((await showTheme('harbour-fog')).data).toEqual(data)
    expect(await listSlugs()).toEqual([...systemSlugs, 'harbour-fog'])
    expect((await chooseTheme('harbour-fog')).data).toEqual({ preferred_theme_id: data.id })
    expect(await fetchChosenTheme()).toBe(data.id)
  })

  it('an invalid or missing color is refused with mode and key', async () => {
    const { ring: _, ...withoutRing } = fog.dark
    for (const [body, field] of [
      [{ light: { ...fog.light, cardForeground: 'red;background:url(//e)' } }, 'light.cardForeground'],
      [{ dark: { ...fog.dark, muted: '#12345' } }, 'dark.muted'],
      [{ dark: withoutRing }, 'dark.ring'],
      [{ light: { ...fog.light, input: 7 } }, 'light.input'],
    ] as const) {
      const answer = await createTheme(body)
      const [mode, key] = field.split('.')
      expectInvalid(answer, field)
      const expectedMessage =
        field === 'dark.ring'
          ? 'This field is required.'
          : `The ${mode} ${key} isn’t a color. Use a hex color like #2a3d58.`
      expect(answer.body.fields?.[field]).toBe(expectedMessage)
      expect(answer.body.error).toContain(field === 'dark.ring' ? field : expectedMessage)
    }
    expect(await countRows(app.services.db, 'themes')).toBe(0)
  })

  it("slugs are unique, also among Keeper's themes", async () => {
    expect((await createTheme({ name: 'Forest Deep' })).data.slug).toMatch(/^forest-deep-\w{8}$/)
  })

  it("an id never resolves to another theme's slug", async () => {
    const { data } = await createTheme({ visibility: 'public' })
    const impostor = (await createTheme({ name: data.id, visibility: 'public' }, ben)).data
    expect(impostor).toMatchObject({ name: data.id, slug: expect.stringMatching(new RegExp(`^${data.id}-\\w{8}$`)) })
    await app.services.db.updateTable('themes').set({ slug: data.id }).where('id', '=', impostor.id).execute()
    const cleo = await app.as('cleo')
    expect((await updateTheme(data.id, { note: 'Still mine.' })).status).toBe(200)
    expect((await updateTheme(data.id, { note: 'Mine again.' })).status).toBe(200)
    expect((await showTheme(data.id, cleo)).data).toMatchObject({ id: data.id, name: 'Harbour Fog' })
    expect((await chooseTheme(data.id, cleo)).data).toEqual({ preferred_theme_id: data.id })
    expect((await showTheme(impostor.id, cleo)).data.id).toBe(impostor.id)
  })

  it('colors and note can be changed, also by slug', async () => {
    const { data } = await createTheme()
    const changed = await updateTheme('harbour-fog', { note: 'Sea.', dark: createPalette('#000') })
    expect(changed.data).toEqual({ ...data, note: 'Sea.', dark: createPalette('#000000'), rev: 2 })
  })

  it('the base theme is stored; an unknown one is refused', async () => {
    expect((await createTheme()).data.basis).toBeNull()
    const { data } = await createTheme({ basis: 'forest-deep' })
    expect({ basis: data.basis, shownBasis: (await showTheme(data.id)).data.basis }).toEqual({
      basis: 'forest-deep',
      shownBasis: 'forest-deep',
    })
    expect((await updateTheme(data.id, { note: 'Green.' })).data.basis).toBe('forest-deep')
    expect((await updateTheme(data.id, { basis: 'ocean-calm' })).data.basis).toBe('ocean-calm')
    expect((await updateTheme(data.id, { basis: null })).data.basis).toBeNull()
    for (const basis of ['harbour-fog', 'url(//evil)', 7]) {
      const answer = await createTheme({ basis })
      expectInvalid(answer, 'basis')
    }
    const systemThemes = (await ada.call(themes.list)).data.filter(({ system }) => system)
    expect(systemThemes.map(({ basis }) => basis)).toEqual(systemSlugs)
  })

  it('a private theme answers like an unknown id; a public one is read-only', async () => {
    const { data } = await createTheme()
    for (const action of [showTheme, restoreTheme].map((request) => (id: string) => request(id, ben))) {
      const [foreign, unknown] = [await action(data.id), await action('0'.repeat(32))]
      expect(foreign.status).toBe(404)
      expect(removeRequestId(foreign.text)).toBe(removeRequestId(unknown.text))
    }
    expect((await chooseTheme(data.id, ben)).status).toBe(400)
    expect(await listSlugs(ben)).toEqual(systemSlugs)

    await updateTheme(data.id, { visibility: 'public' })
    expect((await showTheme('harbour-fog', ben)).data).toMatchObject({ id: data.id, mine: false, visibility: 'public' })
    expect(await listSlugs(ben)).toEqual([...systemSlugs, 'harbour-fog'])
    expect((await chooseTheme('harbour-fog', ben)).status).toBe(200)
    expect({
      updateStatus: (await updateTheme(data.id, {}, ben)).status,
      removeStatus: (await removeTheme(data.id, ben)).status,
    }).toEqual({ updateStatus: 403, removeStatus: 403 })
    expect({ status: (await showTheme(data.id, app.visitor())).status, slugs: await listSlugs(app.visitor()) }).toEqual(
      {
        status: 404,
        slugs: systemSlugs,
      },
    )

    await updateTheme(data.id, { visibility: 'private' })
    expect(await fetchChosenTheme(ben)).toBeNull()
    expect((await showTheme(data.id, ben)).status).toBe(404)
  })

  it('a deleted theme is no longer used, and can be restored for a day', async () => {
    const { data } = await createTheme({ visibility: 'public' })
    await chooseTheme(data.id)
    await chooseTheme(data.id, ben)
    expect((await restoreTheme(data.id)).status).toBe(404)
    expect((await removeTheme(data.id)).status).toBe(200)
    expect((await removeTheme(data.id)).status).toBe(404)
    expect({
      ada: await fetchChosenTheme(),
      ben: await fetchChosenTheme(ben),
      slugs: await listSlugs(ben),
    }).toEqual({
      ada: null,
      ben: null,
      slugs: systemSlugs,
    })

    app.passTime(23 * hourMs)
    await sweepThemes(app.services)
    expect((await restoreTheme(data.id)).data).toEqual(data)
    expect({ ada: await fetchChosenTheme(), ben: await fetchChosenTheme(ben) }).toEqual({
      ada: data.id,
      ben: data.id,
    })

    await removeTheme(data.id)
    app.passTime(24 * hourMs)
    expect((await restoreTheme(data.id)).status).toBe(404)
    await sweepThemes(app.services)
    expect(await countRows(app.services.db, 'themes')).toBe(0)
    const people = await app.services.db.selectFrom('people').select('preferred_theme_id').execute()
    expect(people.every((person) => person.preferred_theme_id === null)).toBe(true)
    expect(await fetchChosenTheme()).toBeNull()
  })

  it("other people's public themes are paged, newest first", async () => {
    for (const name of ['One', 'Two', 'Three']) {
      await createTheme({ name, visibility: 'public' }, ben)
      app.passTime(1000)
    }
    await createTheme({ visibility: 'public' })
    const fetchPage = async (query: Record<string, string | number>) => {
      const { data, body } = await ada.call(themes.list, { query })
      return { slugs: data.map(({ slug }) => slug), next: body.next_cursor as string | null }
    }
    const firstPageThemes = await fetchPage({ limit: 2 })
    expect(firstPageThemes.slugs).toEqual([...systemSlugs, 'harbour-fog', 'three', 'two'])
    expect(await fetchPage({ limit: 2, cursor: firstPageThemes.next ?? '' })).toEqual({ slugs: ['one'], next: null })
    expect((await ada.call(themes.list, { query: { cursor: 'here' } })).status).toBe(400)
  })

  it('a person can have a hundred themes; the error says what to do', async () => {
    const { light, dark } = { light: json(fog.light), dark: json(fog.dark) }
    for (let index = 0; index < 100; index++)
      await app.services.db
        .insertInto('themes')
        .values({
          id: `theme-${index}`,
          owner_id: ada.id,
          slug: `fog-${index}`,
          name: 'Fog',
          note: '',
          light,
          dark,
          visibility: 'private',
          created_at: 1,
          updated_at: 1,
        })
        .execute()
    const refused = await createTheme()
    expect(refused).toMatchObject({ status: 409, body: { error: expect.stringMatching(/Delete one first/) } })
    await removeTheme('fog-7')
    expect((await createTheme()).status).toBe(200)
    expect((await createTheme({}, ben)).status).toBe(200)
  })

  it("the account download contains only the person's own themes", async () => {
    const { data } = await createTheme({ note: 'Grey on grey.', basis: 'ocean-calm' })
    await createTheme({ name: 'Of Ben', visibility: 'public' }, ben)
    const person = await app.services.db
      .selectFrom('people')
      .selectAll()
      .where('id', '=', ada.id)
      .executeTakeFirstOrThrow()
    const answer = await downloadAccount(app.services, person as never)
    const files = await unzip(Buffer.from(await answer.arrayBuffer()))
    const { themes: downloadedThemes } = JSON.parse(String(files.get('studio.json'))) as { themes: object[] }
    expect(downloadedThemes).toEqual([
      expect.objectContaining({
        slug: data.slug,
        note: 'Grey on grey.',
        basis: 'ocean-calm',
        light: data.light,
        dark: data.dark,
      }),
    ])
  })
})
