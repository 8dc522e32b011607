import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Page } from '@playwright/test'
import type { SessionDetails } from '#contract/accounts/accounts.ts'
import type { Agent } from '#contract/agents/agents.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expect, registerAndSignIn } from './fixtures.ts'

/**
 * Paths of the route table, so that new pages are covered automatically. The workbench is excluded because it shows
 * every UI component.
 */
const table = readFileSync(resolve(import.meta.dirname, '../../web/routes.tsx'), 'utf8')
export const paths = [...table.matchAll(/path="((?!\/dev)[^"]+)"/g)].map(([, path = '']) => path)

/** Wider than a phone. */
const unbreakableWord = 'Donaudampfschifffahrtsgesellschaftskapitän'

/** Creates content with unbreakable words on every page; returns the value for each `:name` of the route table. */
export async function createContent(page: Page, keeper: BuiltKeeper): Promise<Record<string, string>> {
  const { token } = await registerAndSignIn(page, keeper, 'cleo', { path: '/root', isSuperAdmin: true })
  const callApi = <Data>(path: string, body?: unknown, method?: string) =>
    keeper.callApi<Data>(path, body, { token, ...(method && { method }) })
  const { id } = await callApi<Keeper>('/api/keeper/keepers', {
    title: `The ${unbreakableWord} Year`,
    purpose: unbreakableWord.repeat(4),
    keeperType: 'journal',
    memoryPattern: 'sole',
    theme: 'sunset-warm',
  })
  const keeperPath = `/api/keeper/keepers/${id}`
  const { id: journeyId } = await callApi<{ id: string }>(`${keeperPath}/journeys`, {
    title: `Towards the ${unbreakableWord}`,
  })
  await callApi(`${keeperPath}/moments`, {
    body: unbreakableWord.repeat(3),
    topics: [unbreakableWord],
    mood: { score: 1 },
    pinned: true,
  })
  const oldReflection = {
    topic: unbreakableWord,
    content: unbreakableWord.repeat(6),
    createdAt: '2026-01-05T08:00:00Z',
  }
  await callApi(`${keeperPath}/reflections`, oldReflection)
  const reflection = await callApi<Reflection>(`${keeperPath}/reflections`, {
    content: `${unbreakableWord}. The gate does not shut.`,
  })
  await callApi(`/api/keeper/reflections/${reflection.id}/promote`, {})
  await callApi(`${keeperPath}/voice-entries`, { label: unbreakableWord, belief: unbreakableWord.repeat(4) })
  await callApi(`${keeperPath}/logbook-entries`, {
    entry: unbreakableWord.repeat(4),
    label: unbreakableWord,
    category: 'House',
    tags: ['a'],
  })
  await callApi(`${keeperPath}/echoes`, { message: unbreakableWord.repeat(3), triggerDate: '2026-01-05' })
  await callApi(`${keeperPath}/sole/draft`, { content: 'I live by the harbour.' })
  const agentInput = {
    name: 'Lamp Lighter',
    purpose: unbreakableWord.repeat(2),
    agent_class: 'Lead',
    tools: ['read_sole'],
  }
  const agent = await callApi<Agent>('/api/kip/agents', agentInput)
  const run = { action: 'run', agentId: agent.id, input: unbreakableWord.repeat(3) }
  const { run_id } = await callApi<{ run_id: string }>('/api/kip/agents', run)
  await callApi('/api/kip/user-keys', { provider: 'openai', apiKey: 'sk-wrong-harbour-0123456789-abcdef' })
  const { domains } = await callApi<SessionDetails>('/api/kam/auth/session')
  const domainId = domains[0]?.id ?? ''
  const shareInput = { parts: ['moments', 'journeys', 'logbook', 'sole'], roles: ['friend'] }
  await callApi(`/api/domains/${domainId}/shared/keepers/${id}`, shareInput, 'PUT')
  return {
    id,
    keeperId: id,
    journeyId,
    domainId,
    agentId: agent.id,
    agentSlug: agent.slug,
    run: run_id,
    '*': 'nothing/is/here',
  }
}

/** Fills in a path's parameters; unknown parameters stay in the path and fail the test. */
export function resolvePath(path: string, params: Record<string, string>): string {
  return path.replace(/^\*/, '/*').replace(/:(\w+)|\*/g, (name, word = name) => params[word] ?? name)
}

/** Views that depend on the query string. */
export const listQueryPaths = ({ id, agentId, run }: Record<string, string>) => [
  '/root?tab=api-keys',
  `/studio/agents?tab=agent&agentId=${agentId}`,
  `/studio/agents?tab=keeper-types&agentId=${agentId}`,
  `/studio/kip/logs?run=${run}`,
  `/keeper/selected/metadata?id=${id}`,
  `/keeper/selected/memory-tools?id=${id}`,
  `/keeper/${id}/moments?view=calendar`,
  `/keeper/${id}/moments?view=map`,
  `/keeper/${id}/moments?view=media`,
  `/keeper/${id}/moments?view=on-this-day`,
  `/keeper/${id}/reflection-journal?tab=all`,
  `/keeper/${id}/reflection-journal?tab=suggested`,
  `/keeper/${id}/memory-cards?q=gate`,
]

/** Pages outside the app that redirect signed-in people into it. */
export const visitorPaths = ['/', '/login', '/register']

/** Creates content and returns the path of every signed-in page. */
export async function listAddresses(page: Page, keeper: BuiltKeeper): Promise<string[]> {
  const params = await createContent(page, keeper)
  const signedInPaths = paths.filter((path) => !visitorPaths.includes(path))
  expect(signedInPaths).toHaveLength(paths.length - visitorPaths.length)
  const addresses = [...signedInPaths.map((path) => resolvePath(path, params)), ...listQueryPaths(params)]
  expect(addresses.length).toBeGreaterThan(60)
  expect(addresses.join(' '), 'every parameter of the route table has a sample').not.toMatch(/[:*]/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  return addresses
}

/** Navigates within the app and waits until the previous page is gone. */
export async function navigateInApp(page: Page, address: string): Promise<void> {
  await page.evaluate(async (to) => {
    const previousHeading = document.querySelector('h1')
    history.pushState({ key: `walk-${to}` }, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
    // Two views of one page may keep the same heading.
    for (let waitedMs = 0; previousHeading?.isConnected && waitedMs < 700; waitedMs += 50)
      await new Promise((done) => setTimeout(done, 50))
  }, address)
}
