import type { Page } from '@playwright/test'
import type { Domain } from '#contract/domains/domains.ts'
import { cast } from '../../cast.ts'
import { getButton } from '../locators.ts'
import { type ErrorScene, getAlert, getRetryButton } from './scene.ts'

const getField = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const getDialog = (page: Page) => page.getByRole('alertdialog')

let domain: Domain

/** The root dashboard: profile, domains, members and the custom domain. */
export const domainScene: ErrorScene = {
  name: 'the root dashboard',
  async setUp({ page, keeper, callApi }) {
    const ben = await keeper.callApi<{ user: { id: string } }>('/api/kam/auth/register', cast.ben)
    domain = await callApi<Domain>('/api/domains', { name: 'Quay Choir' })
    await callApi(`/api/domains/${domain.id}/members`, { userId: ben.user.id, role: 'user' })
    await keeper.callApi('/api/kam/auth/register', cast.cleo)
    await page.goto(`/root/domain?domain=${domain.id}`)
  },
  texts: [
    {
      text: 'Failed to update domain',
      async provoke({ page, failCall }) {
        await getButton(page, 'Edit').click()
        await getField(page, 'Name').fill('Quay Singers')
        await failCall('PATCH /api/domains/*', 500)
        await getButton(page, 'Save').click()
      },
      where: getAlert('Failed to update domain'),
      preserved: (page) => [getField(page, 'Name'), 'Quay Singers'],
      remedy: (page) => getButton(page, 'Save'),
      showsRequestId: true,
      cleanUp: async ({ page }) => getButton(page, 'Cancel').click(),
    },
    {
      text: 'Failed to add member',
      async provoke({ page, failCall }) {
        await failCall('POST /api/domains/*/members', 500)
        await page.getByRole('searchbox', { name: 'Add by name or email' }).fill(cast.cleo.email)
        await page.getByRole('button', { name: /^Add Cleo.* as a user$/ }).click()
      },
      where: getAlert('Failed to add member'),
      preserved: (page) => [page.getByRole('searchbox', { name: 'Add by name or email' }), cast.cleo.email],
      remedy: (page) => page.getByRole('button', { name: /^Add Cleo.* as a user$/ }),
    },
    {
      text: 'Failed to update member role',
      async provoke({ page, failCall }) {
        await failCall('PATCH /api/domains/*/members/*', 500)
        await page.getByRole('combobox', { name: `Role of ${cast.ben.name}` }).selectOption('admin')
      },
      where: getAlert('Failed to update member role'),
      preserved: (page) => [page.getByRole('combobox', { name: `Role of ${cast.ben.name}` }), 'user'],
    },
    {
      text: 'Failed to remove member',
      async provoke({ page, failCall }) {
        await failCall('DELETE /api/domains/*/members/*', 500)
        await getButton(page, `Remove ${cast.ben.name}`).click()
        await getDialog(page).getByRole('button', { name: 'Remove member' }).click()
      },
      where: (page) => getDialog(page).getByRole('alert').filter({ hasText: 'Failed to remove member' }),
      remedy: (page) => getDialog(page).getByRole('button', { name: 'Remove member' }),
      cleanUp: async ({ page }) => getDialog(page).getByRole('button', { name: 'Cancel' }).click(),
    },
    {
      text: 'Failed to load domain status. Please try again.',
      async provoke({ page, callApi, failCall }) {
        await callApi(`/api/domains/${domain.id}`, { customDomain: 'memories.example.org' }, 'PUT')
        await failCall('GET /api/domains/custom/*/custom-domain/status', 500)
        await page.reload()
      },
      where: getAlert('Failed to load domain status. Please try again.'),
      remedy: getRetryButton,
      showsRequestId: true,
    },
    {
      text: 'Vercel error: {error}',
      async provoke({ page, answerCall }) {
        const data = { attached: false, configured: false, records: [], nameServers: [], details: null }
        await answerCall('GET /api/domains/custom/*/custom-domain/status', {
          json: { success: true, data: { ...data, error: 'Rate limit exceeded', errorCode: 'rate_limited' } },
        })
        await page.reload()
      },
      where: getAlert('Vercel error: Rate limit exceeded'),
      remedy: getRetryButton,
    },
    {
      text: 'No domains found',
      async provoke({ page, answerCall }) {
        await answerCall('GET /api/domains/my', { json: [] })
        await page.goto('/root/domain')
      },
      where: (page) => page.getByRole('main').getByText('No domains found', { exact: true }),
      remedy: (page) => getButton(page, 'New domain').first(),
    },
    {
      text: 'Failed to update profile',
      async provoke({ page, failCall }) {
        await page.goto('/root/profile')
        await failCall('PUT /api/users/*', 500)
        await page.getByLabel('Name', { exact: true }).fill('Ada of the Harbour')
        await getButton(page, 'Save').click()
      },
      where: (page) => page.getByRole('alert').getByText('Failed to update profile', { exact: true }),
      preserved: (page) => [page.getByLabel('Name', { exact: true }), 'Ada of the Harbour'],
      remedy: (page) => getButton(page, 'Save'),
      showsRequestId: true,
    },
    {
      text: 'Failed to delete API key. Please try again.',
      async provoke({ page, callApi, failCall }) {
        await callApi('/api/kip/user-keys', { provider: 'openai', apiKey: 'sk-harbour-0123456789-abcdef' })
        await failCall('DELETE /api/kip/user-keys/*', 500)
        await page.goto('/root/api-keys')
        await page
          .getByRole('listitem')
          .filter({ has: page.getByRole('heading', { name: 'OpenAI' }) })
          .getByRole('button', { name: /^Delete/ })
          .click()
        await getDialog(page).getByRole('button', { name: 'Delete Key' }).click()
      },
      where: getAlert('Failed to delete API key. Please try again.'),
    },
  ],
}

