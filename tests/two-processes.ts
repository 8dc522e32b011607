import { expect } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { type CastName, cast } from './cast.ts'
import { freshDatabase } from './engines.ts'
import { startMailbox } from './fakes/mailbox.ts'
import { startProviderFake } from './fakes/model-providers/start-provider-fake.ts'
import { type Caller, callAt, type Stream, startProcess } from './several-processes-world.ts'

const wordDelayMs = 50

/** Two processes with one database, one mailbox and a provider that tells sixty words slowly; Ada, the first, administers. */
export async function twoProcesses() {
  const words = Array.from({ length: 60 }, (_, index) => `word${index}`)
  const database = await freshDatabase('postgres')
  const provider = await startProviderFake({
    provider: 'openai',
    keyless: true,
    wordDelayMs,
    answer: () => words.join(' '),
  })
  const mailbox = await startMailbox()
  const environment = {
    OPENAI_BASE_URL: provider.baseUrl,
    SMTP_URL: mailbox.url,
    KEEPER_PUBLIC_URL: 'https://keeper.example',
    KEEPER_REGISTRATION: 'open',
    KEEPER_RUNS_PER_PERSON: '2',
  }
  const one = await startProcess(database, environment)
  const setupToken = /\/register\?setup=(\S+)/.exec(one.stdout())?.[1]
  const register = async (name: CastName, more = {}): Promise<Caller> => {
    const { data, text } = await callAt(one, { token: '' }, accounts.register, { body: { ...cast[name], ...more } })
    if (!data) throw new Error(text)
    return { id: data.user.id, token: data.token }
  }
  // Before another starts: a newer set-up link ends the older.
  const ada = await register('ada', { setupToken })
  const two = await startProcess(database, environment)
  return {
    database,
    provider,
    mailbox,
    environment,
    words,
    one,
    two,
    ada,
    ben: await register('ben'),
    dot: await register('dot'),
    /** Ends both and says what they complained of. */
    async close(): Promise<string> {
      const complaints = one.stderr() + two.stderr()
      await Promise.all([one.end('SIGTERM'), two.end('SIGTERM')])
      await Promise.all([provider.close(), mailbox.close()])
      await database.close()
      return complaints
    },
  }
}

/** What each told, by its type; of a run by its event. */
export const typesOf = (stream: Stream) => stream.events().map(({ event, data }) => data.type ?? event)

/** What is told must be there within this time, far below the 30 s after which it is noticed without being told; ms. */
const soon = 1000
export const within = <T>(check: () => T | Promise<T>, timeout = soon) => expect.poll(check, { timeout, interval: 20 })
