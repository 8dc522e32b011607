import { beforeEach, describe, expect, it } from 'vitest'
import { invitations } from '#contract/domains/invitations.ts'
import { defangLinks } from '#server/http/links-in-names.ts'
import { engines } from '#tests/engines.ts'
import { insertDomain } from '#tests/insert-domain.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const day = 24 * 60 * 60_000

describe.each(engines)('invitation emails, on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  // Starts a new window, so that no test straddles two.
  beforeEach(() => app.passTime(7 * day - (app.services.now().getTime() % (7 * day))))

  /** Uses a new domain each time, like someone flooding a mailbox. */
  async function invite(person: Actor, emails: string[], note?: string) {
    const id = await insertDomain(app, person, [])
    const body = { emails, role: 'friend' as const, ...(note !== undefined && { note }) }
    const { data, status } = await person.call(invitations.create, { params: { id }, body })
    expect(status).toBe(200)
    return data
  }
  const mailed = (data: { mailed: boolean }[]) => data.map((invitation) => invitation.mailed)

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
    expect(mailed(results)).toEqual([true, true, true, false, false])
    expect(app.mails.length - previous).toBe(3)
    for (const { link } of results) {
      const token = new URL(link).searchParams.get('invitation') ?? ''
      expect((await app.visitor().call(invitations.look, { body: { token } })).status).toBe(200)
    }
    expect(mailed(await invite(ben, ['other@example.com']))).toEqual([true])
  })

  it('reach a mailbox ten times a week', async () => {
    const perDay = []
    for (let round = 0; round < 5; round++) {
      const results = []
      for (let times = 0; times < 3; times++) results.push(...(await invite(ada, ['weekly@example.com'])))
      perDay.push(results.filter((invitation) => invitation.mailed).length)
      app.passTime(day)
    }
    expect(perDay).toEqual([3, 3, 3, 1, 0])
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
    const usual = limits.invitationEmailsPerDay
    limits.invitationEmailsPerDay = 4
    const guests = (from: number) => Array.from({ length: 3 }, (_, index) => `guest${from + index}@example.com`)
    const results = [await invite(ada, guests(0)), await invite(ben, guests(3))].flatMap(mailed)
    limits.invitationEmailsPerDay = 0
    const previous = app.mails.length
    const none = mailed(await invite(ada, guests(6)))
    limits.invitationEmailsPerDay = usual
    expect(usual).toBe(500)
    expect(results.filter(Boolean)).toHaveLength(4)
    expect({ none, mailCount: app.mails.length - previous }).toEqual({ none: [false, false, false], mailCount: 0 })
  })

  it('contain no link but their own, whatever the name or note contains', async () => {
    const previous = app.mails.length
    const name = 'Ada\r\nBcc: x@evil.example https://evil.example/win'
    await app.services.db.updateTable('people').set({ name }).where('id', '=', ada.id).execute()
    app.services.sessions.forgetPerson(ada.id)
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
  ])('of %s is %s', (text, expected) => expect(defangLinks(text)).toBe(expected))
})
