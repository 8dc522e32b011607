import { assert, property, string } from 'fast-check'
import { expect, it } from 'vitest'
import { engines } from '#tests/engines.ts'
import { createTestApp } from '#tests/test-app.ts'
import { createLog, scrubSecrets } from './log.ts'

const token = `kpr_${'A1'.repeat(21)}B`
const secrets = ['sk-canary0of0openai', 'sk-ant-canary0of0anthropic', `Bearer ${token}`, token, 'org-Canary0123456']

function captureLines(write: (log: ReturnType<typeof createLog>) => void): string[] {
  const lines: string[] = []
  write(createLog('debug', { write: (line) => void lines.push(line) }))
  return lines
}

it.each(secrets)('%j reaches the log neither as text nor in any field or error', (secret) => {
  const cause = new Error(`deeper ${secret}`)
  const lines = captureLines((log) => {
    log.info(`said ${secret}`)
    log.info(
      { field: secret, list: [secret], nested: { a: { b: { c: { d: { e: { f: secret } } } } } } },
      `and ${secret}`,
    )
    log.error({ err: Object.assign(new Error(`failed with ${secret}`, { cause }), { body: secret }) }, 'x')
  })
  expect(lines).toHaveLength(3)
  for (const line of lines) expect(line).not.toContain(secret.replace('Bearer ', ''))
  expect(scrubSecrets(`a ${secret} b`)).toBe('a [removed] b')
})

it.each(['password', 'apiKey', 'api_key', 'authorization', 'cookie', 'setupToken', 'client_secret'])(
  'a field named %s is removed, whatever its value',
  (name) => {
    const [line = ''] = captureLines((log) =>
      log.info({ [name]: 'harbour-lamp-41', inner: { [name]: { deep: 'harbour-lamp-41' } } }, 'x'),
    )
    expect(line).not.toContain('harbour')
  },
)

it('every entry is one parseable line with a time and short fields', () => {
  assert(
    property(string({ unit: 'binary', maxLength: 200 }), (text) => {
      const lines = captureLines((log) =>
        log.warn({ email: text, agent: `${text}\n{"level":"fatal"}\r\n\u001b[31m` }, text),
      )
      expect(lines).toHaveLength(1)
      for (const character of ['\n', '\r', '\u001b']) expect(lines[0]?.trimEnd().includes(character)).toBe(false)
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', time: expect.stringMatching(/Z$/) })
    }),
    { numRuns: 500 },
  )
  const [line = ''] = captureLines((log) =>
    log.info({ field: 'x'.repeat(100_000), error: new Error('y'.repeat(100_000)) }, 'x'),
  )
  expect(line.length).toBeLessThan(10_000)
})

it('request input can’t inject log lines or colors', async () => {
  const app = await createTestApp(engines[0] ?? 'sqlite')
  const evil = ['\n{"level":"fatal","msg":"forged"}', '\r\n', '\u001b[2J', '\u0085', '\u2028', '\u0007', '"}']
  const previous = app.logLines.length
  for (let number = 0; number < 100; number++) {
    const text = `${evil[number % evil.length]} ${number}`
    await app.fetch(`/api/kam/auth/login?x=${encodeURIComponent(text)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': text.replace(/[^ -~]/g, '\t') },
      body: JSON.stringify({ email: `a${text}@example.com`, password: text, slug: text }),
    })
    app.services.log.warn({ email: text, userAgent: text, slug: text }, text)
  }
  const lines = app.logLines.slice(previous)
  expect(lines.length).toBeGreaterThanOrEqual(100)
  for (const line of lines) {
    expect(line.trimEnd()).not.toMatch(/\p{Cc}/u)
    expect(JSON.parse(line).level).not.toBe('fatal')
  }
  await app.close()
})
