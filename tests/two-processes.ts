import { expect } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { type CastName, cast } from './cast.ts'
import { createFreshDatabase } from './engines.ts'
import { startMailbox } from './fakes/mailbox.ts'
import { startProviderFake } from './fakes/model-providers/start-provider-fake.ts'
import { callProcess, type ProcessCaller, type ProcessStream, startServerProcess } from './several-processes-world.ts'

const wordDelayMs = 50

/** Two processes with one database, one mailbox and a slow provider. Ada registers first and administers. */
export async function startTwoProcesses() {
  const answerWords = Array.from({ length: 60 }, (_, index) => `word${index}`)
  const database = await createFreshDatabase('postgres')
  const provider = await startProviderFake({
    provider: 'openai',
    keyless: true,
    wordDelayMs,
    answer: () => answerWords.join(' '),
  })
  const mailbox = await startMailbox()
  const environment = {
    OPENAI_BASE_URL: provider.baseUrl,
    SMTP_URL: mailbox.url,
    KEEPER_PUBLIC_URL: 'https://keeper.example',
    KEEPER_REGISTRATION: 'open',
    KEEPER_RUNS_PER_PERSON: '2',
  }
  const one = await startServerProcess(database, environment)
  const setupToken = /\/register\?setup=(\S+)/.exec(one.stdout())?.[1]
  const register = async (name: CastName, extraFields = {}): Promise<ProcessCaller> => {
    const { data, text } = await callProcess(one, { token: '' }, accounts.register, {
      body: { ...cast[name], ...extraFields },
    })
    if (!data) throw new Error(text)
    return { id: data.user.id, token: data.token }
  }
  // A second process would invalidate this setup link.
  const ada = await register('ada', { setupToken })
  const two = await startServerProcess(database, environment)
  return {
    database,
    provider,
    mailbox,
    environment,
    answerWords,
    one,
    two,
    ada,
    ben: await register('ben'),
    dot: await register('dot'),
    /** Stops both and returns what they logged as problems. */
    async close(): Promise<string> {
      const problems = one.stderr() + two.stderr()
      await Promise.all([one.end('SIGTERM'), two.end('SIGTERM')])
      await Promise.all([provider.close(), mailbox.close()])
      await database.close()
      return problems
    },
  }
}

/** Event types of a live stream; event names of a run. */
export const getEventTypes = (stream: ProcessStream) => stream.events().map(({ event, data }) => data.type ?? event)

/** Far below the polling interval of 30 s, so that only a notification is fast enough. */
const notificationTimeoutMs = 1000
export const expectSoon = <T>(check: () => T | Promise<T>, timeout = notificationTimeoutMs) =>
  expect.poll(check, { timeout, interval: 20 })
