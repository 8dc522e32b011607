import { describe, expect, it } from 'vitest'
import { ownAccount } from '#contract/accounts/own-account.ts'
import { visitorCalls } from '#contract/accounts/visitor-calls.ts'
import { cast } from '#tests/cast.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'

const day = 24 * 60 * 60 * 1000

describe.each(engines)('the maximum age of sessions, on %s', (engine) => {
  const { app, ben } = useTestApp(engine, ['ben'], { perTest: true })

  /** Days until the session's reported end, or the status once it has ended. */
  const daysLeft = async () => {
    const answer = await ben.fetch('/api/kam/auth/session')
    if (answer.status !== 200) return answer.status
    const { data } = (await answer.json()) as { data: { expiresAt: string } }
    return Math.round(((Date.parse(data.expiresAt) - app.services.now().getTime()) / day) * 100) / 100
  }
  /** Clears the session cache, as 30 seconds would. */
  const setMaximum = (days: number) => {
    app.services.settings.sessionDays = days
    app.services.sessions.forgetPerson(ben.id)
  }

  it('ends a daily used session after 90 days, as every response says', async () => {
    const left: number[] = []
    for (let days = 20; days < 90; days += 20) {
      app.passTime(20 * day)
      left.push(await daysLeft())
    }
    expect(left).toEqual([30, 30, 30, 10])
    const [session] = (await ben.call(ownAccount.sessions)).data
    expect(Math.round((Date.parse(session?.expiresAt ?? '') - app.services.now().getTime()) / day)).toBe(10)
    app.passTime(9.99 * day)
    expect(await daysLeft()).toBe(0.01)
    app.passTime(0.01 * day)
    expect(await daysLeft()).toBe(401)
  })

  it('is unlimited with the setting 0', async () => {
    setMaximum(0)
    for (let index = 0; index < 10; index++) {
      app.passTime(29 * day)
      expect(await daysLeft()).toBe(30)
    }
  })

  it('shorter than 30 days also limits new sessions', async () => {
    setMaximum(7)
    expect(await daysLeft()).toBe(7)
    const { expiresAt } = (
      await app.visitor().call(visitorCalls.login, { body: { email: cast.ben.email, password: cast.ben.password } })
    ).data
    expect(Math.round((Date.parse(expiresAt) - app.services.now().getTime()) / day)).toBe(7)
    app.passTime(7 * day)
    expect(await daysLeft()).toBe(401)
  })

  it('when shortened applies to open sessions right away and unlists them', async () => {
    const other = (
      await app.visitor().call(visitorCalls.login, { body: { email: cast.ben.email, password: cast.ben.password } })
    ).data
    app.passTime(10 * day)
    expect(await daysLeft()).toBe(30)
    setMaximum(5)
    expect(await daysLeft()).toBe(401)
    const again = (
      await app.visitor().call(visitorCalls.login, { body: { email: cast.ben.email, password: cast.ben.password } })
    ).data
    const list = await app.fetch('/api/kam/auth/sessions', { headers: { authorization: `Bearer ${again.token}` } })
    expect(((await list.json()) as { data: unknown[] }).data).toHaveLength(1)
    expect(other.token).not.toBe(again.token)
  })

  it('counts from the last use before the upgrade for older sessions', async () => {
    const last_seen_at = app.services.now().getTime()
    const times = { created_at: last_seen_at - 400 * day, last_seen_at, age_counted_from: last_seen_at }
    await app.services.db.updateTable('sessions').set(times).where('person_id', '=', ben.id).execute()
    app.services.sessions.forgetPerson(ben.id)
    const left: number[] = []
    for (let index = 0; index < 4; index++) {
      app.passTime(29 * day)
      left.push(await daysLeft())
    }
    expect(left).toEqual([30, 30, 3, 401])
  })
})
