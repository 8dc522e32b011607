import { expect, it } from 'vitest'
import { readSettings } from './settings.ts'

const smtp = 'smtp://mail.example'

it.each([
  [{ KEEPER_MAIL_FROM: 'Home Keeper <keeper@home.example>' }, 'Home Keeper', 'keeper@home.example'],
  [{ KEEPER_MAIL_FROM: 'keeper@home.example' }, 'Keeper', 'keeper@home.example'],
  [{ KEEPER_MAIL_FROM: '"Home, sweet \\"home\\"" <keeper@home.example>' }, 'Home, sweet "home"', 'keeper@home.example'],
  [{ KEEPER_MAIL_FROM: '"Keeper <keeper@home.example>"' }, 'Keeper', 'keeper@home.example'],
  [{ KEEPER_MAIL_FROM: 'Журнал 🌊 <keeper@home.example>' }, 'Журнал 🌊', 'keeper@home.example'],
  [{ SMTP_URL: 'smtp://ida%40sea.example:secret@mail.example' }, 'Keeper', 'ida@sea.example'],
  [
    { SMTP_URL: 'smtp://ida%40sea.example:x@mail.example', KEEPER_PUBLIC_URL: 'http://192.168.1.20:3000' },
    'Keeper',
    'ida@sea.example',
  ],
  [
    { SMTP_URL: 'smtp://apikey:x@mail.example', KEEPER_PUBLIC_URL: 'https://home.example' },
    'Keeper',
    'keeper@home.example',
  ],
  [
    { SMTP_URL: 'smtp://ida%40sea.example:x@mail.example', KEEPER_MAIL_FROM: 'other@sea.example' },
    'Keeper',
    'other@sea.example',
  ],
])('%o sends as %s <%s>', (environment, name, address) => {
  const { mailSender, isSenderGuessed, notes } = readSettings({ SMTP_URL: smtp, ...environment })
  expect(mailSender).toEqual({ name, address })
  expect(isSenderGuessed).toBe(false)
  expect(notes.filter((note) => note.includes('sender'))).toEqual([])
})

it.each([
  ['http://192.168.1.20:3000'],
  ['http://[fd00::1]:3000'],
  ['http://localhost:3000'],
  ['http://keeper:3000'],
  ['http://nas.local:3000'],
  ['http://keeper.home.arpa'],
  [undefined],
])('a public URL %s gives no sender address, and a note says so', (publicUrl) => {
  const settings = readSettings({ SMTP_URL: smtp, ...(publicUrl && { KEEPER_PUBLIC_URL: publicUrl }) })
  expect(settings.isSenderGuessed).toBe(true)
  expect(settings.notes).toEqual([expect.stringMatching(/^emails have no valid sender: .*KEEPER_MAIL_FROM/)])
})

it.each([
  'Keeper',
  'a@b.example, c@d.example',
  'x@home',
  'Keeper <keeper@home.example',
  'Keeper <>',
  'a\u0000@b.example',
  'Keeper\r\nBcc: eve <keeper@home.example>',
])('KEEPER_MAIL_FROM=%j prevents the start, and the error shows the format', (value) => {
  expect(() => readSettings({ SMTP_URL: smtp, KEEPER_MAIL_FROM: value })).toThrow(
    /^KEEPER_MAIL_FROM must be an email address or a name of at most 100 characters/,
  )
})

it('a broken percent sign in SMTP_URL is explained without the password', () => {
  const read = () => readSettings({ SMTP_URL: 'smtp://ida:hunter100%@mail.example' })
  expect(read).toThrow(/Write "%" as %25/)
  expect(read).not.toThrow(/hunter/)
})

it('no sender is needed without a mail server', () => {
  expect(readSettings({}).mailSender).toBeNull()
  expect(readSettings({ KEEPER_MAIL_FROM: 'keeper@home.example' }).notes).toEqual([
    'KEEPER_MAIL_FROM has no effect without SMTP_URL',
  ])
})