/** Platform keys, also after the session has ended. */
export const platformKeyScene: ErrorScene = {
  name: 'the platform API keys',
  isSuperAdmin: true,
  setUp: async ({ page }) => void (await page.goto('/studio/kip/api-keys')),
  texts: [
    {
      text: 'Failed to save platform key',
      async provoke({ page, failCall }) {
        await failCall('POST /api/kip/platform-keys', 500)
        await getButton(page, 'Add New Platform API Key').click()
        await page.getByRole('textbox', { name: 'API key' }).fill('sk-harbour-0123456789-abcdef')
        await getButton(page, 'Add Key').click()
      },
      where: getAlert('Failed to save platform key'),
      preserved: (page) => [page.getByRole('textbox', { name: 'API key' }), 'sk-harbour-0123456789-abcdef'],
      remedy: (page) => getButton(page, 'Add Key'),
      showsRequestId: true,
      // Saves the key, which the next text deletes.
      cleanUp: async ({ page }) => getButton(page, 'Add Key').click(),
    },
    {
      text: 'Failed to delete platform key',
      async provoke({ page, failCall }) {
        await failCall('DELETE /api/kip/platform-keys/*', 500)
        await page
          .getByRole('listitem')
          .filter({ has: page.getByRole('heading', { name: 'OpenAI' }) })
          .getByRole('button', { name: 'Delete' })
          .click()
        await getDialog(page).getByRole('button', { name: 'Delete Key' }).click()
      },
      where: getAlert('Failed to delete platform key'),
    },
    {
      text: 'User not authenticated',
      async provoke({ page, keeper, answerCall }) {
        // A 401 for a token that another tab has since replaced doesn't sign this browser out.
        const { token } = await keeper.callApi<{ token: string }>('/api/kam/auth/login', cast.ada)
        await answerCall('GET /api/kip/platform-keys', {
          status: 401,
          json: { success: false },
          beforeResponse: () => page.evaluate((other) => localStorage.setItem('keeper_token', other), token),
        })
        await page.reload()
      },
      where: getAlert('Failed to load platform API keys: User not authenticated'),
      remedy: getRetryButton,
    },
  ],
}
