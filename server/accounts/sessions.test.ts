import type { CompiledQuery } from 'kysely'
import { describe, expect, it } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { ownAccount } from '#contract/accounts/own-account.ts'
import { visitorCalls } from '#contract/accounts/visitor-calls.ts'
import { batchSize } from '#server/db/database.ts'
import { DatabaseUnavailable, DiskFull } from '#server/db/database-errors.ts'
import { ProcessBus } from '#server/live/process-bus.ts'
import { dayMs, hourMs } from '#server/values/time-units.ts'
import { cast } from '#tests/cast.ts'
import { countRows } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { eventually } from '#tests/eventually.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import type { Person } from './person.ts'
import { SessionCache } from './session-cache.ts'
import { openSession, parseDevice, sweepSessions } from './sessions.ts'

describe.each(engines)('sessions, on %s', (engine) => {
  const { app } = useTestApp(engine)

  const openSessionFor = async (name: keyof typeof cast) => {
    const { id } = await app.as(name)
    const { token } = await openSession(app.services, { id, ...cast[name], nickname: null })
    return token
  }
  const getSessionStatus = (token: string) =>
    app.fetch('/api/kam/auth/session', { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status)
  const post = (token: string, path: string, body: object = {}) =>
    app.fetch(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  it('signing out ends only this token, right away, even in an open tab', async () => {
    const [token, other] = [await openSessionFor('ada'), await openSessionFor('ada')]
    expect(await getSessionStatus(token)).toBe(200)
    const signOut = await post(token, '/api/kam/auth/logout')
    expect({ status: signOut.status, clearSiteData: signOut.headers.get('clear-site-data') }).toEqual({
      status: 200,
      clearSiteData: '"cache"',
    })
    expect(await getSessionStatus(token)).toBe(401)
    expect(await getSessionStatus(other)).toBe(200)
    expect((await post(token, '/api/kam/auth/logout')).status).toBe(401)
  })

  it("a request in flight while its session ends doesn't revive the token", async () => {
    for (let round = 0; round < 5; round++) {
      const token = await openSessionFor('ada')
      await Promise.all([
        getSessionStatus(token),
        getSessionStatus(token),
        post(token, '/api/kam/auth/logout'),
        getSessionStatus(token),
        getSessionStatus(token),
      ])
      expect(await getSessionStatus(token)).toBe(401)
    }
  })

  it('expired sessions are deleted by signing in and by the sweep', async () => {
    const { db, now } = app.services
    const [ada, ben] = [await app.as('ada'), await app.as('ben')]
    for (const { id } of [ada, ben]) {
      const expiredSession = {
        person_id: id,
        created_at: 1,
        last_seen_at: 1,
        expires_at: now().getTime() - 1,
        device: null,
      }
      const expiredSessions = Array.from({ length: batchSize + 10 }, (_, index) => ({
        ...expiredSession,
        id: `${id}-${index}`,
        token_hash: `${id}-${index}`,
      }))
      await db.insertInto('sessions').values(expiredSessions).execute()
    }
    const countExpired = async ({ id }: { id: string }) =>
      (await db.selectFrom('sessions').select('id').where('person_id', '=', id).where('created_at', '=', 1).execute())
        .length
    const activeToken = await openSessionFor('ada')
    expect({ ada: await countExpired(ada), ben: await countExpired(ben) }).toEqual({ ada: 0, ben: batchSize + 10 })
    await sweepSessions(app.services)
    expect({ expired: await countExpired(ben), status: await getSessionStatus(activeToken) }).toEqual({
      expired: 0,
      status: 200,
    })
  })

  it.each(['', 'kpr_', `kpr_${'A'.repeat(43)}`, 'null', 'undefined'])(
    'the token %j belongs to no one',
    async (token) => {
      expect(await getSessionStatus(token)).toBe(401)
    },
  )

  it('a token under another scheme is rejected', async () => {
    const token = await openSessionFor('ada')
    const fetchStatus = async (authorization: string) =>
      (await app.fetch('/api/kam/auth/session', { headers: { authorization } })).status
    expect(await fetchStatus(`Bearer ${token}`)).toBe(200)
    for (const authorization of [token, `Basic ${token}`, `Token ${token}`, `Bearer ${token}x`, `Bearer x${token}`])
      expect(await fetchStatus(authorization)).toBe(401)
  })

  it('a session lasts thirty days from its last use', async () => {
    const [used, idle] = [await openSessionFor('ben'), await openSessionFor('ben')]
    for (let index = 0; index < 3; index++) {
      app.passTime(20 * dayMs)
      expect(await getSessionStatus(used)).toBe(200)
    }
    expect(await getSessionStatus(idle)).toBe(401)
    app.passTime(30 * dayMs - hourMs)
    expect(await getSessionStatus(used)).toBe(200)
    app.passTime(30 * dayMs + 1)
    expect(await getSessionStatus(used)).toBe(401)
  })

  it('many requests within five minutes write no row', async () => {
    const token = await openSessionFor('ben')
    await getSessionStatus(token)
    const readSessions = () => app.services.db.selectFrom('sessions').selectAll().orderBy('id').execute()
    const previous = await readSessions()
    app.passTime(4 * 60 * 1000)
    await getSessionStatus(token)
    expect(await readSessions()).toEqual(previous)
    app.passTime(2 * 60 * 1000)
    await getSessionStatus(token)
    expect(await readSessions()).not.toEqual(previous)
  })

  it('sessions stay readable on a full disk and are extended once there is space', async () => {
    const token = await openSessionFor('ben')
    app.passTime(6 * 60 * 1000)
    const readSessions = () => app.services.db.selectFrom('sessions').selectAll().orderBy('id').execute()
    const previous = await readSessions()
    const driver = app.services.db.engineDriver
    const { acquireConnection } = driver
    driver.acquireConnection = async () => {
      const connection = await acquireConnection.call(driver)
      const execute = connection.executeQuery.bind(connection)
      connection.executeQuery = (query: CompiledQuery) =>
        query.sql.startsWith('select') ? execute(query) : Promise.reject(new DiskFull('full'))
      return connection
    }
    const statuses = [await getSessionStatus(token), await getSessionStatus(token)]
    driver.acquireConnection = acquireConnection
    expect(statuses).toEqual([200, 200])
    expect(await readSessions()).toEqual(previous)
    expect(app.logLines.filter((line) => line.includes('the last use of a session'))).toHaveLength(1)
    app.passTime(30_001)
    expect(await getSessionStatus(token)).toBe(200)
    expect(await readSessions()).not.toEqual(previous)
  })

  it('a revoked role counts on the next request', async () => {
    const cleo = await app.as('cleo', ['super-admin'])
    expect((await cleo.call(accounts.session)).data.platformRoles).toEqual(['super-admin'])
    await app.services.db.deleteFrom('role_grants').where('person_id', '=', cleo.id).execute()
    app.services.sessions.evictPerson(cleo.id)
    expect((await cleo.call(accounts.session)).data).toMatchObject({ platformRoles: [], permissions: [] })
  })

  it('a change in another process counts within thirty seconds', async () => {
    const token = await openSessionFor('dot')
    expect(await getSessionStatus(token)).toBe(200)
    await app.services.db.updateTable('people').set({ deactivated_at: 1 }).where('email', '=', cast.dot.email).execute()
    app.passTime(30_001)
    expect(await getSessionStatus(token)).toBe(401)
    await app.services.db
      .updateTable('people')
      .set({ deactivated_at: null })
      .where('email', '=', cast.dot.email)
      .execute()
  })

  it('changing the password checks the current one and ends the other sessions', async () => {
    const dot = cast.dot
    const [token, other] = [await openSessionFor('dot'), await openSessionFor('dot')]
    const changePassword = (currentPassword: string, newPassword: string) =>
      post(token, '/api/kam/auth/password', { currentPassword, newPassword })
    const wrong = await changePassword('not-it', 'a-fresh-word-77')
    expect({ status: wrong.status, fields: Object.keys(((await wrong.json()) as { fields: object }).fields) }).toEqual({
      status: 400,
      fields: ['currentPassword'],
    })
    expect((await changePassword(dot.password, 'password1')).status).toBe(400)
    expect(await getSessionStatus(other)).toBe(200)
    const eventStream = await app.fetch('/api/events', { headers: { authorization: `Bearer ${token}` } })
    const otherEventStream = await app.fetch('/api/events', { headers: { authorization: `Bearer ${other}` } })
    expect((await changePassword(dot.password, 'a-fresh-word-77')).status).toBe(200)
    expect({ token: await getSessionStatus(token), other: await getSessionStatus(other) }).toEqual({
      token: 200,
      other: 401,
    })
    expect(await otherEventStream.text(), 'the stream of the ended session ends').toContain('session-ended')
    const reader = (eventStream.body as ReadableStream<Uint8Array>).getReader()
    const opening = new TextDecoder().decode((await reader.read()).value)
    expect(opening).toContain('event: open')
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('account-changed')
    const nextRead = await Promise.race([reader.read(), new Promise((resolve) => setTimeout(resolve, 50, 'silence'))])
    expect(nextRead, 'the tab that changed the password stays signed in').toBe('silence')
    await reader.cancel()
    const old = await app.visitor().call(accounts.login, { body: { email: dot.email, password: dot.password } })
    const fresh = await app.visitor().call(accounts.login, { body: { email: dot.email, password: 'a-fresh-word-77' } })
    expect({ oldStatus: old.status, freshStatus: fresh.status }).toEqual({ oldStatus: 401, freshStatus: 200 })
  })

  it('a retried password change succeeds for ten minutes and is done once', async () => {
    app.passTime(15 * 60 * 1000 - (app.services.now().getTime() % (15 * 60 * 1000)))
    const token = await openSessionFor('cleo')
    const changePassword = async (newPassword: string) =>
      (await post(token, '/api/kam/auth/password', { currentPassword: cast.cleo.password, newPassword })).status
    const listPasswordChanges = () =>
      app.services.db.selectFrom('audit_events').select('at').where('action', '=', 'password-changed').execute()
    const previous = (await listPasswordChanges()).length
    expect(await changePassword('a-fresh-word-77')).toBe(200)
    const other = await openSessionFor('cleo')
    expect(await changePassword('a-fresh-word-77')).toBe(200)
    expect(await getSessionStatus(other), 'a session opened in between stays').toBe(200)
    const guess = { currentPassword: 'not-his-word-1', newPassword: cast.ben.password }
    expect(
      (await post(await openSessionFor('ben'), '/api/kam/auth/password', guess)).status,
      'not a retry for other people',
    ).toBe(400)
    expect(await changePassword('another-word-78'), 'another password isn’t a retry').toBe(400)
    app.passTime(10 * 60 * 1000 + 1)
    expect(await changePassword('a-fresh-word-77'), 'after the retry window it counts as a guess').toBe(400)
    expect(await listPasswordChanges()).toHaveLength(previous + 1)
  })

  it('guessing the current password stops after ten attempts', async () => {
    app.passTime(15 * 60 * 1000 - (app.services.now().getTime() % (15 * 60 * 1000)))
    const token = await openSessionFor('ben')
    const statuses: number[] = []
    for (let index = 0; index < 11; index++)
      statuses.push(
        (
          await post(token, '/api/kam/auth/password', {
            currentPassword: `guess${index}`,
            newPassword: 'a-fresh-word-77',
          })
        ).status,
      )
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429])
  })
})

