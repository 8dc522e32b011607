import type { Page } from '@playwright/test'
import type { Journey } from '#contract/keepers/journeys.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { MemoryCard } from '#contract/keepers/memory-cards.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

/** Signs Ada in with a keeper; `callApi` acts as another device of hers. */
async function openKeeperOfAda(page: Page, built: BuiltKeeper) {
  const { token } = await registerAndSignIn(page, built, 'ada')
  const callApi = <Data>(path: string, body?: unknown, method?: string) =>
    built.callApi<Data>(`/api/keeper${path}`, body, { token, ...(method && { method }) })
  const keeperInput = { title: 'The Harbour Year', purpose: 'p', keeperType: 'journal', memoryPattern: 'sole' }
  const { id } = await callApi<Keeper>('/keepers', keeperInput)
  return {
    id,
    callApi,
    hide: (path: string, extraFields: object = {}) => callApi(path, { aiVisible: false, ...extraFields }, 'PUT'),
  }
}

const getMergeDialog = (page: Page, entityLabel: string) =>
  page.getByRole('dialog', { name: `${entityLabel} was changed elsewhere` })
const getAiSwitch = (page: Page) => page.getByRole('switch', { name: 'Not for AI' })

test.beforeEach(({ watch }) => watch.expectLine(/status of 409|Failed to update reflection/))

test('restoring an earlier text keeps a reflection hidden from agents', async ({ page, keeper }) => {
  const { id, callApi, hide } = await openKeeperOfAda(page, keeper)
  const { id: reflection } = await callApi<Reflection>(`/keepers/${id}/reflections`, { content: 'The gate shuts.' })
  await hide(`/reflections/${reflection}`, { content: 'The gate sings.' })
  await page.goto(`/keeper/${id}/reflection-journal?reflection=${reflection}`)
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await expect(page.locator('[data-reading]')).toHaveText('The gate shuts.')
  await expect(page.getByText('Not for AI')).toBeVisible()
  expect(await callApi(`/reflections/${reflection}`)).toMatchObject({ content: 'The gate shuts.', aiVisible: false })
})

test('a reflection hidden in another tab during editing stays hidden @long', async ({ page, keeper }) => {
  const { id, callApi, hide } = await openKeeperOfAda(page, keeper)
  const { id: reflection } = await callApi<Reflection>(`/keepers/${id}/reflections`, { content: 'The gate shuts.' })
  const reflectionBox = page.getByRole('textbox', { name: 'Reflection', exact: true })
  await page.goto(`/keeper/${id}/reflection-journal?tab=write&reflection=${reflection}`)
  await expect(reflectionBox).toHaveValue('The gate shuts.')
  await reflectionBox.fill('The gate weeps.')
  await hide(`/reflections/${reflection}`, { content: 'The gate sings.' })
  await getMergeDialog(page, 'This reflection').getByRole('button', { name: 'Keep mine' }).click()
  await expect(getMergeDialog(page, 'This reflection')).toHaveCount(0)
  const fetchReflection = () => callApi<Reflection>(`/reflections/${reflection}`)
  await expect.poll(fetchReflection).toMatchObject({ content: 'The gate weeps.', aiVisible: false })
  await expect(getAiSwitch(page)).toBeChecked()

  await getAiSwitch(page).click()
  await callApi(`/reflections/${reflection}`, { content: 'The gate laughs.' }, 'PUT')
  await expect
    .poll(fetchReflection, { message: 'what was chosen here is saved, and the text saved elsewhere stays' })
    .toMatchObject({ aiVisible: true, content: 'The gate laughs.' })
  await expect(getMergeDialog(page, 'This reflection'), 'nothing overlaps').toHaveCount(0)
  await expect(reflectionBox).toHaveValue('The gate laughs.')
})

test('a memory card hidden in another tab during editing stays hidden @long', async ({ page, keeper }) => {
  const { id, callApi, hide } = await openKeeperOfAda(page, keeper)
  const reflection = await callApi<Reflection>(`/keepers/${id}/reflections`, {
    content: 'It sounds.',
    topic: 'Harbour',
  })
  const card = await callApi<MemoryCard>(`/reflections/${reflection.id}/promote`, {})
  await page.goto(`/keeper/${id}/memory-cards`)
  await page.getByRole('button', { name: 'More for the card Harbour' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel('Text').fill('It sings.')
  await hide(`/memory-cards/${card.id}`, { content: 'It weeps.' })
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await getMergeDialog(page, 'This memory card').getByRole('button', { name: 'Keep mine' }).click()
  await expect(getMergeDialog(page, 'This memory card')).toHaveCount(0)
  expect(await callApi(`/memory-cards/${card.id}`)).toMatchObject({ content: 'It sings.', aiVisible: false })
})

test('a journey hidden in another tab during editing stays hidden @long', async ({ page, keeper }) => {
  const { id, callApi, hide } = await openKeeperOfAda(page, keeper)
  const journey = await callApi<Journey>(`/keepers/${id}/journeys`, { title: 'The crossing' })
  await page.goto(`/keeper/${id}/journeys`)
  await page.getByRole('button', { name: 'More for The crossing' }).click()
  await page.getByRole('menuitem', { name: 'Edit journey' }).click()
  await page.getByRole('dialog').getByLabel('Purpose').fill('To see the island.')
  await hide(`/journeys/${journey.id}`, { purpose: 'To be at sea.' })
  await page.getByRole('dialog').getByRole('button', { name: 'Save journey' }).click()
  await getMergeDialog(page, 'This journey').getByRole('button', { name: 'Keep mine' }).click()
  await expect(getMergeDialog(page, 'This journey')).toHaveCount(0)
  expect(await callApi(`/journeys/${journey.id}`)).toMatchObject({ purpose: 'To see the island.', aiVisible: false })
})
