import type { Page } from '@playwright/test'
import type { Agent } from '#contract/agents/agents.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

/** Rewrites lists in API responses until `page.unrouteAll`. */
async function rewriteLists(page: Page, change: (path: string, rows: unknown[]) => unknown[]): Promise<void> {
  await page.unrouteAll({ behavior: 'wait' })
  await page.route('**/api/**', async (route) => {
    const request = route.request()
    const { pathname } = new URL(request.url())
    if (request.method() !== 'GET' || /\/(events|session|settings)$/.test(pathname)) return route.continue()
    const answer = await route.fetch()
    const body = (await answer.json()) as unknown
    await route.fulfill({ response: answer, json: rewriteBody(body, (rows) => change(pathname, rows)) })
  })
}

/** Handles a bare list, one in an envelope, and one next to other fields. */
function rewriteBody(body: unknown, change: (rows: unknown[]) => unknown[], depth = 0): unknown {
  if (Array.isArray(body)) return change(body)
  if (typeof body !== 'object' || body === null || depth > 1) return body
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, rewriteBody(value, change, depth + 1)]))
}

/** The text each page shows instead of its list. */
const texts: [address: string, text: string][] = [
  ['/studio/agents', 'No agents found. Please check your database connection.'],
  ['/studio/kip/logs', 'Error loading logs: Failed to load logs'],
  ['/keeper', 'Failed to load keepers'],
  ['/keeper/manage', 'Failed to load keepers'],
  ['/root/domain', 'Failed to load domains'],
  ['/studio/board-studio', 'Offline, showing samples.'],
  ['/studio/kip/api-keys', 'Failed to load platform API keys: Failed to load platform keys: 200 OK'],
  ['/root/api-keys', 'Failed to load your API keys. Please try again.'],
  ['/admin/users', 'Failed to load users'],
  ['/admin/roles', 'Failed to load roles and users'],
  ['/admin/domains', 'Failed to load domains'],
]

test('lists with invalid rows show a load error on every page @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/Failed to load/)
  test.slow()
  await registerAndSignIn(page, keeper, 'cleo', { path: '/root', isSuperAdmin: true })
  for (const rows of [[null], [{}]]) {
    await rewriteLists(page, () => rows)
    for (const [address, text] of texts) {
      await page.goto(address)
      await expect(
        page.getByRole('main').getByText(text).first(),
        `${address} of ${JSON.stringify(rows)}`,
      ).toBeVisible()
    }
  }
  await page.unrouteAll({ behavior: 'wait' })
  await page.goto('/studio/agents')
  await expect(page.getByRole('article').filter({ hasText: 'Kip' }).first()).toBeVisible()
})

const agentFields = [
  ...[
    'id',
    'slug',
    'name',
    'purpose',
    'model',
    'agent_class',
    'context_scope',
    'memory_enabled',
    'tools',
    'permissions',
  ],
  ...['config', 'status', 'model_provider', 'model_settings', 'visibility', 'created_at', 'updated_at'],
]
const keeperFields = [
  ...['id', 'title', 'purpose', 'keeperType', 'keeperTypeId', 'memoryPattern', 'createdAt', 'updatedAt', 'ownerId'],
  ...['engagement_templates', 'soleDraft', 'soleSubmittedAt', 'sole', 'KeeperType', '_count'],
]
const pickFields = (fields: string[]) => (row: unknown) =>
  Object.fromEntries(Object.entries(row as object).filter(([name]) => fields.includes(name)))

test('rows with only the specified fields are shown, without extra rights @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  await keeper.callApi<Agent>('/api/kip/agents', { name: 'Lamp Lighter', purpose: 'Lights.' }, { token })
  await keeper.callApi<Keeper>(
    '/api/keeper/keepers',
    { title: 'The Year', purpose: 'Keep.', keeperType: 'journal' },
    { token },
  )
  await rewriteLists(page, (path, rows) => {
    if (path === '/api/kip/agents') return rows.map(pickFields(agentFields))
    return path === '/api/keeper/keepers' ? rows.map(pickFields(keeperFields)) : rows
  })
  await page.goto('/studio/agents')
  const card = page.getByRole('article').filter({ hasText: 'Lamp Lighter' })
  await expect(card).toContainText('Lights.')
  for (const name of ['Run', 'Edit', 'Delete']) await expect(card.getByRole('button', { name })).toBeDisabled()
  await card.getByRole('link', { name: 'Lamp Lighter' }).click()
  await expect(page.getByRole('main').getByLabel('Name').first()).toHaveValue('Lamp Lighter')
  await page.getByRole('tab', { name: 'Keeper Types' }).click()
  await expect(page.getByRole('heading', { name: 'Keeper types of Lamp Lighter' })).toBeVisible()
  for (const address of ['/keeper', '/keeper/manage', '/keeper/transfer', '/studio', '/root']) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('This page stopped working')
    if (address.startsWith('/keeper')) await expect(page.getByRole('main').getByText('The Year').first()).toBeVisible()
  }
  await page.unrouteAll({ behavior: 'wait' })
})
