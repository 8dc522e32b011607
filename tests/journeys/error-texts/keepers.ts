import type { Page } from '@playwright/test'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { alert, button, retry, type Scene, type SeenText, type World } from './scene.ts'

const make = { title: 'Harbour Year', purpose: 'Keep it.', keeperType: 'journal', memoryPattern: 'sole' }
const dialog = (page: Page) => page.getByRole('alertdialog')
const within = (page: Page) => page.getByRole('main')

let keeperId = ''

export const shelfScene: Scene = {
  name: 'keepers, their metadata and types',
  async begin({ page, ask }) {
    keeperId = (await ask<Keeper>('/api/keeper/keepers', make)).id
    await page.goto('/keeper')
  },
  texts: [
    {
      text: 'Failed to delete keeper',
      async provoke({ page, breaks }) {
        await breaks('DELETE /api/keeper/keepers/*', 500)
        await button(page, 'Delete Harbour Year').click()
        await button(page, 'Delete Keeper').click()
      },
      where: (page) => dialog(page).getByRole('alert').filter({ hasText: 'Failed to delete keeper' }),
      remedy: (page) => button(page, 'Delete Keeper'),
      after: async ({ page }) => dialog(page).getByRole('button', { name: 'Cancel' }).click(),
    },
    {
      text: 'An error occurred',
      async provoke({ page, breaks }) {
        await breaks('GET /api/keeper/keepers', 500)
        await page.reload()
      },
      where: (page) => alert('Failed to load keepers')(page).getByText('An error occurred'),
      remedy: retry,
      tellsRequest: true,
    },
    {
      text: 'Failed to save keeper',
      async provoke({ page, breaks }) {
        await page.goto('/keeper/manage?tab=keeper')
        await page.getByLabel('Title').fill('Tide Tables')
        await page.getByLabel('Purpose').fill('What came in.')
        await breaks('POST /api/keeper/keepers', 'unreachable')
        await button(page, 'Save').click()
      },
      where: alert('Failed to save keeper'),
      kept: (page) => [page.getByLabel('Title'), 'Tide Tables'],
      remedy: (page) => button(page, 'Save'),
      after: async ({ page }) => button(page, 'Cancel').click(),
    },
    {
      text: 'Failed to load keeper',
      async provoke({ page, breaks }) {
        await breaks('GET /api/keeper/keepers/*', 500)
        await page.goto(`/keeper/selected/metadata?id=${keeperId}`)
      },
      where: alert('Failed to load keeper'),
      remedy: retry,
      tellsRequest: true,
    },
    {
      text: 'Failed to load keeper types',
      async provoke({ page, breaks }) {
        await breaks('GET /api/keeper/keeper-types', 500)
        await page.goto('/keeper/types')
      },
      where: alert('Failed to load keeper types'),
      remedy: retry,
    },
  ],
}

interface Room {
  page: string
  calls: string
  /** As it appears in the texts. */
  entry: string
  entries: string
  form: string
  fill: (form: ReturnType<Page['getByRole']>) => Promise<void>
  words: [label: string, text: string]
  open: string
  create: string
  edit: RegExp
  save: RegExp
  remove: RegExp
  made: object
}

