import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ownAccount } from '#contract/accounts/own-account.ts'
import type { MemberRole } from '#contract/domains/domains.ts'
import { invitations } from '#contract/domains/invitations.ts'
import { defangLinks } from '#server/http/links-in-names.ts'
import { createSealer } from '#server/keys/sealer.ts'
import { dayMs, minuteMs } from '#server/values/time-units.ts'
import { hashToken } from '#server/values/token.ts'
import { countRows, dumpDatabase } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { expectInvalid } from '#tests/expect-invalid.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { maxInvitations } from './create-invitations.ts'

const parseToken = (link: string) => new URL(link).searchParams.get('invitation') ?? ''

describe.each(engines)('inviting people, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'], {
    environment: { KEEPER_PUBLIC_URL: 'https://keeper.example' },
  })
  let domainId: string
  beforeAll(async () => {
    const home = await app.services.db.selectFrom('domains').select('id').where('owner_id', '=', ada.id).execute()
    domainId = home[0]?.id ?? ''
  })
  beforeEach(async () => {
    await app.services.db.deleteFrom('throttle_windows').execute()
    // Weeks pass in these tests, so sessions are extended.
    const expires_at = app.services.now().getTime() + 30 * dayMs
    await app.services.db.updateTable('sessions').set({ expires_at }).execute()
    for (const person of [ada, ben]) app.services.sessions.evictPerson(person.id)
  })

  let number = 0
  const createEmail = () => `guest${++number}@example.com`
  const sendInvitations = (emails: string[], more: { role?: MemberRole; note?: string } = {}, as = ada) =>
    as.call(invitations.create, { params: { id: domainId }, body: { emails, role: 'friend', ...more } })
  const invite = async (email = createEmail(), role: MemberRole = 'friend', as = ada) => {
    const { data } = await sendInvitations([email], { role }, as)
    const [invitation] = data
    if (!invitation) throw new Error('No one has been invited')
    return { ...invitation, token: parseToken(invitation.link) }
  }
  const toParams = (invitationId: string) => ({ params: { id: domainId, invitationId } })
  const preview = (token: string) => app.visitor().call(invitations.look, { body: { token } })
  const accept = (actor: Actor, token: string) => actor.call(invitations.accept, { body: { token } })
  const readRole = async (personId: string) =>
    (
      await app.services.db
        .selectFrom('domain_members')
        .select('role')
        .where('domain_id', '=', domainId)
        .where('person_id', '=', personId)
        .executeTakeFirst()
    )?.role
  const addMember = async (person: Actor, role: MemberRole) => {
    await app.services.db
      .insertInto('domain_members')
      .values({ domain_id: domainId, person_id: person.id, role, added_at: 1, agreed_at: 1 })
      .onConflict((conflict) => conflict.columns(['domain_id', 'person_id']).doUpdateSet({ role }))
      .execute()
  }
  const leave = (person: Actor) =>
    app.services.db.deleteFrom('domain_members').where('person_id', '=', person.id).execute()
  const listAuditEntries = () =>
    app.services.db
      .selectFrom('audit_events')
      .select(['action', 'actor_id', 'person_id', 'subject'])
      .where('domain_id', '=', domainId)
      .orderBy('at')
      .execute()

  it('emails each address a link once, whatever its case', async () => {
    const [one, two] = [createEmail(), createEmail()]
    const previous = app.mails.length
    const { data, status } = await sendInvitations([one, two, one.toUpperCase()], {
      note: 'Come in.\nThe kettle is on.',
    })
    expect(status).toBe(200)
    expect(data.map(({ email, state, role, mailed }) => [email, state, role, mailed])).toEqual([
      [one, 'open', 'friend', true],
      [two, 'open', 'friend', true],
    ])
    expect(data[0]?.link).toMatch(/^https:\/\/keeper\.example\/register\?invitation=kpi_[\w-]{43}$/)
    expect(data[0]?.link).not.toBe(data[1]?.link)
    const mails = app.mails.slice(previous)
    expect(mails.map(({ to }) => to).sort()).toEqual([one, two].sort())
    const [mail] = mails
    expect(mail?.subject).toBe('You’re invited to a domain on Keeper')
    expect(mail?.text).toContain('Ada Lindqvist invites you to Ada Lindqvist on Keeper')
    for (const part of ['> Come in.', '> The kettle is on.', 'as a friend', '14 days'])
      expect(mail?.text).toContain(part)
    const link = data.find(({ email }) => email === mail?.to)?.link
    expect(mail?.text).toContain(link)
    const lifetimeMs = Date.parse(data[0]?.expiresAt ?? '') - app.services.now().getTime()
    expect(Math.abs(lifetimeMs - 14 * dayMs)).toBeLessThan(minuteMs)
  })

  it('stores no token and logs no address, even with an Idempotency-Key', async () => {
    const email = createEmail()
    const headers = { 'idempotency-key': 'again-1' }
    const options = { params: { id: domainId }, body: { emails: [email], role: 'user' as const }, headers }
    const { data } = await ada.call(invitations.create, options)
    const token = parseToken(data[0]?.link ?? '')
    await preview(token)
    const answers = await app.services.db.selectFrom('answered_creates').select('answer').execute()
    expect(await dumpDatabase(app.services.db)).toContain(hashToken(token))
    expect(`${await dumpDatabase(app.services.db)}${JSON.stringify(answers)}`).not.toContain(token)
    expect(app.logLines.join('')).not.toContain(token)
    expect(app.logLines.join('')).not.toContain(email)
    const events = await app.services.db.selectFrom('audit_events').selectAll().execute()
    expect(JSON.stringify(events)).not.toContain(email)
  })

  it('a current member is refused, naming the field, and no one is invited', async () => {
    await addMember(ben, 'user')
    const rows = await countRows(app.services.db, 'invitations')
    const mails = app.mails.length
    const answer = await sendInvitations([createEmail(), 'BEN@willowbrook.example', 'ada@willowbrook.example'])
    expect(answer.status).toBe(400)
    const member = 'This person is already a member.'
    expect(answer.body.fields).toEqual({ 'emails.1': member, 'emails.2': member })
    expect(await countRows(app.services.db, 'invitations')).toBe(rows)
    expect(app.mails).toHaveLength(mails)
    await leave(ben)
  })

  it.each([
    ['no address', [], 'emails'],
    ['51 addresses', Array.from({ length: 51 }, (_, index) => `p${index}@example.com`), 'emails'],
    ['a text that isn’t an address', ['a@example.com', 'nobody'], 'emails.1'],
    ['a line break in an address', ['a@example.com\nbcc: x@example.com'], 'emails.0'],
  ])('%s is refused, naming the field', async (_, emails, field) => {
    const answer = await sendInvitations(emails)
    expectInvalid(answer, field)
  })

  it.each(['owner', 'Admin', ''])('no one is invited as %j', async (role) => {
    const answer = await sendInvitations([createEmail()], { role: role as never })
    expectInvalid(answer, 'role')
  })

  it('inviting again replaces the link instead of adding a row', async () => {
    const email = createEmail()
    const first = await invite(email, 'user')
    const second = await invite(email.toUpperCase(), 'connection')
    expect(second.id).toBe(first.id)
    expect((await preview(first.token)).status).toBe(403)
    expect((await preview(second.token)).data).toMatchObject({ role: 'connection' })
  })

  it('concurrent invitations of the same fifty make one row each', async () => {
    const emails = Array.from({ length: 50 }, createEmail)
    const answers = await Promise.all([sendInvitations(emails), sendInvitations(emails.toReversed())])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const rows = await app.services.db
      .selectFrom('invitations')
      .select('token_hash')
      .where('email', 'in', emails)
      .execute()
    expect(rows).toHaveLength(50)
    const hashes = answers.flatMap(({ data }) => data.map(({ link }) => hashToken(parseToken(link))))
    for (const { token_hash } of rows) expect(hashes).toContain(token_hash)
  })

  it('is limited to 200 a day including resends, and counts all or none', async () => {
    const inviteMany = (count: number) => sendInvitations(Array.from({ length: count }, createEmail))
    for (let index = 0; index < 3; index++) expect((await inviteMany(50)).status).toBe(200)
    expect((await inviteMany(48)).status).toBe(200)
    const refused = await inviteMany(3)
    expect(refused).toMatchObject({ status: 429, body: { error: expect.stringContaining('2 left') } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const last = await invite()
    expect((await ada.call(invitations.resend, toParams(last.id))).status).toBe(200)
    expect((await ada.call(invitations.resend, toParams(last.id))).status).toBe(429)
  })

  it('an email failure is reported, keeps the invitation and logs no address', async () => {
    const { mailer } = app.services
    const email = createEmail()
    app.services.mailer = {
      isSetUp: true,
      send: async ({ to }) => {
        if (to === email)
          throw Object.assign(new Error(`550 <${to}> unknown`), { code: 'EENVELOPE', responseCode: 550 })
      },
    }
    const { data } = await sendInvitations([email, createEmail()])
    app.services.mailer = mailer
    expect(data.map(({ mailed }) => mailed)).toEqual([false, true])
    expect((await preview(parseToken(data[0]?.link ?? ''))).status).toBe(200)
    const failureLines = app.logLines.filter((line) => line.includes('could not be sent'))
    expect(failureLines).toHaveLength(1)
    expect(failureLines[0]).toContain('EENVELOPE')
    expect(app.logLines.join('')).not.toContain(email)
  })

  it('invitations without a mail server all get a link and no email', async () => {
    const { mailer } = app.services
    app.services.mailer = { isSetUp: false, send: () => Promise.reject(new Error('no SMTP_URL is set')) }
    const { data } = await sendInvitations([createEmail()])
    app.services.mailer = mailer
    expect(data[0]).toMatchObject({ mailed: false, link: expect.stringContaining('?invitation=') })
  })

  it("a name can't inject a header, and a note can't pose as Keeper", async () => {
    const previous = app.mails.length
    const names = app.services.db.updateTable('people').where('id', '=', ada.id)
    await names.set({ name: 'Ada\r\nBcc: all@example.com\u2028x' }).execute()
    app.services.sessions.evictPerson(ada.id)
    await sendInvitations([createEmail()], { note: 'Hello\r\nOpen https://other.example' })
    await names.set({ name: 'Ada Lindqvist' }).execute()
    app.services.sessions.evictPerson(ada.id)
    const mail = app.mails[previous]
    expect(mail?.subject).toBe('You’re invited to a domain on Keeper')
    expect(mail?.text.split('\n')[0]).toBe(
      'Ada Bcc: all@example. com x invites you to Ada Lindqvist on Keeper, as a friend.',
    )
    expect(mail?.text.split('\n').filter((line) => line.includes('other'))).toEqual(['> Open https: //other. example'])
  })

  it('resending makes a new link for 14 days and revokes the old one', async () => {
    const first = await invite()
    app.passTime(10 * dayMs)
    const again = await ada.call(invitations.resend, toParams(first.id))
    const token = parseToken(again.data.link)
    expect(token).not.toBe(first.token)
    expect((await preview(first.token)).status).toBe(403)
    app.passTime(13 * dayMs)
    expect((await preview(token)).status).toBe(200)
    const links = await Promise.all([1, 2, 3].map(() => ada.call(invitations.resend, toParams(first.id))))
    const resent = links.filter(({ status }) => status === 200)
    expect(resent.length).toBeGreaterThan(0)
    expect(links.every(({ status }) => status === 200 || status === 409)).toBe(true)
    const statuses = await Promise.all(resent.map(async ({ data }) => (await preview(parseToken(data.link))).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })

  it('the link of an open invitation can be shown again', async () => {
    const invitation = await invite()
    expect((await ada.call(invitations.link, toParams(invitation.id))).data).toEqual({
      link: invitation.link,
    })
  })

  it("after a secret rotation a link works, can't be shown, can be resent", async () => {
    const invitation = await invite()
    const { sealer } = app.services
    app.services.sealer = createSealer('another master secret of 32 characters')
    const refused = await ada.call(invitations.link, toParams(invitation.id))
    expect(refused).toMatchObject({ status: 409, body: { error: expect.stringContaining('still works') } })
    expect((await preview(invitation.token)).status).toBe(200)
    const again = await ada.call(invitations.resend, toParams(invitation.id))
    expect((await ada.call(invitations.link, toParams(invitation.id))).data).toEqual({ link: again.data.link })
    app.services.sealer = sealer
  })

  it('works for just under 14 days, and not longer', async () => {
    const invitation = await invite()
    app.passTime(14 * dayMs - minuteMs)
    expect((await preview(invitation.token)).status).toBe(200)
    app.passTime(2 * minuteMs)
    expect((await preview(invitation.token)).status).toBe(403)
    expect((await accept(ben, invitation.token)).status).toBe(403)
    expect(await readRole(ben.id)).toBeUndefined()
    const refused = await ada.call(invitations.link, toParams(invitation.id))
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } })
    const { data } = await ada.call(invitations.list, { params: { id: domainId } })
    expect(data.find(({ id }) => id === invitation.id)?.state).toBe('expired')
  })

  it('used, revoked, expired, stopped and unknown links are refused alike', async () => {
    const used = await invite()
    await accept(ben, used.token)
    const revoked = await invite()
    await ada.call(invitations.revoke, toParams(revoked.id))
    const texts = new Set<string>()
    for (const token of [used.token, revoked.token, 'kpi_unknown', '', "' or 1=1 --", hashToken(used.token)]) {
      for (const answer of [await preview(token), await accept(await app.as('dot'), token)]) {
        expect(answer).toMatchObject({ status: 403, body: { code: 'invitation-refused' } })
        texts.add(JSON.stringify({ ...answer.body, requestId: '' }))
      }
    }
    expect(texts.size).toBe(1)
    expect(await readRole((await app.as('dot')).id)).toBeUndefined()
    await leave(ben)
  })

  it('a preview shows the invitation and is throttled', async () => {
    const invitation = await invite(createEmail(), 'admin')
    const { data } = await preview(invitation.token)
    expect(data).toEqual({
      domain: { id: domainId, name: 'Ada Lindqvist', description: null },
      invitedBy: 'Ada Lindqvist',
      email: invitation.email,
      role: 'admin',
      note: '',
      expiresAt: invitation.expiresAt,
    })
    const answers = []
    for (let index = 0; index < 100; index++) answers.push((await preview('kpi_guess')).status)
    expect(answers.slice(0, 99).every((status) => status === 403)).toBe(true)
    expect(answers[99]).toBe(429)
  })

  it('revoking is idempotent, and an accepted invitation stays accepted', async () => {
    const invitation = await invite()
    expect((await ada.call(invitations.revoke, toParams(invitation.id))).data.state).toBe('revoked')
    expect((await ada.call(invitations.revoke, toParams(invitation.id))).data.state).toBe('revoked')
    expect((await accept(ben, invitation.token)).status).toBe(403)
    expect((await ada.call(invitations.resend, toParams(invitation.id))).status).toBe(409)
    const newInvitation = await invite(invitation.email)
    expect(newInvitation.id).not.toBe(invitation.id)
    await accept(ben, newInvitation.token)
    for (const call of [invitations.revoke, invitations.resend, invitations.link])
      expect((await ada.call(call, toParams(newInvitation.id))).status).toBe(409)
    expect(await readRole(ben.id)).toBe('friend')
    await leave(ben)
  })

  it("another domain's invitation isn't found", async () => {
    const invitation = await invite()
    const bensDomains = await app.services.db
      .selectFrom('domains')
      .select('id')
      .where('owner_id', '=', ben.id)
      .execute()
    const params = { id: bensDomains[0]?.id ?? '', invitationId: invitation.id }
    const unknown = { ...params, invitationId: '0'.repeat(32) }
    for (const call of [invitations.revoke, invitations.resend, invitations.link]) {
      const answer = await ben.call(call, { params })
      const random = await ben.call(call, { params: unknown })
      expect(answer.status).toBe(404)
      expect({ ...answer.body, requestId: '' }).toEqual({ ...random.body, requestId: '' })
    }
    expect((await preview(invitation.token)).status).toBe(200)
  })

  it('lists invitations newest first, without tokens', async () => {
    const one = await invite()
    app.passTime(minuteMs)
    const two = await invite()
    const { data, text } = await ada.call(invitations.list, { params: { id: domainId } })
    expect(data.slice(0, 2).map(({ id }) => id)).toEqual([two.id, one.id])
    for (const { token } of [one, two]) {
      expect(text).not.toContain(token)
      expect(text).not.toContain(hashToken(token))
    }
  })

  it('every action is audited', async () => {
    const previous = (await listAuditEntries()).length
    const invitation = await invite()
    app.passTime(1000)
    const again = await ada.call(invitations.resend, toParams(invitation.id))
    app.passTime(1000)
    await accept(ben, parseToken(again.data.link))
    app.passTime(1000)
    const other = await invite()
    app.passTime(1000)
    await ada.call(invitations.revoke, toParams(other.id))
    const byAda = { actor_id: ada.id, person_id: null, subject: 'friend' }
    expect((await listAuditEntries()).slice(previous)).toEqual([
      { action: 'invitation-sent', ...byAda },
      { action: 'invitation-resent', ...byAda },
      { action: 'invitation-accepted', actor_id: ben.id, person_id: ben.id, subject: 'friend' },
      { action: 'invitation-sent', ...byAda },
      { action: 'invitation-revoked', ...byAda },
    ])
    await leave(ben)
  })
})

