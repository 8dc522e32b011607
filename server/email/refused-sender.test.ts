import { afterEach, describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { ownAccount } from '#contract/accounts/own-account.ts'
import { visitorCalls } from '#contract/accounts/visitor-calls.ts'
import { audit } from '#contract/administration/audit.ts'
import { diagnostics } from '#contract/diagnostics/diagnostics.ts'
import { domains } from '#contract/domains/domains.ts'
import { invitations } from '#contract/domains/invitations.ts'
import { echoes } from '#contract/keepers/echoes.ts'
import { createMailer } from '#server/accounts/mailer.ts'
import { sweepEchoes } from '#server/keepers/echoes/check-time-triggers.ts'
import { readSettings } from '#server/settings/settings.ts'
import { emailWriters, startEmailJobs } from '#server/start/email-jobs.ts'
import { minuteMs } from '#server/values/time-units.ts'
import { cast } from '#tests/cast.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { type StrictMailServer, startStrictMailServer } from '#tests/fakes/strict-mail-server.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { retryEmails } from './pending-emails.ts'

const user = 'ida@sea.example'
const password = 'p@ss/w#rd:+ %é'
let server: StrictMailServer
afterEach(() => server.close())

// The mail server is outside the database, so one engine suffices.
describe.each(engines.slice(0, 1))('a mail server that refuses the sender, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], { perTest: true, roles: { ada: ['super-admin'] } })

  /** Changes the sender as a restart with other settings would. */
  const setMailFrom = (from: string | null) => {
    const url = `smtp://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${server.port}`
    const settings = readSettings({ SMTP_URL: url, ...(from && { KEEPER_MAIL_FROM: from }) })
    const { smtpUrl, mailSender, isSenderGuessed } = settings
    Object.assign(app.services.settings, { smtpUrl, mailSender, isSenderGuessed })
    app.services.mailer = createMailer(settings, 5_000)
  }
  const sendPending = () => retryEmails(app.services, emailWriters)
  const listKinds = async () => (await ada.call(diagnostics.email)).data.undelivered.map(({ kind }) => kind)
  const decode = ({ source }: { source: string }) => source.replace(/=\r\n/g, '').replaceAll('=3D', '=')

  it.each([
    ['MAIL FROM', 553, 'sender address must match the signed-in user'],
    ['RCPT TO', 550, '5.7.1 Sender address rejected: not owned by user'],
    ['DATA', 550, '5.7.60 Client does not have permissions to send as this sender'],
  ] as const)(
    'refusing at %s loses no email: all are sent once the sender is corrected',
    async (refuseAt, code, text) => {
      server = await startStrictMailServer({ user, password, refuseAt, answer: { code, text } })
      setMailFrom('keeper@localhost.example')
      const { id: keeperId } = await createTestKeeper(ada)
      const body = { keeperId, agentId: 'default-agent', message: 'a sealed thought', triggerDate: '2020-01-01' }
      await ada.call(echoes.create, { params: { id: keeperId }, body })
      await sweepEchoes(app.services)
      const { data: domain } = await ada.call(domains.create, { body: { name: 'Harbour' } })
      const { data: invited } = await ada.call(invitations.create, {
        params: { id: domain.id },
        body: { emails: ['cleo@sea.example', 'dot@sea.example'], role: 'friend' },
      })
      expect(invited.map(({ mailed, link }) => [mailed, link.includes('?invitation=')])).toEqual([
        [false, true],
        [false, true],
      ])
      expect(
        (await app.visitor().call(visitorCalls.requestPasswordReset, { body: { email: cast.ben.email } })).status,
      ).toBe(200)
      expect((await ben.call(ownAccount.askForDeletion, { body: { password: cast.ben.password } })).status).toBe(200)
      await eventually(async () =>
        expect((await listKinds()).toSorted()).toEqual([
          'account-deletion',
          'invitation',
          'invitation',
          'password-reset',
        ]),
      )
      expect(server.accepted).toEqual([])
      await sendPending()

      setMailFrom(`Home Keeper <${user}>`)
      const stopJobs = startEmailJobs(app.services)
      await sweepEchoes(app.services)
      await eventually(() => expect(server.accepted).toHaveLength(5))
      await stopJobs()
      expect(new Set(server.accepted.map(({ from }) => from))).toEqual(new Set([user]))
      expect(server.accepted.flatMap(({ to }) => to).toSorted()).toEqual(
        [cast.ada.email, cast.ben.email, cast.ben.email, 'cleo@sea.example', 'dot@sea.example'].toSorted(),
      )
      expect(server.accepted[0]?.source).toContain('From: Home Keeper <ida@sea.example>')
      expect(await listKinds()).toEqual([])
      const resetMail = server.accepted.map(decode).find((source) => source.includes('?reset='))
      const [, token = ''] = /\?reset=([\w-]+)/.exec(resetMail ?? '') ?? []
      const reset = { token, newPassword: 'harbour-lamp-4711' }
      expect((await app.visitor().call(visitorCalls.completePasswordReset, { body: reset })).status).toBe(200)
      app.passTime(24 * 60 * minuteMs)
      await sendPending()
      await sweepEchoes(app.services)
      expect(server.accepted).toHaveLength(5)
    },
  )

  it('an administrator sees a failed reset email until the password is reset', async () => {
    server = await startStrictMailServer({ user, password })
    setMailFrom('keeper@localhost.example')
    await app.visitor().call(visitorCalls.requestPasswordReset, { body: { email: cast.ben.email } })
    await eventually(async () => expect(await listKinds()).toEqual(['password-reset']))
    const { data, text } = await ada.call(diagnostics.email)
    expect(data).toMatchObject({ is_set_up: true, sender: 'Keeper <keeper@localhost.example>', undelivered_count: 1 })
    expect(data.undelivered[0]).toMatchObject({ problem: 'sender-refused', person: { id: ben.id } })
    expect(text).not.toContain(cast.ben.email)
    expect((await ben.call(diagnostics.email)).status).toBe(403)
    const body = { currentPassword: cast.ben.password, newPassword: 'harbour-lamp-4711' }
    expect((await ben.call(accounts.changePassword, { body })).status).toBe(200)
    expect(await listKinds()).toEqual([])
  })

  it('an email that isn’t needed anymore is not sent later', async () => {
    server = await startStrictMailServer({ user, password })
    setMailFrom('keeper@localhost.example')
    const { data: domain } = await ada.call(domains.create, { body: { name: 'Harbour' } })
    const invitation = { params: { id: domain.id }, body: { emails: ['cleo@sea.example'], role: 'friend' as const } }
    const { data: invited } = await ada.call(invitations.create, invitation)
    await ada.call(invitations.revoke, { params: { id: domain.id, invitationId: invited[0]?.id ?? '' } })
    setMailFrom(null)
    app.passTime(5 * minuteMs)
    await sendPending()
    expect(server.accepted).toEqual([])
    expect(await listKinds()).toEqual([])
  })

  it('a failing server is tried once per round; old emails are only listed', async () => {
    server = await startStrictMailServer({ user, password })
    setMailFrom('keeper@localhost.example')
    const { data: domain } = await ada.call(domains.create, { body: { name: 'Harbour' } })
    const emails = Array.from({ length: 20 }, (_, index) => `person${index}@sea.example`)
    await ada.call(invitations.create, { params: { id: domain.id }, body: { emails, role: 'friend' } })
    // Five at a time learn of the refusal; the others are queued without trying.
    expect(server.refusalCount).toBeLessThanOrEqual(5)
    server.refusalCount = 0
    app.passTime(10 * minuteMs)
    await sendPending()
    expect(server.refusalCount).toBe(1)
    app.passTime(4 * 24 * 60 * minuteMs)
    await sendPending()
    const { data } = await ada.call(diagnostics.email)
    expect(data.undelivered_count).toBe(20)
    expect(data.undelivered.every(({ next_attempt_at }) => next_attempt_at === null)).toBe(true)
    app.passTime(4 * 24 * 60 * minuteMs)
    await sendPending()
    expect((await ada.call(diagnostics.email)).data.undelivered_count).toBe(0)
  })

  it('the test email goes to its sender, shows no secrets, is limited and audited', async () => {
    server = await startStrictMailServer({ user, password, answer: { code: 553, text: `not you, ${password}` } })
    setMailFrom('keeper@localhost.example')
    const { data: refused, text } = await ada.call(diagnostics.testEmail)
    expect(refused).toMatchObject({
      accepted: false,
      to: cast.ada.email,
      message: expect.stringContaining('doesn’t let Keeper send as keeper@localhost.example. Set KEEPER_MAIL_FROM'),
      answer: '553 not you, •••',
    })
    expect(text).not.toContain(password)
    setMailFrom(null)
    expect((await ada.call(diagnostics.testEmail)).data).toMatchObject({ accepted: true, answer: null })
    expect(server.accepted).toMatchObject([{ from: user, to: [cast.ada.email] }])
    expect((await ben.call(diagnostics.testEmail)).status).toBe(403)
    expect((await app.visitor().call(diagnostics.testEmail)).status).toBe(401)
    const { data: log } = await ada.call(audit.list, { query: { action: 'test-email-sent' } })
    expect(log.items.map(({ details }) => details.outcome).toSorted()).toEqual(['sender-refused', 'sent'])
    for (let attempt = 0; attempt < 3; attempt++) await ada.call(diagnostics.testEmail)
    expect((await ada.call(diagnostics.testEmail)).status).toBe(429)
    expect(app.logLines.join('')).not.toContain(password)
  })

  it('Diagnostics without a mail server say what to set', async () => {
    server = await startStrictMailServer({ user, password })
    app.services.mailer = createMailer(readSettings({}))
    Object.assign(app.services.settings, { mailSender: null })
    const { data } = await ada.call(diagnostics.testEmail)
    expect(data).toMatchObject({ accepted: false, sender: null, message: expect.stringContaining('SMTP_URL') })
    expect((await ada.call(diagnostics.email)).data).toMatchObject({ is_set_up: false, sender: null })
  })
})
