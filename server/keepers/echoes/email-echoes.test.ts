import { beforeEach, describe, expect, it } from 'vitest'
import { echoes } from '#contract/keepers/echoes.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import type { Email } from '#server/accounts/mailer.ts'
import { countAttempts } from '#server/http/throttle.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { startKeeperJobs } from '../scheduler.ts'
import { sweepEchoes } from './check-time-triggers.ts'

const minute = 60_000
const adas = 'ada@willowbrook.example'
const createFailure = (code: string, responseCode?: number) =>
  Object.assign(new Error('planted'), { code, responseCode })

describe.each(engines)('the emails of ready echoes, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true })
  let tried: string[]
  beforeEach(async () => {
    tried = []
  })

  const createDueEcho = async (actor: Actor, keeperId: string, message: string) => {
    const body = { keeperId, agentId: 'default-agent', message, triggerDate: '2020-01-01' }
    const { status, data, text } = await actor.call(echoes.create, { params: { id: keeperId }, body })
    expect(status, text).toBe(200)
    return data
  }
  it('name the completed journey without foreign links', async () => {
    const { id: keeperId } = await createTestKeeper(ada)
    const body = { title: 'Go to https://evil.example/now' }
    const { data: journey } = await ada.call(journeys.create, { params: { id: keeperId }, body })
    const waiting = {
      keeperId,
      agentId: 'default-agent',
      message: 'Done.',
      triggerConditions: { journeyId: journey.id },
    }
    expect((await ada.call(echoes.create, { params: { id: keeperId }, body: waiting })).status).toBe(200)
    expect((await ada.call(journeys.complete, { params: { id: journey.id }, body: {} })).status).toBe(200)
    await sweepEchoes(app.services)
    const [mail] = app.mails
    expect(mail?.text).toContain('The journey “Go to https: //evil. example/now” is complete.')
    expect(mail?.text.match(/https?:\/\/\S+/g)).toHaveLength(1)
  })

  const listTexts = () => app.mails.map(({ text }) => text.split('\n\n')[1])
  /** Intercepts emails from now on. */
  const interceptEmails = (why: (mail: Email) => Error | undefined) => {
    const { mailer } = app.services
    mailer.send = async (mail) => {
      tried.push(mail.to)
      const error = why(mail)
      if (error) throw error
      app.mails.push(mail)
    }
  }

  it('are limited to 100 per person and day, and contain only our links', async () => {
    const { id: keeperId } = await createTestKeeper(ada, { title: 'Year www.evil.example' })
    const { id: bens } = await createTestKeeper(ben)
    // Account addresses are unverified, so this limits abuse for writing to others.
    await countAttempts(app.services, { kind: 'echo-mails', limit: 100, windowMs: 24 * 60 * minute }, ada.id, 99)
    await createDueEcho(ada, keeperId, 'See https://evil.example')
    await createDueEcho(ada, keeperId, 'one too many')
    await createDueEcho(ben, bens, 'to Ben')
    for (let sweep = 0; sweep < 2; sweep++) await sweepEchoes(app.services)
    expect(listTexts().sort()).toEqual(['See https: //evil. example', 'to Ben'])
    const mail = app.mails.find(({ to }) => to === adas)
    expect(mail?.subject).toBe('An echo is ready in Year www. evil. example')
    expect(mail?.text.match(/https?:\/\/\S+/g)).toHaveLength(1)
    const { data } = await ada.call(echoes.list, { params: { id: keeperId } })
    expect(data.map(({ state }) => state)).toEqual(['ready', 'ready'])
  })

  it('hide echoes sealed in between, and wait for a postponed date', async () => {
    const { id: keeperId } = await createTestKeeper(ada)
    await createDueEcho(ada, keeperId, 'first')
    const sealed = await createDueEcho(ada, keeperId, 'canary to seal')
    const putOff = await createDueEcho(ada, keeperId, 'put off')
    const later = new Date(app.services.now().getTime() + 60 * minute).toISOString()
    const { mailer } = app.services
    mailer.send = async (mail) => {
      if (app.mails.push(mail) > 1) return
      await ada.call(echoes.update, { params: { id: sealed.id }, body: { sealed: true } })
      await ada.call(echoes.update, { params: { id: putOff.id }, body: { triggerDate: later } })
    }
    await sweepEchoes(app.services)
    expect(listTexts()).toEqual(['first'])
    await sweepEchoes(app.services)
    expect(listTexts()).toEqual(['first', 'This echo is sealed. Open it in your keeper.'])
    app.passTime(61 * minute)
    await sweepEchoes(app.services)
    expect(listTexts().slice(2)).toEqual(['put off'])
  })

  it('back off for one failing mailbox, give up finally, and reach others', async () => {
    const { id: keeperId } = await createTestKeeper(ada)
    for (let index = 0; index < 60; index++) await createDueEcho(ada, keeperId, `adas ${index}`)
    await sweepEchoesWithoutMail()
    app.passTime(minute)
    await createDueEcho(ben, (await createTestKeeper(ben)).id, 'bens')
    interceptEmails(({ to }) => (to === adas ? createFailure('EENVELOPE', 452) : undefined))
    for (let sweep = 0; sweep < 2; sweep++) {
      await sweepEchoes(app.services)
      app.passTime(minute)
    }
    expect(listTexts()).toEqual(['bens'])
    expect(tried).toEqual([adas, 'ben@willowbrook.example'])
    for (let sweep = 0; sweep < 4 * 24 * 60; sweep += 30) {
      app.passTime(30 * minute)
      await sweepEchoes(app.services)
    }
    const abandonedQuery = app.services.db.selectFrom('echoes').select('id').where('mailed_at', 'is not', null)
    expect(tried.length).toBeLessThan(40)
    expect((await abandonedQuery.execute()).length).toBeGreaterThan(1)

    interceptEmails(() => undefined)
    app.passTime(12 * 60 * minute)
    await sweepEchoes(app.services)
    expect(app.mails.length).toBeGreaterThan(40)
  })

  /** Makes echoes ready without sending. */
  const sweepEchoesWithoutMail = async () => {
    app.services.mailer.isSetUp = false
    await sweepEchoes(app.services)
    app.services.mailer.isSetUp = true
  }

  it.each([[createFailure('ETIMEDOUT')], [createFailure('EAUTH', 535)], [createFailure('EENVELOPE', 421)]])(
    'stop at a failing mail server (%o) and lose no echo',
    async (error) => {
      const keepers = [await createTestKeeper(ada), await createTestKeeper(ben)]
      await createDueEcho(ada, keepers[0]?.id ?? '', 'adas')
      await createDueEcho(ada, keepers[0]?.id ?? '', 'adas too')
      await createDueEcho(ben, keepers[1]?.id ?? '', 'bens')
      interceptEmails(() => error)
      await sweepEchoes(app.services)
      expect(tried).toHaveLength(1)
      await sweepEchoes(app.services)
      // A connection that breaks over one email does not block the others.
      expect(new Set(tried).size).toBe(2)
      interceptEmails(() => undefined)
      for (let sweep = 0; sweep < 2; sweep++) await sweepEchoes(app.services)
      expect(listTexts().toSorted()).toEqual(['adas', 'adas too', 'bens'])
    },
  )

  it('are tried once for an invalid address', async () => {
    await createDueEcho(ada, (await createTestKeeper(ada)).id, 'adas')
    interceptEmails(() => createFailure('EENVELOPE'))
    await sweepEchoes(app.services)
    app.passTime(60 * minute)
    await sweepEchoes(app.services)
    expect(tried).toHaveLength(1)
  })

  it('finish the current email on shutdown and send no further one', async () => {
    const { id: keeperId } = await createTestKeeper(ada)
    await createDueEcho(ada, keeperId, 'first')
    await createDueEcho(ada, keeperId, 'second')
    const sent = Promise.withResolvers<void>()
    app.services.mailer.send = async (mail) => {
      tried.push(mail.to)
      await sent.promise
      app.mails.push(mail)
    }
    const stop = startKeeperJobs(app.services)
    await eventually(() => expect(tried).toHaveLength(1))
    const stopped = stop().then(() => listTexts())
    sent.resolve()
    expect(await stopped).toEqual(['first'])
    expect(tried).toHaveLength(1)
  })
})
