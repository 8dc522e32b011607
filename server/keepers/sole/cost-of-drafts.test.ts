import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { reflections } from '#contract/keepers/reflections.ts'
import { sole } from '#contract/keepers/sole.ts'
import { engines } from '#tests/engines.ts'
import { keeperOf } from '#tests/keeper-of.ts'
import { type Actor, type TestApp, testApp } from '#tests/test-app.ts'

describe.each(engines)('the cost of a draft, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let keeperId: string
  beforeEach(async () => {
    app = await testApp(engine)
    ada = await app.as('ada')
    keeperId = (await keeperOf(ada)).id
  })
  afterEach(() => app.close())

  const reject = () => ada.call(sole.reject, { params: { id: keeperId }, body: {} })

  /** Submits a draft, and answers how much CPU time that took. */
  const submit = async (statements: object[]) => {
    const began = process.cpuUsage()
    const { status, text } = await ada.call(sole.submitDraft, { params: { id: keeperId }, body: { statements } })
    const { user, system } = process.cpuUsage(began)
    expect(status, text.slice(0, 200)).toBe(200)
    return user + system
  }

  it('is little more with many quotes of one long source than with one', async () => {
    // A word joiner, which a quote leaves out, so that the source is compared as a model was shown it.
    const content = `word\u2060 one ${'\u2060 a '.repeat(160_000)}`.slice(0, 490_000)
    const { data } = await ada.call(reflections.create, { params: { id: keeperId }, body: { content } })
    const quote = { entity: 'reflection', id: data.id, quote: 'word one' }
    const statements = (count: number, sources: object[]) =>
      Array.from({ length: count }, (_, at) => ({ text: `Statement ${at} of ${count}`, sources }))
    await submit(statements(1, [quote]))
    await reject()
    const one = await submit(statements(1, [quote]))
    await reject()
    const many = await submit(
      statements(
        60,
        Array.from({ length: 10 }, () => quote),
      ),
    )
    expect(many / one).toBeLessThan(10)
  })

  it('does not multiply its statements with those that stand', async () => {
    const statements = (word: string) =>
      Array.from({ length: 100 }, (_, at) => ({ text: `${word}${at} ${'ab '.repeat(650)}` }))
    await submit(statements('warm'))
    await reject()
    const alone = await submit(statements('a'))
    await ada.call(sole.approve, { params: { id: keeperId }, body: {} })
    const compared = await submit(statements('b'))
    expect(compared / alone).toBeLessThan(4)
  })
})
