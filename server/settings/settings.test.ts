import { expect, it } from 'vitest'
import { BadSetting, readSettings } from './settings.ts'

it.each([
  ['PORT', '3000.5'],
  ['PORT', '65536'],
  ['PORT', 'NaN'],
  ['KEEPER_TRUSTED_PROXIES', '0.5'],
  ['KEEPER_NIGHTLY_BACKUPS', '7.9'],
  ['KEEPER_RUNS_PER_PERSON', '1e-3'],
])('an invalid %s (%s) is reported as not being a whole number', (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(BadSetting)
  expect(() => readSettings({ [name]: value })).toThrow(
    RegExp(`^${name} must be a whole number from \\d+ to \\d+, not "${value}"\\.$`),
  )
})

it.each([
  'https://home.example/?a=1',
  'https://home.example/?',
  'https://home.example#top',
  'https://home.example/#',
  'https://ada@home.example',
  'https://ada:harbour-lamp-41@home.example',
])('KEEPER_PUBLIC_URL=%s is refused without revealing a password', (value) => {
  const read = () => readSettings({ KEEPER_PUBLIC_URL: value })
  expect(read).toThrow(BadSetting)
  expect(read).toThrow(/^KEEPER_PUBLIC_URL must be an address without a username, password, "\?" or "#"\.$/)
})

it.each([
  ['https://home.example/', 'https://home.example'],
  ['http://192.0.2.1:3000', 'http://192.0.2.1:3000'],
  ['https://home.example/keeper/', 'https://home.example/keeper'],
])('links start with the address %s as set, without a trailing slash', (value, address) => {
  expect(readSettings({ KEEPER_PUBLIC_URL: value }).publicUrl).toBe(address)
})

it.each(['https:home.example', 'HTTPS://home.example', 'home.example'])(
  'KEEPER_PUBLIC_URL=%s is refused with the required start',
  (value) => {
    expect(() => readSettings({ KEEPER_PUBLIC_URL: value })).toThrow(
      'KEEPER_PUBLIC_URL must be an address starting with http:// or https://.',
    )
  },
)

it('a base address is corrected with a note, or refused by variable name', () => {
  const { providers, notes } = readSettings({
    OPENAI_BASE_URL: 'https://res.openai.azure.com/openai/v1/chat/completions?api-version=preview',
    ANTHROPIC_BASE_URL: 'https://api.anthropic.com',
    TOGETHER_BASE_URL: ' https://api.together.xyz/v1/ ',
  })
  expect(Object.values(providers).map(({ baseUrl }) => baseUrl)).toEqual([
    'https://res.openai.azure.com/openai/v1?api-version=preview',
    'https://api.anthropic.com/v1',
    'https://api.together.xyz/v1',
    null,
    null,
  ])
  expect(notes).toEqual([
    'OPENAI_BASE_URL: /chat/completions at the end was removed, so Keeper calls https://res.openai.azure.com/openai/v1',
    'ANTHROPIC_BASE_URL: /v1 was added, so Keeper calls https://api.anthropic.com/v1',
  ])
  expect(() => readSettings({ ELEVENLABS_BASE_URL: 'https://ada:harbour@a.example/v1' })).toThrow(
    new BadSetting(
      'ELEVENLABS_BASE_URL must be an address without a username and password; keys have their own setting.',
    ),
  )
})

it('quotes from a Docker env file are stripped, and unsendable keys refused', () => {
  expect(readSettings({ OPENAI_API_KEY: '"sk-harbour"' }).providers.openai.key).toBe('sk-harbour')
  expect(() => readSettings({ OPENAI_API_KEY: 'Bearer sk-harbour' })).toThrow(
    new BadSetting('OPENAI_API_KEY must contain only letters, digits and symbols, without spaces.'),
  )
})

it('variables without effect are listed, with the setting to use instead', () => {
  expect(
    readSettings({
      KEEPER_PUBLC_URL: 'https://keeper.example',
      KEEPER_NEW_SECRET: 'read by a command',
      OPENAI_API_BASE: 'http://127.0.0.1:11434/v1',
      XI_API_KEY: 'hidden',
      ELEVENLABS_API_KEY: '"hidden-too"',
      LOG_LEVEL: ' ',
    }).notes,
  ).toEqual([
    'KEEPER_PUBLC_URL isn’t a Keeper setting and has no effect',
    'OPENAI_API_BASE has no effect; the setting is called OPENAI_BASE_URL',
  ])
})
