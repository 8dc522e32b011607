import type { Page } from '@playwright/test'
import type { Agent } from '#contract/agents/agents.ts'
import { getButton } from '../locators.ts'
import { type ErrorScene, getAlert, getRetryButton, pressEscape } from './scene.ts'

const getDialog = (page: Page) => page.getByRole('alertdialog')
const getCard = (page: Page, name: string) =>
  page.getByRole('article').filter({ has: page.getByRole('link', { name, exact: true }) })
const getTextbox = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const getInMain = (text: string) => (page: Page) => page.getByRole('main').getByText(text, { exact: true })

let agent: Agent

/** Manage Agents, an agent's workspace, and its logs. */
export const agentScene: ErrorScene = {
  name: 'the agent studio',
  async setUp({ page, callApi }) {
    agent = await callApi<Agent>('/api/kip/agents', { name: 'Lamp Lighter', purpose: 'Lights.' })
    await page.goto('/studio/agents')
  },
  texts: [
    {
      text: 'Failed to run agent',
      async provoke({ page, failCall }) {
        await failCall('POST /api/kip/agents', 500)
        await getCard(page, 'Lamp Lighter').getByRole('button', { name: /^Run/ }).click()
        await page.keyboard.press('Enter')
      },
      where: (page) => getDialog(page).filter({ hasText: 'Agent execution failed' }).getByText('Failed to run agent'),
      cleanUp: pressEscape,
    },
    {
      text: 'Failed to delete agent',
      async provoke({ page, failCall }) {
        await failCall('DELETE /api/kip/agents?*', 500)
        await getCard(page, 'Lamp Lighter')
          .getByRole('button', { name: /^Delete/ })
          .click()
        await getDialog(page).getByRole('button', { name: 'Delete Agent' }).click()
      },
      where: (page) => getDialog(page).getByRole('alert').filter({ hasText: 'Failed to delete agent' }),
      remedy: (page) => getDialog(page).getByRole('button', { name: 'Delete Agent' }),
      cleanUp: async ({ page }) => getDialog(page).getByRole('button', { name: 'Cancel' }).click(),
    },
    {
      text: 'Failed to create agent',
      async provoke({ page, failCall }) {
        await page.getByRole('button', { name: 'Create New Agent' }).click()
        await getTextbox(page, 'Name').fill('Night Round')
        await getTextbox(page, 'Purpose').fill('Asks the others.')
        await failCall('POST /api/kip/agents', 500)
        await getButton(page, 'Create Agent').click()
      },
      where: (page) => page.getByRole('main').getByText('Failed to create agent').first(),
      preserved: (page) => [getTextbox(page, 'Purpose'), 'Asks the others.'],
      remedy: (page) => getButton(page, 'Create Agent'),
      showsRequestId: true,
    },
    {
      text: 'Failed to update agent',
      async provoke({ page, failCall }) {
        await page.goto(`/studio/agents?tab=agent&agentId=${agent.id}`)
        await getTextbox(page, 'Purpose').fill('Lights every lamp.')
        await failCall('PUT /api/kip/agents', 500)
        await getButton(page, 'Update Agent').click()
      },
      where: (page) => page.getByRole('main').getByText('Failed to update agent').first(),
      preserved: (page) => [getTextbox(page, 'Purpose'), 'Lights every lamp.'],
      remedy: (page) => getButton(page, 'Update Agent'),
    },
    {
      text: 'Failed to fetch agents',
      async provoke({ page, failCall }) {
        await failCall('GET /api/kip/agents', 500)
        await page.goto('/studio/agents')
      },
      where: getAlert('Error loading agents: Failed to fetch agents'),
      remedy: getRetryButton,
      showsRequestId: true,
    },
    {
      text: 'No agents found',
      async provoke({ page, answerCall }) {
        await answerCall('GET /api/kip/agents', { json: { success: true, data: [] } })
        await page.reload()
      },
      where: getInMain('No agents found'),
      remedy: (page) => page.getByRole('button', { name: 'Create New Agent' }).first(),
    },
    {
      text: 'Failed to load agent assignments',
      async provoke({ page, failCall }) {
        await failCall('GET /api/keeper/agents/*/keeper-types', 'unreachable')
        await page.goto(`/studio/agents?tab=keeper-types&agentId=${agent.id}`)
      },
      where: getAlert('Failed to load agent assignments'),
      remedy: getRetryButton,
      cleanUp: async ({ page, restoreCalls }) => {
        await restoreCalls()
        await getRetryButton(page).click()
      },
    },
    {
      text: 'Failed to load keeper types (on an agent)',
      async provoke({ page, failCall }) {
        await failCall('GET /api/keeper/keeper-types', 'unreachable')
        await page.getByRole('button', { name: 'Assign New' }).click()
      },
      where: (page) => page.getByRole('dialog').getByText('Failed to load keeper types', { exact: true }),
      remedy: (page) => page.getByRole('dialog').getByRole('button', { name: 'Retry' }),
      cleanUp: async ({ page, restoreCalls }) => {
        await restoreCalls()
        await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click()
      },
    },
    {
      text: 'Failed to assign keeper type',
      async provoke({ page, failCall }) {
        await failCall('POST /api/keeper/agents/*/keeper-types/*', 'unreachable')
        await page.getByRole('dialog').getByRole('button', { name: 'Assign Journal' }).click()
      },
      where: (page) => page.getByRole('dialog').getByRole('alert').filter({ hasText: 'Failed to assign keeper type' }),
      remedy: (page) => page.getByRole('dialog').getByRole('button', { name: 'Assign Journal' }),
      cleanUp: async ({ page, restoreCalls }) => {
        await restoreCalls()
        await page.getByRole('dialog').getByRole('button', { name: 'Assign Journal' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
      },
    },
    {
      text: 'Failed to unassign keeper type',
      async provoke({ page, failCall }) {
        await failCall('DELETE /api/keeper/agents/*/keeper-types/*', 'unreachable')
        await page.getByRole('button', { name: 'Unassign Journal' }).click()
      },
      where: getAlert('Failed to unassign keeper type'),
      remedy: (page) => page.getByRole('button', { name: 'Unassign Journal' }),
    },
    {
      text: 'HTTP error! status: {code}',
      async provoke({ page, failCall }) {
        await failCall('DELETE /api/keeper/agents/*/keeper-types/*', 503)
        await page.getByRole('button', { name: 'Unassign Journal' }).click()
      },
      where: getAlert('HTTP error! status: 503'),
    },
    {
      text: 'Failed to load agent: {statusText} (in its workspace)',
      async provoke({ page, failCall }) {
        await failCall('GET /api/agents/*', 503)
        await failCall('GET /api/kip/agents?id=*', 503)
        await page.goto(`/studio/agents/${agent.id}`)
      },
      where: (page) => page.getByRole('heading', { name: 'Failed to load agent: Service Unavailable' }),
      remedy: getRetryButton,
      showsRequestId: true,
    },
    {
      text: 'Failed to fetch agent logs',
      async provoke({ page, failCall }) {
        await failCall('GET /api/kip/agents?logs=*', 500)
        await failCall('GET /api/kip/agents?stats=*', 500)
        await page.reload()
      },
      where: getInMain('Error loading logs: Failed to fetch agent logs'),
    },
    {
      text: 'Failed to fetch agent stats',
      async provoke({ page, failCall }) {
        await failCall('GET /api/kip/agents?stats=*', 500)
        await page.reload()
      },
      where: getAlert('Failed to fetch agent stats'),
    },
    {
      text: 'Failed to load logs',
      async provoke({ page, failCall }) {
        await failCall('GET /api/kip/agents?logs=*', 500)
        await page.goto('/studio/kip/logs')
      },
      where: getAlert('Error loading logs: Failed to load logs'),
      remedy: getRetryButton,
      showsRequestId: true,
    },
    {
      text: 'Failed to load agents',
      async provoke({ page, failCall }) {
        await failCall('GET /api/kip/agents', 500)
        await page.reload()
      },
      where: (page) => page.getByRole('main').getByText('Failed to load agents. Refresh to try again.'),
      remedy: (page) => getButton(page, 'Refresh'),
    },
    {
      text: 'TypeAgent extraction failed',
      async provoke({ page, failCall }) {
        await page.goto('/studio/kip')
        await page.getByLabel('Describe what you want to keep').fill('Every walk along the harbour')
        await failCall('POST /api/kip/type-agent/extract', 'unreachable')
        await getButton(page, 'Propose a type').click()
      },
      where: getAlert('TypeAgent extraction failed'),
      preserved: (page) => [page.getByLabel('Describe what you want to keep'), 'Every walk along the harbour'],
      remedy: (page) => getButton(page, 'Propose a type'),
    },
  ],
}

const getBox = (page: Page) => page.getByLabel('Write to Kip')

export const chatScene: ErrorScene = {
  name: 'the chat with Kip',
  async setUp({ page, callApi }) {
    const { id } = await callApi<Agent>('/api/kip/agents?slug=kip')
    for (const sessionName of ['The lamp', 'The harbour'])
      await callApi('/api/kip/agents', { action: 'createSession', agentId: id, sessionName })
    await page.goto('/kip')
    await page.getByText('0 messages').waitFor()
  },
  texts: [
    {
      text: 'I processed your request successfully.',
      async provoke({ page, failCall, answerCall }) {
        const data = { run_id: 'r1', session_id: null, response: '', mock_mode: false, processing_time_ms: 1 }
        await answerCall('POST /api/kip/agents', {
          stream: `event: start\ndata: ${JSON.stringify(data)}\n\nevent: done\ndata: ${JSON.stringify(data)}\n\n`,
        })
        // The server doesn't know this answer and would say so after a refetch.
        await failCall('GET /api/kip/agents?messages=*', 'unreachable')
        await getBox(page).fill('Is it done?')
        await page.keyboard.press('Enter')
      },
      where: (page) =>
        page.getByRole('list', { name: 'Conversation with Kip' }).getByText('I processed your request successfully.'),
      cleanUp: async ({ page, restoreCalls }) => {
        await restoreCalls()
        await page.reload()
        await page.getByText('0 messages').waitFor()
      },
    },
    {
      text: 'Failed to fetch sessions',
      async provoke({ page, failCall }) {
        await failCall('GET /api/kip/agents?sessions=*', 500)
        await getButton(page, 'Sessions').click()
      },
      where: (page) => page.getByRole('dialog').getByRole('alert').filter({ hasText: 'Failed to fetch sessions' }),
      remedy: (page) => page.getByRole('dialog').getByRole('button', { name: 'Retry' }),
      cleanUp: async ({ page, restoreCalls }) => {
        await restoreCalls()
        await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click()
        await page.getByRole('dialog').getByRole('listitem').first().waitFor()
      },
    },
    {
      text: 'Failed to fetch session messages',
      async provoke({ page, failCall }) {
        await failCall('GET /api/kip/agents?messages=*', 500)
        await page.getByRole('dialog').getByRole('button', { name: 'The lamp' }).first().click()
      },
      where: (page) => page.getByText('Failed to fetch session messages'),
    },
    {
      text: 'Session not found',
      async provoke({ page, failCall }) {
        await failCall('GET /api/kip/agents?messages=*', 404)
        await getButton(page, 'Sessions').click()
        await page.getByRole('dialog').getByRole('button', { name: 'The lamp' }).first().click()
      },
      where: (page) => page.getByText('Session not found'),
    },
    {
      text: 'Failed to create session',
      async provoke({ page, failCall }) {
        await getBox(page).fill('About the lamp')
        await page.keyboard.press('Enter')
        await page.getByRole('list', { name: 'Conversation with Kip' }).getByText('That is all.').waitFor()
        await failCall('POST /api/kip/agents', 500)
        await getBox(page).fill('Half a sentence')
        await getButton(page, 'New session').click()
      },
      where: (page) => page.getByText('Failed to create session'),
      preserved: (page) => [getBox(page), 'Half a sentence'],
      showsRequestId: true,
    },
    {
      text: 'Failed to load agent: {statusText} (on its chat page)',
      async provoke({ page, failCall }) {
        await failCall('GET /api/kip/agents?slug=*', 503)
        await page.reload()
      },
      where: getAlert('Failed to load agent: Service Unavailable'),
      remedy: getRetryButton,
    },
  ],
}