describe.each(engines)('a forgotten password, on %s', (engine) => {
  const { app } = useTestApp(engine)

  const requestReset = (email: string) => app.visitor().call(accounts.requestPasswordReset, { body: { email } })
  const complete = (token: string, newPassword = 'a-fresh-word-77') =>
    app.visitor().call(accounts.completePasswordReset, { body: { token, newPassword } })
  const parseResetToken = (text = '') => /\?reset=(\S+)/.exec(text)?.[1] ?? ''

  it('is reset once by the emailed link, and every session ends', async () => {
    const ada = await app.as('ada')
    const response = await requestReset(cast.ada.email.toUpperCase())
    await eventually(() => expect(app.mails).toHaveLength(1))
    expect(app.mails[0]).toMatchObject({ to: cast.ada.email })
    const token = parseResetToken(app.mails[0]?.text)
    expect(app.mails[0]?.text).toContain('http://localhost/login?reset=')
    expect(response.text).not.toContain(token)
    expect((await complete(token, 'password1')).status).toBe(400)
    expect((await complete(token)).status).toBe(200)
    expect((await ada.call(accounts.session)).status).toBe(401)
    const again = await complete(token, 'another-word-78')
    expect(again).toMatchObject({ status: 403, body: { code: 'reset-link-refused' } })
    const signedIn = await app
      .visitor()
      .call(accounts.login, { body: { email: cast.ada.email, password: 'a-fresh-word-77' } })
    expect(signedIn.status).toBe(200)
    expect(
      `${JSON.stringify(await app.services.db.selectFrom('one_time_links').selectAll().execute())}${app.logLines}`,
    ).not.toContain(token)
  })

  it("setting a password revokes one's own other links only", async () => {
    const requestLink = async (email: string) => {
      const listEmails = () => app.mails.filter(({ to }) => to === email)
      const previous = listEmails().length
      await requestReset(email)
      await eventually(() => expect(listEmails()).toHaveLength(previous + 1))
      return parseResetToken(listEmails().at(-1)?.text)
    }
    await app.as('cleo')
    const [cleos, adas] = [await requestLink(cast.cleo.email), await requestLink(cast.ada.email)]
    expect((await complete(cleos)).status).toBe(200)
    expect((await complete(adas)).status).toBe(200)
  })

  it('reveals no account and emails nothing for unknown ones', async () => {
    const previousEmailCount = app.mails.length
    const [existing, unknown] = [await requestReset(cast.ada.email), await requestReset('nobody@example.com')]
    expect(existing.text).toBe(unknown.text)
    await eventually(() => expect(app.mails).toHaveLength(previousEmailCount + 1))
  })

  it('a link lasts an hour despite newer ones; expired ones are deleted', async () => {
    await app.as('ben')
    const listBensEmails = () => app.mails.filter((mail) => mail.to === cast.ben.email)
    for (const count of [1, 2]) {
      await requestReset(cast.ben.email)
      await eventually(() => expect(listBensEmails()).toHaveLength(count))
    }
    const [older, newer] = listBensEmails().map((mail) => parseResetToken(mail.text))
    expect((await complete(older ?? '')).status).toBe(200)
    expect((await complete(newer ?? '')).status, 'the password is set').toBe(403)
    await requestReset(cast.ben.email)
    await eventually(() => expect(listBensEmails()).toHaveLength(3))
    app.passTime(hourMs + 1000)
    expect((await complete(parseResetToken(listBensEmails()[2]?.text))).status).toBe(403)
    expect((await complete('kpr_guess')).status).toBe(403)
    const previous = await countRows(app.services.db, 'one_time_links')
    expect(previous).toBeGreaterThan(0)
    await requestReset(cast.ben.email)
    await eventually(() => expect(listBensEmails()).toHaveLength(4))
    expect(await countRows(app.services.db, 'one_time_links')).toBe(previous)
  })

  it('one of two concurrent uses of a reset link sets the password', async () => {
    await requestReset(cast.ben.email)
    await eventually(() => expect(app.mails.filter((mail) => mail.to === cast.ben.email)).toHaveLength(5))
    const token = parseResetToken(app.mails.findLast((mail) => mail.to === cast.ben.email)?.text)
    const race = await Promise.all([complete(token, 'a-fresh-word-77'), complete(token, 'another-word-78')])
    expect(race.map((answer) => answer.status).sort()).toEqual([200, 403])
  })

  it('emails one account at most five times an hour, with the same response', async () => {
    app.passTime(hourMs - (app.services.now().getTime() % hourMs))
    await app.as('dot')
    const answers = []
    for (let index = 0; index < 7; index++) answers.push((await requestReset(cast.dot.email)).text)
    expect(new Set(answers).size).toBe(1)
    const readEmailAttempts = () =>
      app.services.db
        .selectFrom('throttle_windows')
        .select('count')
        .where('bucket', 'like', '%:password-reset-mail')
        .orderBy('window_start', 'desc')
        .executeTakeFirst()
    await eventually(async () => expect(await readEmailAttempts()).toEqual({ count: 7 }))
    await eventually(() => expect(app.mails.filter((mail) => mail.to === cast.dot.email)).toHaveLength(5))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(app.mails.filter((mail) => mail.to === cast.dot.email)).toHaveLength(5)
  })

  it("a link that can't be created is logged, and the response reveals nothing", async () => {
    app.passTime(hourMs - (app.services.now().getTime() % hourMs))
    const { db } = app.services
    const { batch } = db
    const previousEmailCount = app.mails.length
    db.batch = async () => {
      throw new DatabaseUnavailable('The connection to PostgreSQL failed (lost)')
    }
    try {
      const [existing, unknown] = [await requestReset(cast.dot.email), await requestReset('nobody@example.com')]
      expect({ status: existing.status, existing: existing.text }).toEqual({ status: 200, existing: unknown.text })
      await eventually(() => expect(app.logLines.join('')).toContain('a reset email could not be sent'))
    } finally {
      db.batch = batch
    }
    expect(app.mails).toHaveLength(previousEmailCount)
  })

  it('can be requested ten times an hour from one address', async () => {
    app.passTime(hourMs - (app.services.now().getTime() % hourMs))
    const answers = []
    for (let index = 0; index < 11; index++) answers.push((await requestReset('nobody@example.com')).status)
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 200), 429])
  })
})

