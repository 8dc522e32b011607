import { beforeEach, describe, expect, it } from 'vitest'
import { listEndpoints } from '#contract/index.ts'
import { echoes } from '#contract/keepers/echoes.ts'
import { entries } from '#contract/keepers/entries.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { sweepEchoes } from './check-time-triggers.ts'

const canary = 'amber-canary-under-seal'

describe.each(engines)('a sealed echo, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let keeperId: string
  beforeEach(async () => {
    keeperId = (await createTestKeeper(ada)).id
  })

  const write = async (more: object = {}) => {
    const body = { message: canary, sealed: true, triggerConditions: { topic: 'sea' }, ...more }
    const { status, data, text } = await ada.call(echoes.create, { params: { id: keeperId }, body })
    expect(status, text).toBe(200)
    return { data, text }
  }
  const change = (id: string, body: object, ifMatch?: number) =>
    ada.call(echoes.update, { params: { id }, body, ...(ifMatch !== undefined && { ifMatch }) })
  const snapshots = async () => JSON.stringify(await app.services.db.selectFrom('entry_history').selectAll().execute())

  it('appears in no call, email, history or log until it is delivered', async () => {
    const answers: string[] = []
    const { data, text } = await write({ triggerDate: '2020-01-01' })
    answers.push(text)
    answers.push((await change(data.id, { triggerConditions: { topic: 'quay' } })).text)
    answers.push((await change(data.id, { message: `${canary} again` }, 1)).text)
    await sweepEchoes(app.services)
    for (const { endpoint } of listEndpoints()) {
      const { method, path, canStream } = endpoint
      if (method !== 'GET' || !path.startsWith('/api/keeper') || canStream) continue
      const about = path.includes('/entries/') ? data.id : keeperId
      const days = { date: '2026-11-20', from: '2026-11-01', to: '2026-11-20' }
      const query = new URLSearchParams({ query: 'amber', q: 'amber', format: 'json', keeperId, ...days })
      const answer = await ada.fetch(`${path.replace(':entity', 'echo').replace(/:\w+/g, about)}?${query}`)
      answers.push(Buffer.from(await answer.arrayBuffer()).toString('latin1'))
    }
    expect(answers.length).toBeGreaterThan(20)
    expect(answers.filter((answer) => answer.includes(canary))).toEqual([])
    expect(await snapshots()).not.toContain(canary)
    expect(app.mails).toHaveLength(1)
    expect(JSON.stringify(app.mails)).not.toContain(canary)
    expect(app.mails[0]?.text).toContain('This echo is sealed')

    const delivered = await ada.call(echoes.deliver, { params: { id: data.id } })
    expect(delivered.data).toMatchObject({ message: canary, state: 'delivered' })
    expect(app.logLines.join('\n')).not.toContain(canary)
  })

  it('is hidden in the trash', async () => {
    const { data } = await write()
    expect((await ada.call(echoes.remove, { params: { id: data.id } })).text).not.toContain(canary)
    const trash = await ada.call(entries.trash)
    expect(trash.text).not.toContain(canary)
    expect(trash.data.map(({ id }) => id)).toEqual([data.id])
    const restored = await ada.call(entries.restore, { params: { entity: 'echo', id: data.id } })
    expect({ status: restored.status, restored: restored.text.includes(canary) }).toEqual({
      status: 200,
      restored: false,
    })
  })

  it('can get a new text but cannot be opened', async () => {
    const { data } = await write()
    const opened = await change(data.id, { sealed: false })
    expect({ status: opened.status, error: opened.body.error }).toEqual({
      status: 409,
      error: expect.stringContaining('replace its text'),
    })
    expect((await change(data.id, { message: 'Other words.' })).data).toMatchObject({ message: '', sealed: true })
    expect((await change(data.id, { message: 'New words.', sealed: false })).data).toMatchObject({
      message: 'New words.',
      sealed: false,
    })
    expect(await snapshots()).not.toContain(canary)
  })

  it('sealed later is removed from history', async () => {
    const { data } = await write({ sealed: false })
    expect(data.message).toBe(canary)
    await change(data.id, { message: `${canary} twice` })
    await change(data.id, { sealed: true })
    await change(data.id, { triggerConditions: null })
    expect(await snapshots()).not.toContain(canary)
    expect(await app.services.db.selectFrom('entry_history').select('rev').execute()).toHaveLength(3)
  })
})
