import type { Page } from '@playwright/test'
import type { Agent } from '#contract/agents/agents.ts'
import { type Board, frameLimits } from '#contract/boards/boards.ts'
import { getButton } from '../locators.ts'
import { type ErrorScene, getAlert, pressEscape } from './scene.ts'

let agent: Agent
const getPurpose = (page: Page) =>
  page.locator('[data-frame="config_panel"]').getByRole('textbox', { name: 'Purpose', exact: true })

export const boardScene: ErrorScene = {
  name: 'the board of an agent',
  async setUp({ page, callApi }) {
    agent = await callApi<Agent>('/api/kip/agents', { name: 'Path Finder', purpose: 'Knows the paths.' })
    await page.goto(`/studio/agent-board?agentId=${agent.id}`)
  },
  texts: [
    {
      text: 'Failed to update frame',
      async provoke({ page, failCall }) {
        await getPurpose(page).fill('Knows every path.')
        await failCall('PUT /api/kip/agents', 500)
        await page.locator('[data-frame="config_panel"]').getByRole('button', { name: 'Save', exact: true }).click()
      },
      where: getAlert('Failed to update frame'),
      preserved: (page) => [getPurpose(page), 'Knows every path.'],
      remedy: (page) => getButton(page, 'Save').first(),
      showsRequestId: true,
    },
    {
      text: 'Failed to add frame to board',
      async provoke({ page, callApi }) {
        const board = await callApi<Board>('/api/boards/of-entity', { entityType: 'agent', entityId: agent.id })
        const { maxCoordinate } = frameLimits
        const frames = board.frames.map((frame) => ({
          ...frame,
          data: { ...frame.data, position: { ...frame.data.position, x: maxCoordinate, y: maxCoordinate } },
        }))
        await callApi(`/api/boards/${board.id}`, { frames }, 'PATCH')
        await page.reload()
        await getButton(page, 'Add Frame').click()
        await page.getByRole('menuitem', { name: 'Dialog Frame' }).click()
      },
      where: (page) =>
        page
          .getByRole('alertdialog', { name: 'Failed to add frame to board' })
          .filter({ hasText: 'There’s no free space left on this board.' }),
      remedy: (page) => getButton(page, 'OK'),
      cleanUp: pressEscape,
    },
  ],
}

/** Diagnostics in a browser that fails without a reason. */
export const diagnosticsScene: ErrorScene = {
  name: 'the diagnostics',
  visitor: true,
  async setUp({ page }) {
    await page.addInitScript(() => {
      navigator.storage.estimate = () => {
        throw new Error('')
      }
    })
    await page.goto('/debug')
  },
  texts: [
    {
      text: 'Unknown error',
      provoke: ({ page }) =>
        page
          .getByRole('button', { name: /^Run all/ })
          .first()
          .click(),
      where: (page) => page.getByText('ERROR Unknown error').first(),
    },
  ],
}
