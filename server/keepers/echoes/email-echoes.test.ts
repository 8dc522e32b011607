import { beforeEach, describe, expect, it } from 'vitest'
import { echoes } from '#contract/keepers/echoes.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import type { Email } from '#server/accounts/mailer.ts'
import { countAttempts } from '#server/http/throttle.ts'
import { minuteMs } from '#server/values/time-units.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { startKeeperJobs } from '../scheduler.ts'
import { sweepEchoes } from './check-time-triggers.ts'

const adasAddress = 'ada@willowbrook.example'
const createFailure = (code: string, responseCode?: number) =>
  Object.assign(new Error('planted'), { code, responseCode })

describe.each(engines)('the emails of ready echoes, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true })
  let attemptedAddresses: string[]
  beforeEach(async () => {
    attemptedAddresses = []
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
    const echoBody = {
      keeperId,
      agentId: 'default-agent',
      message: 'Done.',
      triggerConditions: { journeyId: journey.id },
    }
    expect((await ada.call(echoes.create, { params: { id: keeperId }, body: echoBody })).status).toBe(200)
    expect((await ada.call(journeys.complete, { params: { id: journey.id }, body: {} })).status).toBe(200)
    await sweepEchoes(app.services)
    const [mail] = app.mails
    expect(mail?.text).toContain('The journey “Go to https: //evil. example/now” is complete.')
    expect(mail?.text.match(/https?:\/\/\S+/g)).toHaveLength(1)
  })

  const listTexts = () => app.mails.map(({ text }) => text.split('\n\n')[1])
  /** Intercepts emails from now on. */
  const interceptEmails = (getError: (mail: Email) => Error | undefined) => {
    const { mailer } = app.services
    mailer.send = async (mail) => {
      attemptedAddresses.push(mail.to)
      const error = getError(mail)
      if (error) throw error
      app.mails.push(mail)
    }
  }

  it('are limited to 100 per person and day, and contain only our links', async () => {
    const { id: keeperId } = await createTestKeeper(ada, { title: 'Year www.evil.example' })
    const { id: bensKeeperId } = await createTestKeeper(ben)
    // Account addresses are unverified, so this limits abuse for writing to others.
    await countAttempts(app.services, { kind: 'echo-mails', limit: 100, windowMs: 24 * 60 * minuteMs }, ada.id, 99)
    await createDueEcho(ada, keeperId, 'See https://evil.example')
    await createDueEcho(ada, keeperId, 'one too many')
    await createDueEcho(ben, bensKeeperId, 'to Ben')
    for (let sweep = 0; sweep < 2; sweep++) await sweepEchoes(app.services)
    expect(listTexts().sort()).toEqual(['See https: //evil. example', 'to Ben'])
    const mail = app.mails.find(({ to }) => to === adasAddress)
    expect(mail?.subject).toBe('An echo is ready in Year www. evil. example')
    expect(mail?.text.match(/https?:\/\/\S+/g)).toHaveLength(1)
    const { data } = await ada.call(echoes.list, { params: { id: keeperId } })
    expect(data.map(({ state }) => state)).toEqual(['ready', 'ready'])
  })

  it('hide echoes sealed in between, and wait for a postponed date', async () => {
    const { id: keeperId } = await createTestKeeper(ada)
    await createDueEcho(ada, keeperId, 'first')
    const sealed = await createDueEcho(ada, keeperId, 'canary to seal')
    const postponed = await createDueEcho(ada, keeperId, 'postponed')
    const later = new Date(app.services.now().getTime() + 60 * minuteMs).toISOString()
    const { mailer } = app.services
    mailer.send = async (mail) => {
      if (app.mails.push(mail) > 1) return
      await ada.call(echoes.update, { params: { id: sealed.id }, body: { sealed: true } })
      await ada.call(echoes.update, { params: { id: postponed.id }, body: { triggerDate: later } })
    }
    await sweepEchoes(app.services)
    expect(listTexts()).toEqual(['first'])
    await sweepEchoes(app.services)
    expect(listTexts()).toEqual(['first', 'This echo is sealed. Open it in your keeper.'])
    app.passTime(61 * minuteMs)
    await sweepEchoes(app.services)
    expect(listTexts().slice(2)).toEqual(['postponed'])
  })

  it('back off for one failing mailbox, give up finally, and reach others', async () => {
    const { id: keeperId } = await createTestKeeper(ada)
    for (let index = 0; index < 60; index++) await createDueEcho(ada, keeperId, `Ada’s ${index}`)
    await sweepEchoesWithoutMail()
    app.passTime(minuteMs)
    await createDueEcho(ben, (await createTestKeeper(ben)).id, 'Ben’s')
    interceptEmails(({ to }) => (to === adasAddress ? createFailure('EENVELOPE', 452) : undefined))
    for (let sweep = 0; sweep < 2; sweep++) {
      await sweepEchoes(app.services)
      app.passTime(minuteMs)
    }
    expect(listTexts()).toEqual(['Ben’s'])
    expect(attemptedAddresses).toEqual([adasAddress, 'ben@willowbrook.example'])
    for (let sweep = 0; sweep < 4 * 24 * 60; sweep += 30) {
      app.passTime(30 * minuteMs)
      await sweepEchoes(app.services)
    }
    const abandonedQuery = app.services.db.selectFrom('echoes').select('id').where('mailed_at', 'is not', null)
    expect(attemptedAddresses.length).toBeLessThan(40)
    expect((await abandonedQuery.execute()).length).toBeGreaterThan(1)

    interceptEmails(() => undefined)
    app.passTime(12 * 60 * minuteMs)
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
      const { id: adasKeeperId } = await createTestKeeper(ada)
      const { id: bensKeeperId } = await createTestKeeper(ben)
      await createDueEcho(ada, adasKeeperId, 'Ada’s')
      await createDueEcho(ada, adasKeeperId, 'Ada’s second')
      await createDueEcho(ben, bensKeeperId, 'Ben’s')
      interceptEmails(() => error)
      await sweepEchoes(app.services)
      expect(attemptedAddresses).toHaveLength(1)
      await sweepEchoes(app.services)
      // A connection that breaks during one email doesn’t block the others.
      expect(new Set(attemptedAddresses).size).toBe(2)
      interceptEmails(() => undefined)
      for (let sweep = 0; sweep < 2; sweep++) await sweepEchoes(app.services)
      expect(listTexts().toSorted()).toEqual(['Ada’s', 'Ada’s second', 'Ben’s'])
    },
  )

  it('are tried once for an invalid address', async () => {
    await createDueEcho(ada, (await createTestKeeper(ada)).id, 'Ada’s')
    interceptEmails(() => createFailure('EENVELOPE'))
    await sweepEchoes(app.services)
    app.passTime(60 * minuteMs)
    await sweepEchoes(app.services)
    expect(attemptedAddresses).toHaveLength(1)
  })

  it('finish the current email on shutdown and send no further one', async () => {
    const { id: keeperId } = await createTestKeeper(ada)
    await createDueEcho(ada, keeperId, 'first')
    await createDueEcho(ada, keeperId, 'second')
    const mailAccepted = Promise.withResolvers<void>()
    app.services.mailer.send = async (mail) => {
      attemptedAddresses.push(mail.to)
      await mailAccepted.promise
      app.mails.push(mail)
    }
    const stop = startKeeperJobs(app.services)
    await eventually(() => expect(attemptedAddresses).toHaveLength(1))
    const stopped = stop().then(() => listTexts())
    mailAccepted.resolve()
    expect(await stopped).toEqual(['first'])
    expect(attemptedAddresses).toHaveLength(1)
  })
})
