import type { Page } from '@playwright/test'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { getButton } from '../locators.ts'
import { type ErrorScene, type ErrorTextCase, type ErrorWorld, getAlert, getRetryButton } from './scene.ts'

const keeperInput = { title: 'Harbour Year', purpose: 'Keep it.', keeperType: 'journal', memoryPattern: 'sole' }
const getDialog = (page: Page) => page.getByRole('alertdialog')
const getMain = (page: Page) => page.getByRole('main')

let keeperId = ''

export const keeperListScene: ErrorScene = {
  name: 'keepers, their metadata and types',
  async setUp({ page, callApi }) {
    keeperId = (await callApi<Keeper>('/api/keeper/keepers', keeperInput)).id
    await page.goto('/keeper')
  },
  texts: [
    {
      text: 'Failed to delete keeper',
      async provoke({ page, failCall }) {
        await failCall('DELETE /api/keeper/keepers/*', 500)
        await getButton(page, 'Delete Harbour Year').click()
        await getButton(page, 'Delete Keeper').click()
      },
      where: (page) => getDialog(page).getByRole('alert').filter({ hasText: 'Failed to delete keeper' }),
      remedy: (page) => getButton(page, 'Delete Keeper'),
      cleanUp: async ({ page }) => getDialog(page).getByRole('button', { name: 'Cancel' }).click(),
    },
    {
      text: 'An error occurred',
      async provoke({ page, failCall }) {
        await failCall('GET /api/keeper/keepers', 500)
        await page.reload()
      },
      where: (page) => getAlert('Failed to load keepers')(page).getByText('An error occurred'),
      remedy: getRetryButton,
      showsRequestId: true,
    },
    {
      text: 'Failed to save keeper',
      async provoke({ page, failCall }) {
        await page.goto('/keeper/manage?tab=keeper')
        await page.getByLabel('Title').fill('Tide Tables')
        await page.getByLabel('Purpose').fill('What came in.')
        await failCall('POST /api/keeper/keepers', 'unreachable')
        await getButton(page, 'Save').click()
      },
      where: getAlert('Failed to save keeper'),
      preserved: (page) => [page.getByLabel('Title'), 'Tide Tables'],
      remedy: (page) => getButton(page, 'Save'),
      cleanUp: async ({ page }) => getButton(page, 'Cancel').click(),
    },
    {
      text: 'Failed to load keeper',
      async provoke({ page, failCall }) {
        await failCall('GET /api/keeper/keepers/*', 500)
        await page.goto(`/keeper/selected/metadata?id=${keeperId}`)
      },
      where: getAlert('Failed to load keeper'),
      remedy: getRetryButton,
      showsRequestId: true,
    },
    {
      text: 'Failed to load keeper types',
      async provoke({ page, failCall }) {
        await failCall('GET /api/keeper/keeper-types', 500)
        await page.goto('/keeper/types')
      },
      where: getAlert('Failed to load keeper types'),
      remedy: getRetryButton,
    },
  ],
}

interface EngagementSection {
  page: string
  calls: string
  /** As it appears in the texts. */
  entry: string
  entries: string
  form: string
  fill: (form: ReturnType<Page['getByRole']>) => Promise<void>
  field: [label: string, text: string]
  open: string
  create: string
  edit: RegExp
  save: RegExp
  remove: RegExp
  sample: object
}

