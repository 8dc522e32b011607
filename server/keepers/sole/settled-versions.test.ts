import { describe, expect, it } from 'vitest'
import { type SoleVersion, sole } from '#contract/keepers/sole.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const longStatement = (at: number) =>
  `In year ${at} the harbour of place ${at} froze. ${'It was told often. '.repeat(90)}`

describe.each(engines)('settled versions of a SOLE, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'])

  const setUp = async () => {
    const params = { id: (await createTestKeeper(ada)).id }
    const ok = async (answer: Promise<{ status: number; text: string }>) => {
      const { status, text } = await answer
      if (status !== 200) throw new Error(text)
    }
    const submit = (texts: string[]) =>
      ok(ada.call(sole.submitDraft, { params, body: { statements: texts.map((text) => ({ text })) } }))
    const approve = () => ok(ada.call(sole.approve, { params, body: {} }))
    const reject = () => ok(ada.call(sole.reject, { params, body: {} }))
    const restore = (version: number) => ok(ada.call(sole.restore, { params: { ...params, version: String(version) } }))
    const versions = async () => (await ada.call(sole.versions, { params })).data
    const stored = async () => {
      const { db } = app.services
      const rows = await db.selectFrom('sole_versions').selectAll().where('keeper_id', '=', params.id).execute()
      return rows.reduce(
        (total, { statements, content, difference }) =>
          total + JSON.stringify([statements, content, difference]).length,
        0,
      )
    }
    await submit(Array.from({ length: 40 }, (_, at) => longStatement(at)))
    await approve()
    return { submit, approve, reject, restore, versions, stored }
  }
  const story = ({ version, content, statements }: SoleVersion) => ({ version, content, statements })

  it('store only the changed sentence of a rejected draft', async () => {
    const { submit, reject, versions, stored } = await setUp()
    const storedBefore = await stored()
    const drafts: SoleVersion[] = []
    for (let n = 0; n < 5; n++) {
      await submit([`A new sentence, number ${n}.`])
      drafts.unshift((await versions())[0] as SoleVersion)
      await reject()
    }
    expect((await stored()) - storedBefore).toBeLessThan(5 * 1500)
    expect((await versions()).slice(0, 5).map(story)).toEqual(drafts.map(story))
  })

  it('store only differences through approvals and restores', async () => {
    const { submit, approve, reject, restore, versions, stored } = await setUp()
    const storedBefore = await stored()
    const active: SoleVersion[] = (await versions()).slice(0, 1)
    const rememberActive = async () => active.unshift((await versions())[0] as SoleVersion)
    await submit(['A first sentence that is new.'])
    await approve()
    await rememberActive()
    await submit(['A second sentence that is new.'])
    await reject()
    for (const version of [1, 2, 1]) {
      await restore(version)
      await rememberActive()
    }
    expect((await stored()) - storedBefore).toBeLessThan(6 * 2500)
    const now = await versions()
    const remaining = now.filter(({ version }) => active.some((activeEntry) => activeEntry.version === version))
    expect(remaining.map(story)).toEqual(active.map(story))
    expect(now[0]?.statements.map(({ text }) => text)).toEqual(active.at(-1)?.statements.map(({ text }) => text))
    const rejected = now.find(({ status }) => status === 'rejected')
    expect(rejected?.statements).toHaveLength(42)
    expect(rejected?.content).toContain('A second sentence that is new.')
  })
})