describe.each(engines)('invitation emails, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  // Starts a new window, so that no test straddles two.
  beforeEach(() => app.passTime(7 * dayMs - (app.services.now().getTime() % (7 * dayMs))))

  /** Uses a new domain each time, like someone flooding a mailbox. */
  async function invite(person: Actor, emails: string[], note?: string) {
    const id = await insertDomain(app, person, [])
    const body = { emails, role: 'friend' as const, ...(note !== undefined && { note }) }
    const { data, status } = await person.call(invitations.create, { params: { id }, body })
    expect(status).toBe(200)
    return data
  }
  const listMailed = (data: { mailed: boolean }[]) => data.map((invitation) => invitation.mailed)

  it('reach a mailbox three times a day, and every link stays valid', async () => {
    const previous = app.mails.length
    const results = []
    for (const [person, email] of [
      [ada, 'guest@example.com'],
      [ben, 'Guest@Example.com'],
      [ada, 'guest+more@example.com'],
      [ben, 'guest@example.com'],
      [ada, 'guest+again@example.com'],
    ] as const)
      results.push(...(await invite(person, [email])))
    expect(listMailed(results)).toEqual([true, true, true, false, false])
    expect(app.mails.length - previous).toBe(3)
    for (const { link } of results) {
      const token = new URL(link).searchParams.get('invitation') ?? ''
      expect((await app.visitor().call(invitations.look, { body: { token } })).status).toBe(200)
    }
    expect(listMailed(await invite(ben, ['other@example.com']))).toEqual([true])
  })

  it('reach a mailbox ten times a week', async () => {
    const sentPerDay = []
    for (let round = 0; round < 5; round++) {
      const results = []
      for (let times = 0; times < 3; times++) results.push(...(await invite(ada, ['weekly@example.com'])))
      sentPerDay.push(results.filter((invitation) => invitation.mailed).length)
      app.passTime(dayMs)
    }
    expect(sentPerDay).toEqual([3, 3, 3, 1, 0])
  })

  it('count when they are resent', async () => {
    const id = await insertDomain(app, ada, [])
    const body = { emails: ['again@example.com'], role: 'friend' as const }
    const { data } = await ada.call(invitations.create, { params: { id }, body })
    const params = { id, invitationId: data[0]?.id ?? '' }
    const again = []
    for (let times = 0; times < 3; times++) again.push((await ada.call(invitations.resend, { params })).data.mailed)
    expect(again).toEqual([true, true, false])
  })

  it("stop at the server's limit, and 0 sends none", async () => {
    const { limits } = app.services.settings
    const usualLimit = limits.invitationEmailsPerDay
    limits.invitationEmailsPerDay = 4
    const createEmails = (from: number) => Array.from({ length: 3 }, (_, index) => `guest${from + index}@example.com`)
    const results = [await invite(ada, createEmails(0)), await invite(ben, createEmails(3))].flatMap(listMailed)
    limits.invitationEmailsPerDay = 0
    const previous = app.mails.length
    const none = listMailed(await invite(ada, createEmails(6)))
    limits.invitationEmailsPerDay = usualLimit
    expect(usualLimit).toBe(500)
    expect(results.filter(Boolean)).toHaveLength(4)
    expect({ none, mailCount: app.mails.length - previous }).toEqual({ none: [false, false, false], mailCount: 0 })
  })

  it('contain no link but their own, whatever the name or note contains', async () => {
    const previous = app.mails.length
    const name = 'Ada\r\nBcc: x@evil.example https://evil.example/win'
    await app.services.db.updateTable('people').set({ name }).where('id', '=', ada.id).execute()
    app.services.sessions.evictPerson(ada.id)
    const [result] = await invite(ada, ['linked@example.com'], 'See www.evil.example\nor http://evil.example')
    const mail = app.mails[previous]
    expect(mail?.subject).toBe('You’re invited to a domain on Keeper')
    expect(mail?.text.match(/https?:\/\/\S+/g)).toEqual([result?.link])
    expect(mail?.text).not.toMatch(/evil\.example/)
    expect(mail?.text).toContain('> See www. evil. example\n> or http: //evil. example')
  })
})

