import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { intent } from '#contract/agents/intent.ts'
import { keys } from '#contract/keys/keys.ts'
import { engines } from '#tests/engines.ts'
import { canaryKeys, createProviderApp, type ProviderApp } from '#tests/provider-app.ts'
import type { Actor } from '#tests/test-app.ts'
import { getContextText, platformGuide } from './context-texts.ts'

describe.each(engines)('context texts on %s', (engine) => {
  let app: ProviderApp
  let cleo: Actor
  beforeAll(async () => {
    app = await createProviderApp(engine)
    cleo = await app.as('cleo', ['super-admin'])
    await cleo.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })
  })
  afterAll(() => app.close())

  const listed = async () => (await cleo.call(intent.contextTexts)).data
  const set = (scope: string, body: string) => cleo.call(intent.setContextText, { params: { scope }, body: { body } })

  it('default to a guide for the platform and to nothing for other scopes', async () => {
    expect(await listed()).toEqual([
      { scope: 'codebase', body: '', updated_at: null, rev: 0 },
      { scope: 'platform_wide', body: platformGuide, updated_at: null, rev: 0 },
      { scope: 'system', body: '', updated_at: null, rev: 0 },
    ])
  })

  it('administrators can set a text, and an empty one restores the default', async () => {
    const saved = await set('platform_wide', 'All is in /root.')
    expect(saved.data).toEqual({
      scope: 'platform_wide',
      body: 'All is in /root.',
      updated_at: expect.any(String),
      rev: expect.any(Number),
    })
    expect(await getContextText(app.services, 'platform_wide')).toBe('All is in /root.')
    await set('platform_wide', 'All is in /studio.')
    expect((await listed())[1]?.body).toBe('All is in /studio.')
    expect((await set('platform_wide', ' \n')).data).toEqual({
      scope: 'platform_wide',
      body: platformGuide,
      updated_at: null,
      rev: 0,
    })
    expect(await getContextText(app.services, 'platform_wide')).toBe(platformGuide)
  })

  it('a stale save returns both texts and overwrites nothing', async () => {
    const [initial] = await listed()
    const save = (body: string, ifMatch: number) =>
      cleo.call(intent.setContextText, {
        params: { scope: 'codebase' },
        body: { body },
        headers: { 'if-match': `${ifMatch}` },
      })
    const answers = await Promise.all(['One.', 'Two.', 'Three.'].map((body) => save(body, initial?.rev ?? 0)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const won = (await listed())[0]
    const lost = answers.find(({ status }) => status === 409)
    expect(lost?.data).toMatchObject({ yours: { body: expect.any(String) }, current: won })
    expect((await save('', initial?.rev ?? 0)).status, 'a reset is a save too').toBe(409)
    expect((await save('', won?.rev ?? 0)).data).toMatchObject({ body: '', rev: 0 })
  })

  it('only administrators can read or set them, for existing scopes only', async () => {
    const ada = await app.as('ada')
    const answers = await Promise.all([
      ada.call(intent.contextTexts),
      ada.call(intent.setContextText, { params: { scope: 'system' }, body: { body: 'Mine.' } }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([403, 403])
    expect(await getContextText(app.services, 'system')).toBe('')
    expect((await set('keeper', 'x')).status).toBe(400)
    expect((await set('system', 'x'.repeat(50_001))).status).toBe(400)
  })

  it('the guide names only existing routes', async () => {
    const { findPageRoute } = await import('../../../web/shell/page-routes.ts')
    const named = platformGuide.match(/(?<=[\s,(])\/[a-z][a-z/-]*[a-z]/g) ?? []
    const chats = ['/kip', '/ceox', '/its-slug', '/the-slug']
    expect(named.length).toBeGreaterThan(8)
    expect(named.filter((path) => !chats.includes(path) && !findPageRoute(path))).toEqual([])
  })

  it('a text is shown to agents of its scope', async () => {
    await set('codebase', 'Written in Ada’s own tongue.')
    await cleo.call(agents.run, { body: { agentId: 'code-agent', input: 'hello' } })
    expect(JSON.stringify(app.fakes.openai.requests.at(-1)?.body)).toContain('Written in Ada’s own tongue.')
    await cleo.call(agents.run, { body: { agentId: 'ceox', input: 'hello' } })
    expect(JSON.stringify(app.fakes.openai.requests.at(-1)?.body)).not.toContain('Written in Ada’s own tongue.')
  })
})
