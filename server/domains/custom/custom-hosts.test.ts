import { expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { CustomHosts } from './custom-hosts.ts'

function slowDatabase() {
  const { promise, resolve } = Promise.withResolvers<{ id: string; custom_domain: string }[]>()
  const question = { select: () => question, where: () => question, execute: () => promise }
  return { db: { selectFrom: () => question } as unknown as Database, answer: resolve }
}

it('the latest load wins, in whatever order they finish', async () => {
  const hosts = new CustomHosts()
  const early = slowDatabase()
  const late = slowDatabase()
  const loads = [hosts.load(early.db), hosts.load(late.db)]
  late.answer([])
  await loads[1]
  early.answer([{ id: 'a', custom_domain: 'gone.example.org' }])
  await loads[0]
  expect(hosts.find('gone.example.org')).toBeUndefined()
})

it('only the exact name is found, no subdomain or parent', async () => {
  const hosts = new CustomHosts()
  const { db, answer } = slowDatabase()
  answer([{ id: 'a', custom_domain: 'www.example.org' }])
  await hosts.load(db)
  expect(hosts.find('www.example.org')).toEqual({ domainId: 'a' })
  for (const name of ['example.org', 'a.www.example.org', 'www.example.org.evil.example', '', '__proto__'])
    expect(hosts.find(name)).toBeUndefined()
})
