import type { Page } from '@playwright/test'
import type { Domain } from '#contract/domains/domains.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'
import { getButton, getStatusMessage } from './locators.ts'

const host = 'memories.example.org'
const getPanel = (page: Page) => page.getByRole('region', { name: 'Custom domain' })

test('a domain form is noted when saved, and a failing note has no effect @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/ERR_FAILED|status of 500/)
  await registerAndSignIn(page, keeper, 'ada', { path: '/root/domain' })
  const notes: unknown[] = []
  await page.route('**/api/debug/form-debug', (route) => {
    notes.push(route.request().postDataJSON())
    return notes.length === 1 ? route.fulfill({ status: 500, json: { success: false } }) : route.continue()
  })
  await getButton(page, 'New domain').click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Quay Choir')
  await getButton(page, 'Create domain').click()
  await expect(getStatusMessage(page, 'Domain saved successfully')).toBeVisible()
  await getButton(page, 'Edit').click()
  await page.getByRole('textbox', { name: 'Description', exact: true }).fill('Tuesdays at seven')
  await getButton(page, 'Save').click()
  await expect(page.getByText('Tuesdays at seven')).toBeVisible()
  const formValues = { name: 'Quay Choir', slug: '', description: '', leadAgentId: '' }
  const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
  expect(notes).toEqual([
    { action: 'create', domainId: null, timestamp, formData: formValues },
    {
      action: 'update',
      domainId: expect.stringMatching(/\S/),
      timestamp,
      formData: { ...formValues, slug: 'quay-choir', description: 'Tuesdays at seven' },
    },
  ])
})

test('responses with only the specified fields are understood @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const { domains } = await keeper.callApi<{ domains: Domain[] }>('/api/kam/auth/session', undefined, { token })
  const id = domains[0]?.id ?? ''
  const domain = { ...domains[0], permissions: [], customDomain: host, customDomainVerified: false }
  const record = { type: 'CNAME', domain: host, value: 'edge.example.org' }
  const nameServers = ['ns1.host.example', 'ns2.host.example']
  let status: object = { attached: false, configured: false, records: [], nameServers }
  const requests: { path: string; body: unknown }[] = []
  const getPath = (path: string) => new URL(path).pathname
  await page.route('**/api/domains/my', (route) => route.fulfill({ json: [domain] }))
  await page.route(`**/api/domains/custom/${id}/**`, (route) => {
    const request = route.request()
    requests.push({ path: getPath(request.url()).split('/custom-domain')[1] ?? '', body: request.postDataJSON() })
    if (request.method() === 'GET') return route.fulfill({ json: { success: true, data: status } })
    if (request.url().endsWith('/verify')) domain.customDomainVerified = true
    else status = { ...status, attached: true, configured: true, records: [record] }
    return route.fulfill({ json: { success: true } })
  })
  await page.goto('/root/domain')
  await expect(page.getByRole('list', { name: 'Domains' })).toContainText('Owner')
  await expect(getButton(page, 'Edit'), 'the owner can edit it').toBeVisible()
  for (const server of nameServers) await expect(getPanel(page).getByText(server)).toBeVisible()
  await expect(getPanel(page)).toContainText('Point the whole domain at the provider’s nameservers:')

  // The banner must not wait for the refetch.
  let gate = Promise.withResolvers<void>()
  await page.route('**/api/kam/auth/session', async (route) => {
    await gate.promise
    return route.continue()
  })
  await getButton(page, 'Add to provider').click()
  await expect(getStatusMessage(page, 'Domain added to Vercel successfully')).toBeVisible()
  const countStatusRequests = () => requests.filter(({ path }) => path === '/status').length
  const initialCount = countStatusRequests()
  await expect.poll(countStatusRequests, 'refreshed a second later').toBeGreaterThan(initialCount)
  gate.resolve()
  expect(requests.find(({ path }) => path === '')?.body).toEqual({ customDomain: host })
  await expect(page.getByRole('table', { name: 'DNS records' })).toContainText('edge.example.org')
  await expect(getPanel(page).getByText('DNS Ready')).toBeVisible()
  gate = Promise.withResolvers<void>()
  await getButton(page, 'Verify').click()
  await expect(getStatusMessage(page, 'Domain verified successfully')).toBeVisible()
  gate.resolve()
  await expect(getButton(page, 'Verify')).toHaveCount(0)
  await expect(getPanel(page).getByText('ns1.host.example')).toHaveCount(0)
})

test('a domain manager sees the status of every custom domain @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'cleo', { isSuperAdmin: true })
  const { domains } = await keeper.callApi<{ domains: Domain[] }>('/api/kam/auth/session', undefined, { token })
  const id = domains[0]?.id ?? ''
  const headers = { authorization: `Bearer ${token}` }
  await page.request.put(`/api/domains/${id}`, { headers, data: { customDomain: host } })
  await page.goto('/admin/domains')
  const row = page.getByRole('row').filter({ hasText: host })
  await expect(row.getByText('DNS Pending')).toBeVisible()
  await page.route(`**/api/domains/custom/${id}/custom-domain/status`, (route) =>
    route.fulfill({ json: { success: true, data: { attached: true, configured: true } } }),
  )
  await page.reload()
  await expect(row.getByText('DNS Ready')).toBeVisible()

  const address = '/api/admin/domains/my'
  const allDomains = (await (await page.request.get(address, { headers })).json()) as Domain[]
  const manyDomains = Array.from({ length: 1000 }, (_, index) => ({
    ...allDomains[0],
    id: `many${index}`,
    customDomain: null,
  }))
  await page.route(`**${address}*`, (route) =>
    route.fulfill({ json: route.request().url().includes('after=many999') ? allDomains : manyDomains }),
  )
  await page.reload()
  await expect(page.getByText('First 1,000 domains')).toBeInViewport()
  await expect(page.getByRole('rowheader')).toHaveCount(100)
  while (await getButton(page, 'Show more').isVisible()) await getButton(page, 'Show more').press('Enter')
  await expect(
    page.getByText(`${(1000 + allDomains.length).toLocaleString('en-US')} domains`, { exact: true }),
  ).toBeVisible()
  await expect(getButton(page, 'Show more')).toHaveCount(0)
})
