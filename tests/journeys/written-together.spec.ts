import type { Page } from '@playwright/test'
import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { MemoryCard } from '#contract/keepers/memory-cards.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import type { VoiceEntry } from '#contract/keepers/voice.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { arrive, expect, test } from './fixtures.ts'

/** Ada, signed in, with a keeper; `ask` is a call in her name, from another device. */
async function adaWithKeeper(page: Page, built: BuiltKeeper) {
  const { token } = await arrive(page, built, 'ada')
  const ask = <Data>(path: string, body?: unknown, method?: string) =>
    built.ask<Data>(`/api/keeper${path}`, body, { token, ...(method && { method }) })
  const words = { title: 'The Harbour Year', purpose: 'Hers at first.', keeperType: 'journal', memoryPattern: 'sole' }
  const keeper = await ask<Keeper>('/keepers', words)
  return { id: keeper.id, ask }
}

interface Conflict {
  /** Saves the form. */
  save: () => Promise<unknown>
  /** What it is called in the dialog. */
  what: string
  /** What is written together, as the dialog calls it. */
  label: string
  /** Saves other words from another device. */
  elsewhere: (words: string) => Promise<unknown>
}

/** The form says 'Mine.'. The save is refused, comes second once more, and is put off before it succeeds. */
async function mergedInTheEnd(page: Page, { save, what, label, elsewhere }: Conflict): Promise<void> {
  const dialog = page.getByRole('dialog', { name: `${what} was changed elsewhere` })
  const field = dialog.getByRole('region', { name: label, exact: true })
  const together = dialog.getByRole('textbox', { name: `${label}, written together` })
  const saveMerged = dialog.getByRole('button', { name: 'Save merged' })
  await elsewhere('Theirs.')
  await save()
  await field.getByText('Write together').click()
  await together.fill('Ours, with care.')

  await page.route('**/api/keeper/**', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 500, body: '' }) : route.continue(),
  )
  await saveMerged.click()
  await expect(dialog.getByRole('alert')).toContainText('500')
  await expect(together).toHaveValue('Ours, with care.')
  await page.unroute('**/api/keeper/**')

  await elsewhere('Theirs again.')
  await saveMerged.click()
  await expect(dialog.getByRole('alert')).toHaveText('It was saved once more meanwhile. Look at both again.')
  await expect(field).toContainText('Theirs again.')
  await expect(together).toHaveValue('Ours, with care.')

  await dialog.getByRole('button', { name: 'Decide later' }).click()
  await expect(dialog).toHaveCount(0)
  await save()
  await expect(field).toContainText('Mine.')
  await expect(together).toHaveValue('Ours, with care.')
  await expect(together).toHaveAccessibleDescription('One of the two was saved anew since you wrote this.')
  await saveMerged.click()
  await expect(dialog).toHaveCount(0)
}

test.beforeEach(({ watch }) => watch.expectLine(/status of (409|500)/))

test('what is written together of a memory card stays until it is saved', async ({ page, keeper }) => {
  const { id, ask } = await adaWithKeeper(page, keeper)
  const reflection = await ask<Reflection>(`/keepers/${id}/reflections`, { content: 'At first.', topic: 'Harbour' })
  const card = await ask<MemoryCard>(`/reflections/${reflection.id}/promote`, {})
  await page.goto(`/keeper/${id}/memory-cards`)
  await page.getByRole('button', { name: 'More for the card Harbour' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const form = page.getByRole('dialog', { name: 'Edit memory card' })
  await form.getByLabel('Text').fill('Mine.')
  await mergedInTheEnd(page, {
    save: () => form.getByRole('button', { name: 'Save' }).click(),
    what: 'This memory card',
    label: 'Text',
    elsewhere: (content) => ask(`/memory-cards/${card.id}`, { content }, 'PUT'),
  })
  expect(await ask(`/memory-cards/${card.id}`)).toMatchObject({ content: 'Ours, with care.' })
})

test('what is written together of a belief stays until it is saved', async ({ page, keeper }) => {
  const { id, ask } = await adaWithKeeper(page, keeper)
  const said = { label: 'Promises', belief: 'At first.' }
  const entry = await ask<VoiceEntry>(`/keepers/${id}/voice-entries`, said)
  await page.goto(`/keeper/${id}/voice-panel`)
  await page.getByRole('button', { name: 'Edit Promises' }).click()
  const form = page.getByRole('form', { name: 'Edit Promises' })
  await form.getByLabel('Belief').fill('Mine.')
  await mergedInTheEnd(page, {
    save: () => form.getByRole('button', { name: 'Save Voice Entry' }).click(),
    what: 'This voice entry',
    label: 'Belief',
    elsewhere: (belief) => ask(`/voice-entries/${entry.id}`, { belief }, 'PUT'),
  })
  const there = await ask<VoiceEntry[]>(`/keepers/${id}/voice-entries`)
  expect(there).toMatchObject([{ label: 'Promises', belief: 'Ours, with care.' }])
})

test('what is written together of a keeper type stays until it is saved', async ({ page, keeper }) => {
  const { ask } = await adaWithKeeper(page, keeper)
  const words = { name: 'Logbook of boats', description: 'At first.', memoryPattern: 'SOLE' }
  const type = await ask<KeeperType>('/keeper-types', words)
  await page.goto(`/keeper/types?type=${type.id}`)
  await page.getByRole('button', { name: 'Edit Type' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Type' })
  await form.getByLabel('Description').fill('Mine.')
  await mergedInTheEnd(page, {
    save: () => form.getByRole('button', { name: 'Save' }).click(),
    what: 'This keeper type',
    label: 'Description',
    elsewhere: (description) => ask(`/keeper-types/${type.id}`, { description }, 'PUT'),
  })
  await expect(form).toHaveCount(0)
  await expect(page.getByText('Ours, with care.')).toBeVisible()
})

test('what is written together of a keeper stays until it is saved', async ({ page, keeper }) => {
  const { id, ask } = await adaWithKeeper(page, keeper)
  await page.goto(`/keeper/selected/metadata?id=${id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Purpose').fill('Mine.')
  await mergedInTheEnd(page, {
    save: () => page.getByRole('button', { name: 'Save', exact: true }).click(),
    what: 'This keeper',
    label: 'Purpose',
    elsewhere: (purpose) => ask(`/keepers/${id}`, { purpose }, 'PUT'),
  })
  expect(await ask(`/keepers/${id}`)).toMatchObject({ purpose: 'Ours, with care.' })
})