describe.each(engines)('the maximum age of sessions, on %s', (engine) => {
  const { app, ben } = useTestApp(engine, ['ben'], { perTest: true })

  /** Days until the session's reported end, or the status once it has ended. */
  const countDaysLeft = async () => {
    const answer = await ben.fetch('/api/kam/auth/session')
    if (answer.status !== 200) return answer.status
    const { data } = (await answer.json()) as { data: { expiresAt: string } }
    return Math.round(((Date.parse(data.expiresAt) - app.services.now().getTime()) / dayMs) * 100) / 100
  }
  /** Clears the session cache, as 30 seconds would. */
  const setMaximum = (days: number) => {
    app.services.settings.sessionDays = days
    app.services.sessions.evictPerson(ben.id)
  }

  it('ends a daily used session after 90 days, as every response says', async () => {
    const remainingDays: number[] = []
    for (let days = 20; days < 90; days += 20) {
      app.passTime(20 * dayMs)
      remainingDays.push(await countDaysLeft())
    }
    expect(remainingDays).toEqual([30, 30, 30, 10])
    const [session] = (await ben.call(ownAccount.sessions)).data
    expect(Math.round((Date.parse(session?.expiresAt ?? '') - app.services.now().getTime()) / dayMs)).toBe(10)
    app.passTime(9.99 * dayMs)
    expect(await countDaysLeft()).toBe(0.01)
    app.passTime(0.01 * dayMs)
    expect(await countDaysLeft()).toBe(401)
  })

  it('is unlimited with the setting 0', async () => {
    setMaximum(0)
    for (let index = 0; index < 10; index++) {
      app.passTime(29 * dayMs)
      expect(await countDaysLeft()).toBe(30)
    }
  })

  it('shorter than 30 days also limits new sessions', async () => {
    setMaximum(7)
    expect(await countDaysLeft()).toBe(7)
    const { expiresAt } = (
      await app.visitor().call(visitorCalls.login, { body: { email: cast.ben.email, password: cast.ben.password } })
    ).data
    expect(Math.round((Date.parse(expiresAt) - app.services.now().getTime()) / dayMs)).toBe(7)
    app.passTime(7 * dayMs)
    expect(await countDaysLeft()).toBe(401)
  })

  it('a shortened maximum age ends open sessions right away and unlists them', async () => {
    const other = (
      await app.visitor().call(visitorCalls.login, { body: { email: cast.ben.email, password: cast.ben.password } })
    ).data
    app.passTime(10 * dayMs)
    expect(await countDaysLeft()).toBe(30)
    setMaximum(5)
    expect(await countDaysLeft()).toBe(401)
    const again = (
      await app.visitor().call(visitorCalls.login, { body: { email: cast.ben.email, password: cast.ben.password } })
    ).data
    const response = await app.fetch('/api/kam/auth/sessions', { headers: { authorization: `Bearer ${again.token}` } })
    expect(((await response.json()) as { data: unknown[] }).data).toHaveLength(1)
    expect(other.token).not.toBe(again.token)
  })

  it('counts from the last use before the upgrade for older sessions', async () => {
    const last_seen_at = app.services.now().getTime()
    const times = { created_at: last_seen_at - 400 * dayMs, last_seen_at, age_counted_from: last_seen_at }
    await app.services.db.updateTable('sessions').set(times).where('person_id', '=', ben.id).execute()
    app.services.sessions.evictPerson(ben.id)
    const remainingDays: number[] = []
    for (let index = 0; index < 4; index++) {
      app.passTime(29 * dayMs)
      remainingDays.push(await countDaysLeft())
    }
    expect(remainingDays).toEqual([30, 30, 3, 401])
  })
})