/** Fetch, create, update and delete fail the same way in each section. */
function createErrorTexts(section: EngagementSection): ErrorTextCase[] {
  const getField = (page: Page) => page.getByRole('form').getByRole('textbox', { name: section.field[0], exact: true })
  const listPath = `/api/keeper/keepers/*/${section.calls}`
  const itemPath = `/api/keeper/${section.calls}/*`
  const getTryAgainButton = (page: Page) => getButton(page, 'Try again').first()
  const openSection = async ({ page }: ErrorWorld) => {
    await page.goto(`/keeper/${keeperId}/${section.page}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
  return [
    {
      text: `Failed to fetch ${section.entries}`,
      async provoke(world) {
        await world.callApi(`/api/keeper/keepers/${keeperId}/${section.calls}`, section.sample)
        await world.failCall(`GET ${listPath}`, 500)
        await openSection(world)
      },
      where: getAlert(`Error: Failed to fetch ${section.entries}`),
      remedy: getTryAgainButton,
      showsRequestId: true,
      async cleanUp({ page, restoreCalls }) {
        await restoreCalls()
        await getTryAgainButton(page).click()
      },
    },
    {
      text: `Failed to create ${section.entry}`,
      async provoke({ page, failCall }) {
        await getButton(page, section.open).first().click()
        await section.fill(page.getByRole('form', { name: section.form }))
        await failCall(`POST ${listPath}`, 400)
        await page.getByRole('form', { name: section.form }).getByRole('button', { name: section.create }).click()
      },
      where: getAlert(`Error: Failed to create ${section.entry}`),
      preserved: (page) => [getField(page), section.field[1]],
      remedy: getTryAgainButton,
      cleanUp: async ({ page }) => page.getByRole('form').getByRole('button', { name: 'Cancel' }).click(),
    },
    {
      text: `Failed to update ${section.entry}`,
      async provoke({ page, failCall }) {
        await page.getByRole('button', { name: section.edit }).click()
        await getField(page).fill(`${section.field[1]} Still.`)
        await failCall(`PUT ${itemPath}`, 400)
        await page.getByRole('form').getByRole('button', { name: section.save }).click()
      },
      where: getAlert(`Error: Failed to update ${section.entry}`),
      preserved: (page) => [getField(page), `${section.field[1]} Still.`],
      remedy: getTryAgainButton,
      cleanUp: async ({ page }) => page.getByRole('form').getByRole('button', { name: 'Cancel' }).click(),
    },
    {
      text: `Failed to delete ${section.entry}`,
      async provoke({ page, failCall }) {
        await failCall(`DELETE ${itemPath}`, 500)
        await page.getByRole('button', { name: section.remove }).click()
        await getButton(page, 'Delete').click()
      },
      where: getAlert(`Error: Failed to delete ${section.entry}`),
      remedy: getTryAgainButton,
      cleanUp: async ({ page }) => getMain(page).getByRole('button', { name: 'Cancel' }).click(),
    },
  ]
}

const engagementSections: EngagementSection[] = [
  {
    page: 'voice-panel',
    calls: 'voice-entries',
    entry: 'voice entry',
    entries: 'voice entries',
    form: 'New voice entry',
    async fill(form) {
      await form.getByLabel('Label').fill('Promises')
      await form.getByLabel('Belief').fill('A promise is kept.')
    },
    field: ['Belief', 'A promise is kept.'],
    open: 'Add Voice Entry',
    create: 'Add Voice Entry',
    edit: /^Edit /,
    save: /^Save/,
    remove: /^Delete /,
    sample: { label: 'Weather', belief: 'It passes.' },
  },
  {
    page: 'echo-writer',
    calls: 'echoes',
    entry: 'echo',
    entries: 'echoes',
    form: 'New echo',
    fill: (form) => form.getByLabel('Message').fill('You were not afraid of it.'),
    field: ['Message', 'You were not afraid of it.'],
    open: 'Write an Echo',
    create: 'Create Echo',
    edit: /^Edit the echo/,
    save: /^Save/,
    remove: /^Delete the echo/,
    sample: { message: 'The tide turns.', triggerDate: '2030-01-01' },
  },
  {
    page: 'identity-logbook',
    calls: 'logbook-entries',
    entry: 'logbook entry',
    entries: 'logbook entries',
    form: 'New logbook entry',
    async fill(form) {
      await form.getByLabel('Label').fill('The one who stays')
      await form.getByRole('textbox', { name: 'Entry' }).fill('I stand at the door.')
      await form.getByLabel('Category').fill('Work')
    },
    field: ['Entry', 'I stand at the door.'],
    open: 'Add Logbook Entry',
    create: 'Add Logbook Entry',
    edit: /^Edit /,
    save: /^Save/,
    remove: /^Delete /,
    sample: { label: 'First watch', entry: 'I took the night.', category: 'Job' },
  },
]

export const engagementScene: ErrorScene = {
  name: 'the engagement-template pages',
  async setUp({ callApi }) {
    keeperId = (await callApi<Keeper>('/api/keeper/keepers', keeperInput)).id
  },
  texts: [
    ...engagementSections.flatMap(createErrorTexts),
    {
      text: 'Failed to deliver echo',
      async provoke({ page, callApi, failCall }) {
        await callApi(`/api/keeper/keepers/${keeperId}/echoes`, { message: 'It is time.', triggerDate: '2020-01-01' })
        await failCall('POST /api/keeper/echoes/*/deliver', 500)
        await page.goto(`/keeper/${keeperId}/echo-writer`)
        await getButton(page, 'Deliver').first().click()
      },
      where: getAlert('Error: Failed to deliver echo'),
      remedy: (page) => getButton(page, 'Try again').first(),
    },
  ],
}

/** These failures are only logged: the page keeps what was written and says that it is safe. */
export const journalScene: ErrorScene = {
  name: 'the reflection journal',
  async setUp({ page, callApi }) {
    keeperId = (await callApi<Keeper>('/api/keeper/keepers', keeperInput)).id
    await page.goto(`/keeper/${keeperId}/reflection-journal`)
  },
  texts: [
    {
      text: 'Failed to create reflection',
      async provoke({ page, failCall }) {
        await failCall('POST /api/keeper/keepers/*/reflections', 500)
        await page.getByRole('textbox', { name: 'Reflection', exact: true }).fill('We sang.')
        await page.keyboard.press('Control+Enter')
      },
      preserved: (page) => [page.getByRole('textbox', { name: 'Reflection', exact: true }), 'We sang.'],
    },
    {
      text: 'Failed to load reflections',
      async provoke({ page, failCall }) {
        await failCall('GET /api/keeper/keepers/*/reflections?*', 500)
        await failCall('GET /api/keeper/keepers/*/reflections', 500)
        await page.reload()
        await page.getByRole('tab', { name: /All Reflections/ }).click()
      },
    },
    {
      text: 'Failed to update reflection',
      async provoke({ page, callApi, failCall }) {
        const { id } = await callApi<Reflection>(`/api/keeper/keepers/${keeperId}/reflections`, {
          content: 'The gate shuts.',
        })
        await page.goto(`/keeper/${keeperId}/reflection-journal?reflection=${id}`)
        await page.getByRole('link', { name: 'Edit' }).click()
        await failCall('PUT /api/keeper/reflections/*', 500)
        await page.getByRole('textbox', { name: 'Reflection', exact: true }).fill('The gate does not shut.')
      },
      preserved: (page) => [page.getByRole('textbox', { name: 'Reflection', exact: true }), 'The gate does not shut.'],
    },
  ],
}