describe('a text without links', () => {
  it.each([
    ['https://evil.example/a.html', 'https: //evil. example/a. html'],
    ['ada@evil.example', 'ada@evil. example'],
    ['evil。example', 'evil。 example'],
    ['J. R. R. Smith at 3.15, v1.2', 'J. R. R. Smith at 3.15, v1.2'],
    ['A.B. Smith', 'A.B. Smith'],
  ])('the text without links of %s is %s', (text, expected) => expect(defangLinks(text)).toBe(expected))
})

describe.each(engines)('invitations of one domain, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })
  let domainId: string
  beforeEach(async () => {
    domainId = await insertDomain(app, ada, [])
  })

  const invite = (email: string) =>
    ada.call(invitations.create, { params: { id: domainId }, body: { emails: [email], role: 'friend' } })
  const listStoredIds = async () =>
    (await app.services.db.selectFrom('invitations').select('id').where('domain_id', '=', domainId).execute()).map(
      ({ id }) => id,
    )
  /** In the order in which they were sent. */
  const insertMaxInvitations = async (values: { revoked_at?: number } = {}) => {
    const now = app.services.now().getTime()
    const rows = Array.from({ length: maxInvitations }, (_, index) => ({
      id: `stored-${index}`,
      domain_id: domainId,
      email: `guest${index}@example.com`,
      email_folded: `guest${index}@example.com`,
      role: 'friend' as const,
      note: 'n'.repeat(1000),
      token_hash: `hash-${index}`,
      invited_by: ada.id,
      created_at: now,
      sent_at: now + index,
      expires_at: now + 1_000_000,
      accepted_at: null,
      accepted_by: null,
      revoked_at: null,
      ...values,
    }))
    await app.services.db.insertInto('invitations').values(rows).execute()
  }

  it('are limited to a thousand: the oldest closed one is deleted', async () => {
    await insertMaxInvitations({ revoked_at: app.services.now().getTime() })
    expect((await invite('new@example.com')).status).toBe(200)
    const ids = await listStoredIds()
    expect(ids).toHaveLength(maxInvitations)
    expect({ 'stored-0': ids.includes('stored-0'), 'stored-1': ids.includes('stored-1') }).toEqual({
      'stored-0': false,
      'stored-1': true,
    })
  })

  it('are refused with a thousand open ones, but can be resent', async () => {
    await insertMaxInvitations()
    const refused = await invite('new@example.com')
    expect(refused).toMatchObject({
      status: 422,
      body: { error: expect.stringMatching(/^A domain can have at most 1000 open/) },
    })
    expect(await listStoredIds()).toHaveLength(maxInvitations)
    expect((await invite('guest7@example.com')).status).toBe(200)
    const params = { id: domainId, invitationId: 'stored-3' }
    expect((await ada.call(invitations.revoke, { params })).status).toBe(200)
    expect((await invite('new@example.com')).status).toBe(200)
    expect((await listStoredIds()).includes('stored-3')).toBe(false)
  })

  it("count as the domain owner's usage and need space", async () => {
    const previous = (await ada.call(ownAccount.storage)).data.texts
    await insertMaxInvitations()
    const current = (await ada.call(ownAccount.storage)).data.texts
    expect(current.rows - previous.rows).toBe(maxInvitations)
    expect(current.bytes - previous.bytes).toBeGreaterThan(maxInvitations * 1000)
    app.services.settings.limits.rowsPerPerson = 10
    expect((await invite('guest7@example.com')).status).toBe(413)
  })
})