const createPerson = (sessionId: string, id = 'ada'): Person => ({
  id,
  email: 'ada@example.com',
  name: null,
  nickname: null,
  roles: [],
  permissions: new Set(),
  sessionId,
  sessionExpiresAt: 1_000_000,
  sessionMethod: 'password',
  provedAt: 0,
  isLocked: false,
  secondFactorMissing: false,
  deletesAt: null,
})

it('the cache keeps a session for thirty seconds, but never past its end', () => {
  const cache = new SessionCache()
  cache.remember('hash', createPerson('one'), 0, cache.generation)
  expect(cache.find('hash', 29_999)?.sessionId).toBe('one')
  expect(cache.find('hash', 30_000)).toBeUndefined()
  cache.remember('late', createPerson('two'), 999_990, cache.generation)
  expect(cache.find('late', 999_999)).toBeDefined()
  expect(cache.find('late', 1_000_000)).toBeUndefined()
})

it("doesn't cache what was read before an invalidation", () => {
  const cache = new SessionCache()
  const { generation } = cache
  cache.forgetSession('one')
  cache.remember('hash', createPerson('one'), 0, generation)
  expect(cache.find('hash', 1)).toBeUndefined()
})

it('the cache can forget one session, or all sessions of a person', () => {
  const cache = new SessionCache()
  for (const [hash, session, personId] of [
    ['a', 'one', 'ada'],
    ['b', 'two', 'ada'],
    ['c', 'three', 'ben'],
  ] as const)
    cache.remember(hash, createPerson(session, personId), 0, cache.generation)
  cache.forgetSession('one')
  expect(['a', 'b', 'c'].map((hash) => cache.find(hash, 1)?.sessionId)).toEqual([undefined, 'two', 'three'])
  cache.evictPerson('ada')
  expect(['a', 'b', 'c'].map((hash) => cache.find(hash, 1)?.sessionId)).toEqual([undefined, undefined, 'three'])
})