/** Fetch, create, update and delete fail the same way in each section. */
function textsOf(room: Room): SeenText[] {
  const field = (page: Page) => page.getByRole('form').getByRole('textbox', { name: room.words[0], exact: true })
  const listed = `/api/keeper/keepers/*/${room.calls}`
  const single = `/api/keeper/${room.calls}/*`
  const again = (page: Page) => button(page, 'Try again').first()
  const open = async ({ page }: World) => {
    await page.goto(`/keeper/${keeperId}/${room.page}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
  return [
    {
      text: `Failed to fetch ${room.entries}`,
      async provoke(world) {
        await world.ask(`/api/keeper/keepers/${keeperId}/${room.calls}`, room.made)
        await world.breaks(`GET ${listed}`, 500)
        await open(world)
      },
      where: alert(`Error: Failed to fetch ${room.entries}`),
      remedy: again,
      tellsRequest: true,
      async after({ page, mends }) {
        await mends()
        await again(page).click()
      },
    },
    {
      text: `Failed to create ${room.entry}`,
      async provoke({ page, breaks }) {
        await button(page, room.open).first().click()
        await room.fill(page.getByRole('form', { name: room.form }))
        await breaks(`POST ${listed}`, 400)
        await page.getByRole('form', { name: room.form }).getByRole('button', { name: room.create }).click()
      },
      where: alert(`Error: Failed to create ${room.entry}`),
      kept: (page) => [field(page), room.words[1]],
      remedy: again,
      after: async ({ page }) => page.getByRole('form').getByRole('button', { name: 'Cancel' }).click(),
    },
    {
      text: `Failed to update ${room.entry}`,
      async provoke({ page, breaks }) {
        await page.getByRole('button', { name: room.edit }).click()
        await field(page).fill(`${room.words[1]} Still.`)
        await breaks(`PUT ${single}`, 400)
        await page.getByRole('form').getByRole('button', { name: room.save }).click()
      },
      where: alert(`Error: Failed to update ${room.entry}`),
      kept: (page) => [field(page), `${room.words[1]} Still.`],
      remedy: again,
      after: async ({ page }) => page.getByRole('form').getByRole('button', { name: 'Cancel' }).click(),
    },
    {
      text: `Failed to delete ${room.entry}`,
      async provoke({ page, breaks }) {
        await breaks(`DELETE ${single}`, 500)
        await page.getByRole('button', { name: room.remove }).click()
        await button(page, 'Delete').click()
      },
      where: alert(`Error: Failed to delete ${room.entry}`),
      remedy: again,
      after: async ({ page }) => within(page).getByRole('button', { name: 'Cancel' }).click(),
    },
  ]
}

const rooms: Room[] = [
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
    words: ['Belief', 'A promise is kept.'],
    open: 'Add Voice Entry',
    create: 'Add Voice Entry',
    edit: /^Edit /,
    save: /^Save/,
    remove: /^Delete /,
    made: { label: 'Weather', belief: 'It passes.' },
  },
  {
    page: 'echo-writer',
    calls: 'echoes',
    entry: 'echo',
    entries: 'echoes',
    form: 'New echo',
    fill: (form) => form.getByLabel('Message').fill('You were not afraid of it.'),
    words: ['Message', 'You were not afraid of it.'],
    open: 'Write an Echo',
    create: 'Create Echo',
    edit: /^Edit the echo/,
    save: /^Save/,
    remove: /^Delete the echo/,
    made: { message: 'The tide turns.', triggerDate: '2030-01-01' },
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
    words: ['Entry', 'I stand at the door.'],
    open: 'Add Logbook Entry',
    create: 'Add Logbook Entry',
    edit: /^Edit /,
    save: /^Save/,
    remove: /^Delete /,
    made: { label: 'First watch', entry: 'I took the night.', category: 'Job' },
  },
]

export const roomScene: Scene = {
  name: 'the engagement-template pages',
  async begin({ ask }) {
    keeperId = (await ask<Keeper>('/api/keeper/keepers', make)).id
  },
  texts: [
    ...rooms.flatMap(textsOf),
    {
      text: 'Failed to deliver echo',
      async provoke({ page, ask, breaks }) {
        await ask(`/api/keeper/keepers/${keeperId}/echoes`, { message: 'It is time.', triggerDate: '2020-01-01' })
        await breaks('POST /api/keeper/echoes/*/deliver', 500)
        await page.goto(`/keeper/${keeperId}/echo-writer`)
        await button(page, 'Deliver').first().click()
      },
      where: alert('Error: Failed to deliver echo'),
      remedy: (page) => button(page, 'Try again').first(),
    },
  ],
}

/** These failures are logged; the page shows only what is safe. */
export const journalScene: Scene = {
  name: 'the reflection journal',
  async begin({ page, ask }) {
    keeperId = (await ask<Keeper>('/api/keeper/keepers', make)).id
    await page.goto(`/keeper/${keeperId}/reflection-journal`)
  },
  texts: [
    {
      text: 'Failed to create reflection',
      async provoke({ page, breaks }) {
        await breaks('POST /api/keeper/keepers/*/reflections', 500)
        await page.getByRole('textbox', { name: 'Reflection', exact: true }).fill('We sang.')
        await page.keyboard.press('Control+Enter')
      },
      kept: (page) => [page.getByRole('textbox', { name: 'Reflection', exact: true }), 'We sang.'],
    },
    {
      text: 'Failed to load reflections',
      async provoke({ page, breaks }) {
        await breaks('GET /api/keeper/keepers/*/reflections?*', 500)
        await breaks('GET /api/keeper/keepers/*/reflections', 500)
        await page.reload()
        await page.getByRole('tab', { name: /All Reflections/ }).click()
      },
    },
    {
      text: 'Failed to update reflection',
      async provoke({ page, ask, breaks }) {
        const { id } = await ask<Reflection>(`/api/keeper/keepers/${keeperId}/reflections`, {
          content: 'The gate shuts.',
        })
        await page.goto(`/keeper/${keeperId}/reflection-journal?reflection=${id}`)
        await page.getByRole('link', { name: 'Edit' }).click()
        await breaks('PUT /api/keeper/reflections/*', 500)
        await page.getByRole('textbox', { name: 'Reflection', exact: true }).fill('The gate does not shut.')
      },
      kept: (page) => [page.getByRole('textbox', { name: 'Reflection', exact: true }), 'The gate does not shut.'],
    },
  ],
}
