import { createServer, type Socket } from 'node:net'
import { describe, expect, it, test } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { administration } from '#contract/administration/administration.ts'
import { DatabaseUnavailable } from '#server/db/database-errors.ts'
import { readSettings } from '#server/settings/settings.ts'
import { dayMs, hourMs } from '#server/values/time-units.ts'
import { beforeNextBatch } from '#tests/before-next-batch.ts'
import { cast } from '#tests/cast.ts'
import { countRows, dumpDatabase } from '#tests/dump-database.ts'
import { engines } from '#tests/engines.ts'
import { expectInvalid } from '#tests/expect-invalid.ts'
import { createTestApp } from '#tests/test-app.ts'
import { useApp, useTestApp } from '#tests/use-test-app.ts'
import { createResetUrl } from './change-password.ts'
import { createMailer } from './mailer.ts'
import { createResetLink, createSetupLink } from './one-time-link.ts'
import { isCommonPassword } from './password.ts'

describe.each(engines)('registering, on %s', (engine) => {
  const { app } = useApp(() =>
    createTestApp(engine, {
      environment: { KEEPER_REGISTRATIONS_PER_HOUR: '1000' },
      fullPasswordCost: true,
    }),
  )

  let number = 0
  const createPersonInput = () => ({
    name: 'Somebody',
    email: `person${++number}@example.com`,
    password: 'harbour-lamp-41',
  })
  const register = (body: object) => app.visitor().call(accounts.register, { body: body as never })
  const countRoleGrants = () => countRows(app.services.db, 'role_grants')

  // Fifty argon2 hashes take more than 20 s on a busy machine.
  it('50 people with one name who register concurrently get accounts without roles', {
    timeout: 120_000,
  }, async () => {
    const people = Array.from({ length: 50 }, () => createPersonInput())
    const answers = await Promise.all(people.map(register))
    expect(answers.map((answer) => answer.status)).toEqual(people.map(() => 200))
    expect(await countRoleGrants()).toBe(0)
    const slugs = await app.services.db.selectFrom('domains').select('slug').execute()
    expect(slugs).toHaveLength(50)
    expect(new Set(slugs.map((row) => row.slug)).size).toBe(50)
    expect(slugs.map((row) => row.slug)).toContain('somebody')
  })

  it('an ordinary person has no platform permissions, first or not', async () => {
    const { data } = await register(createPersonInput())
    const session = await app.fetch('/api/kam/auth/session', { headers: { authorization: `Bearer ${data.token}` } })
    expect(await session.json()).toMatchObject({ data: { platformRoles: [], permissions: [] } })
  })

  it('returns the user, a token and its expiry, and stores neither secret in clear', async () => {
    const person = createPersonInput()
    const { data, text } = await register(person)
    expect(Object.keys(data).sort()).toEqual(['expiresAt', 'token', 'user'])
    expect(data.user).toEqual({ id: expect.any(String), name: person.name, nickname: null, email: person.email })
    expect(Date.parse(data.expiresAt) - app.services.now().getTime()).toBeGreaterThan(29.9 * dayMs)
    expect(text).not.toContain(person.password)
    const stored = `${await dumpDatabase(app.services.db)}${app.logLines.join('')}`
    expect(stored).not.toContain(person.password)
    expect(stored).not.toContain(data.token)
    const { password_hash } = await app.services.db
      .selectFrom('people')
      .select('password_hash')
      .where('id', '=', data.user.id)
      .executeTakeFirstOrThrow()
    expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  it('a setup link makes one super-admin, even after others registered', async () => {
    const setupToken = await createSetupLink(app.services)
    const first = await register({ ...createPersonInput(), setupToken })
    expect(first.status).toBe(200)
    expect(await countRoleGrants()).toBe(1)
    const people = await countRows(app.services.db, 'people')
    const again = await register({ ...createPersonInput(), setupToken })
    expect(again).toMatchObject({ status: 403, body: { code: 'setup-link-refused' } })
    expect(again.body.error).toMatchObject({ message: expect.stringContaining('setup-link') })
    expect(await countRows(app.services.db, 'people')).toBe(people)
    expect(await countRoleGrants()).toBe(1)
  })

  it.each(['kpr_wrong', 'x', "' or 1=1 --"])(
    'an invalid setup token %j refuses the whole registration',
    async (setupToken) => {
      const previous = await dumpDatabase(app.services.db, ['throttle_windows'])
      expect((await register({ ...createPersonInput(), setupToken })).status).toBe(403)
      expect(await dumpDatabase(app.services.db, ['throttle_windows'])).toBe(previous)
    },
  )

  it('a setup link lasts a day, and a newer one replaces it', async () => {
    const older = await createSetupLink(app.services)
    const newer = await createSetupLink(app.services)
    expect((await register({ ...createPersonInput(), setupToken: older })).status).toBe(403)
    app.passTime(dayMs - 60_000)
    const people = await countRows(app.services.db, 'people')
    app.passTime(2 * 60_000)
    expect((await register({ ...createPersonInput(), setupToken: newer })).status).toBe(403)
    expect(await countRows(app.services.db, 'people')).toBe(people)
  })

  it('a setup link survives a registration that failed for another reason', async () => {
    const person = createPersonInput()
    await register(person)
    const setupToken = await createSetupLink(app.services)
    expect((await register({ ...person, setupToken })).status).toBe(409)
    expect((await register({ ...createPersonInput(), setupToken })).status).toBe(200)
  })

  it('one of two concurrent uses of a setup link wins; the other creates no account', async () => {
    const admins = await countRoleGrants()
    const people = await countRows(app.services.db, 'people')
    const setupToken = await createSetupLink(app.services)
    const answers = await Promise.all(
      [createPersonInput(), createPersonInput()].map((person) => register({ ...person, setupToken })),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 403])
    expect(await countRoleGrants()).toBe(admins + 1)
    expect(await countRows(app.services.db, 'people')).toBe(people + 1)
  })

  it("a reset link isn't accepted as a setup link", async () => {
    const { data } = await register(createPersonInput())
    const setupToken = await createResetLink(app.services, data.user.id)
    expect((await register({ ...createPersonInput(), setupToken })).status).toBe(403)
  })

  it('an email is one account, whatever its case, even in a race', async () => {
    const person = createPersonInput()
    expect((await register(person)).status).toBe(200)
    const again = await register({ ...person, email: ` ${person.email.toUpperCase()} ` })
    expect(again).toMatchObject({ status: 409, body: { code: 'email-taken' } })
    expect(again.body.fields).toHaveProperty('email')
    const racer = createPersonInput()
    const race = await Promise.all([racer, { ...racer, email: racer.email.toUpperCase() }].map(register))
    expect(race.map((answer) => answer.status).sort()).toEqual([200, 409])
  })

  it.each([
    ['7 characters', 'abcdefg', 400],
    ['8 characters', 'qv7-tmzk', 200],
    ['128 characters', 'äq7-'.repeat(32), 200],
    ['129 characters', `${'äq7-'.repeat(32)}x`, 400],
    ['a common one', 'password1', 400],
    ['a common one in capitals', 'PASSWORD1', 400],
    ['a number', 12345678, 400],
    ['nothing', undefined, 400],
  ])('a password of %s is accepted or refused', async (_, password, status) => {
    const people = await countRows(app.services.db, 'people')
    const answer = await register({ ...createPersonInput(), password })
    expect(answer.status).toBe(status)
    if (status === 400) expect(answer.body.fields).toHaveProperty('password')
    expect(await countRows(app.services.db, 'people')).toBe(people + (status === 200 ? 1 : 0))
  })

  it.each([
    '',
    'nobody',
    'a@b',
    'a b@example.com',
    'a@example.com\nbcc: x@example.com',
    `${'a'.repeat(250)}@example.com`,
  ])('the email %j is refused, naming the field', async (email) => {
    const answer = await register({ ...createPersonInput(), email })
    expect(answer.status).toBe(400)
    expect(answer.body.fields).toHaveProperty('email')
  })

  it('roles and ids in the request have no effect', async () => {
    const admins = await countRoleGrants()
    const { data } = await register({
      ...createPersonInput(),
      id: 'chosen',
      platformRoles: ['super-admin'],
      roles: ['super-admin'],
      userId: 'x',
      deactivated_at: 1,
    })
    expect(data.user.id).toMatch(/^[0-9a-f]{32}$/)
    expect(await countRoleGrants()).toBe(admins)
  })

  it('a name without letters for a slug still gets a domain', async () => {
    const { data } = await register({ ...createPersonInput(), name: '守る人' })
    const domain = await app.services.db
      .selectFrom('domains')
      .select(['name', 'slug', 'is_primary'])
      .where('owner_id', '=', data.user.id)
      .executeTakeFirstOrThrow()
    expect(domain).toMatchObject({ name: '守る人', is_primary: true })
    expect(domain.slug).toMatch(/^home/)
  })
})

describe.each(engines)('registering within limits, on %s', (engine) => {
  it('allows 60 an hour per address, then says when to retry', async () => {
    const app = await createTestApp(engine, { environment: { KEEPER_REGISTRATIONS_PER_HOUR: '3' } })
    app.passTime(hourMs - (app.services.now().getTime() % hourMs))
    const attempts = []
    for (let index = 0; index < 4; index++)
      attempts.push(
        await app.visitor().call(accounts.register, {
          body: { email: `p${index}@example.com`, password: 'harbour-lamp-41' },
        }),
      )
    expect(attempts.map((answer) => answer.status)).toEqual([200, 200, 200, 429])
    expect(Number(attempts[3]?.headers.get('retry-after'))).toBeGreaterThan(3000)
    expect(await countRows(app.services.db, 'people')).toBe(3)
    await app.close()
  })

  it.each(['closed', 'invite'] as const)('is refused if it is %s, except with the setup link', async (registration) => {
    const app = await createTestApp(engine, { environment: { KEEPER_REGISTRATION: registration } })
    const refused = await app.visitor().call(accounts.register, { body: cast.ada })
    expect(refused).toMatchObject({ status: 403, body: { code: 'registration-closed' } })
    expect(await countRows(app.services.db, 'people')).toBe(0)
    const setupToken = await createSetupLink(app.services)
    const admitted = await app.visitor().call(accounts.register, { body: { ...cast.ada, setupToken } })
    expect(admitted.status).toBe(200)
    await app.close()
  })
})

it('the bundled list has at least ten thousand common passwords', async () => {
  for (const password of ['12345678', 'iloveyou', 'sunshine', 'baseball'])
    expect(await isCommonPassword(password)).toBe(true)
  expect(await isCommonPassword('harbour-lamp-41')).toBe(false)
})

const freshPassword = 'a-fresh-word-77'
const otherPassword = 'another-word-78'

/** Comparing a password takes time, so the account may change before the write. */
describe.each(engines)('concurrent account changes, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { perTest: true })

  const signIn = (password: string = cast.ada.password) =>
    app.visitor().call(accounts.login, { body: { email: cast.ada.email, password } })
  const changePassword = (newPassword: string, currentPassword: string = cast.ada.password) =>
    ada.call(accounts.changePassword, { body: { currentPassword, newPassword } })
  const completeReset = (token: string, newPassword: string) =>
    app.visitor().call(accounts.completePasswordReset, { body: { token, newPassword } })
  const createResetToken = async () => (await createResetUrl(app.services, ada.id))?.split('reset=')[1] ?? ''
  const readAccountOfAda = async () => ({
    sessions: (await app.services.db.selectFrom('sessions').select('id').where('person_id', '=', ada.id).execute())
      .length,
    ...(await app.services.db
      .selectFrom('people')
      .select('last_sign_in_at')
      .where('id', '=', ada.id)
      .executeTakeFirstOrThrow()),
  })
  const beforeBatch = (sqlPart: string, changeConcurrently: () => Promise<unknown>) =>
    beforeNextBatch(app, changeConcurrently, sqlPart)

  it('a sign-in with the right password opens a session', async () => {
    const { sessions } = await readAccountOfAda()
    expect((await signIn()).status).toBe(200)
    expect((await readAccountOfAda()).sessions).toBe(sessions + 1)
  })

  it.each([
    ['the password is changed', async () => changePassword(freshPassword), 1],
    ['a link sets another password', async () => completeReset(await createResetToken(), freshPassword), 0],
    [
      'the account is deactivated',
      async () => (await app.as('cleo', ['super-admin'])).call(administration.deactivate, { params: { id: ada.id } }),
      0,
    ],
  ])(
    'a sign-in while %s opens no session and fails as a wrong password',
    async (_, changeConcurrently, remainingSessions) => {
      const wrong = await signIn('not-her-password')
      const at = (await readAccountOfAda()).last_sign_in_at
      app.passTime(1000)
      beforeBatch('insert into "sessions"', async () => expect((await changeConcurrently()).status).toBe(200))
      const late = await signIn()
      expect({ status: late.status, error: late.body.error }).toEqual({ status: 401, error: wrong.body.error })
      expect(late.text).not.toContain('kpr_')
      expect(await readAccountOfAda()).toEqual({ sessions: remainingSessions, last_sign_in_at: at })
    },
  )

  it('a sign-in during the deletion of the account fails as a wrong password', async () => {
    beforeBatch('insert into "sessions"', () => app.services.db.deleteFrom('people').where('id', '=', ada.id).execute())
    expect((await signIn()).status).toBe(401)
  })

  it("the old password can't replace one a link just set", async () => {
    const token = await createResetToken()
    beforeBatch('update "people" set "password_hash"', async () =>
      expect((await completeReset(token, freshPassword)).status).toBe(200),
    )
    const changed = await changePassword(otherPassword)
    expectInvalid(changed, 'currentPassword')
    expect({
      otherPassword: (await signIn(otherPassword)).status,
      freshPassword: (await signIn(freshPassword)).status,
    }).toEqual({ otherPassword: 401, freshPassword: 200 })
  })

  it.each([
    ['changed', () => changePassword(freshPassword)],
    ['set by a link', async () => completeReset(await createResetToken(), freshPassword)],
  ])('a password is not %s if the other sessions can’t be ended', async (_, action) => {
    await signIn()
    const { sessions } = await readAccountOfAda()
    beforeBatch('delete from "sessions" where "person_id"', async () => {
      throw new DatabaseUnavailable('The connection to PostgreSQL failed (lost)')
    })
    expect((await action()).status).toBe(503)
    expect((await readAccountOfAda()).sessions).toBe(sessions)
    expect({ freshPassword: (await signIn(freshPassword)).status, oldPassword: (await signIn()).status }).toEqual({
      freshPassword: 401,
      oldPassword: 200,
    })
  })

  it('a reset link stops working once the password is changed', async () => {
    const token = await createResetToken()
    expect((await changePassword(freshPassword)).status).toBe(200)
    expect((await completeReset(token, otherPassword)).status).toBe(403)
    expect({
      otherPassword: (await signIn(otherPassword)).status,
      freshPassword: (await signIn(freshPassword)).status,
    }).toEqual({ otherPassword: 401, freshPassword: 200 })
  })

  it("a reset link stops working after signing out everywhere; others' links work", async () => {
    const ben = await app.as('ben')
    const cleo = await app.as('cleo', ['super-admin'])
    const token = await createResetToken()
    const bensToken = (await createResetUrl(app.services, ben.id))?.split('reset=')[1] ?? ''
    expect((await cleo.call(administration.signOutEverywhere, { params: { id: ada.id } })).status).toBe(200)
    expect((await completeReset(token, otherPassword)).status).toBe(403)
    expect((await completeReset(bensToken, otherPassword)).status).toBe(200)
    expect((await completeReset(await createResetToken(), freshPassword)).status).toBe(200)
  })
})

const mail = { to: 'ada@willowbrook.example', subject: 'Hello', text: 'A text.' }

test.each([
  ['never greets', ''],
  ['falls silent after its greeting', '220 mailbox\r\n'],
])('a mail server that %s fails the email instead of blocking the sender', async (_, greeting) => {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => socket.destroy()))
    if (greeting) socket.write(greeting)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as { port: number }
  const mailer = createMailer(readSettings({ SMTP_URL: `smtp://127.0.0.1:${port}` }), 50)
  await expect(mailer.send(mail)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  for (const socket of sockets) socket.destroy()
  await new Promise((closed) => server.close(closed))
})