it('the cache forgets only sessions that another process announces', () => {
  const received = new Map<string, (message: object) => void>()
  const bus = new ProcessBus()
  bus.on = (kind, onMessage) => {
    received.set(kind, onMessage as (message: object) => void)
    return () => true
  }
  const cache = new SessionCache(bus)
  cache.remember('a', createPerson('one', 'ada'), 0, cache.generation)
  cache.remember('b', createPerson('two', 'ben'), 0, cache.generation)
  received.get('person-forgotten')?.({ personId: 'ada' })
  expect(['a', 'b'].map((hash) => cache.find(hash, 1)?.sessionId)).toEqual([undefined, 'two'])
  received.get('session-forgotten')?.({ sessionId: 'two' })
  expect(cache.find('b', 1)).toBeUndefined()
})

it('never holds more than ten thousand entries', () => {
  const cache = new SessionCache()
  for (let index = 0; index <= 10_000; index++)
    cache.remember(`h${index}`, createPerson(`s${index}`), 0, cache.generation)
  expect(cache.find('h0', 1)).toBeUndefined()
  expect(cache.find('h10000', 1)).toBeDefined()
})

const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)'

describe('a browser that signs in', () => {
  it.each([
    ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    ['Firefox on Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    ['Chrome on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/141.0.0.0 Safari/537.36`],
    ['Edge on Windows', `Mozilla/5.0 (Windows NT 10.0) ${blink} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`],
    ['Opera on macOS', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${blink} Chrome/141.0 Safari/537.36 OPR/120.0`],
    ['Safari on macOS', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/26.0 Safari/605.1.15`],
    [
      'Safari on iPhone',
      `Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${webkit} Version/19.0 Mobile/1 Safari/604.1`,
    ],
    [
      'Chrome on iPhone',
      `Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${webkit} CriOS/141.0 Mobile/1 Safari/604.1`,
    ],
    ['Chrome on Android', `Mozilla/5.0 (Linux; Android 16; Pixel 9) ${blink} Chrome/141.0 Mobile Safari/537.36`],
    [
      'Samsung Internet on Android',
      `Mozilla/5.0 (Linux; Android 16) ${blink} SamsungBrowser/28.0 Chrome/130.0 Safari/537.36`,
    ],
    ['Firefox', 'Mozilla/5.0 (Plan 9) Gecko/20100101 Firefox/140.0'],
  ])('is recognized as %s', (name, userAgent) => expect(parseDevice(userAgent)).toBe(name))

  it.each([null, '', 'curl/8.5.0', 'node', 'Mozilla/5.0', '<script>alert(1)</script>', 'Firefox', 'x'.repeat(100_000)])(
    'is unknown for other clients: %#',
    (userAgent) => expect(parseDevice(userAgent)).toBeNull(),
  )

  it('is named only from our lists, whatever else it sent', () => {
    expect(parseDevice('Firefox/<b>140</b> on ada@willowbrook.example (Linux)')).toBe('Firefox on Linux')
  })

  it('is identified by the start of its user agent', () => {
    expect(parseDevice(`${'x '.repeat(300)}Firefox/140.0`)).toBeNull()
  })
})
