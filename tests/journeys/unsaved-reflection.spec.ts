import type { Page } from '@playwright/test'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { MemoryCard } from '#contract/keepers/memory-cards.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'
import { getReflectionBox } from './locators.ts'
import type { Watch } from './page-watch.ts'

const getSavedStatus = (page: Page) => page.getByRole('status').filter({ hasText: /^Saved / })
const saveUrl = '**/api/keeper/reflections/*'
const getKeepButton = (page: Page) => page.getByRole('button', { name: 'Keep', exact: true })

/** Signs Ada in with a reflection from two days ago; `callApi` acts as another device of hers. */
async function createReflectionOfAda(page: Page, builtKeeper: BuiltKeeper) {
  const { token } = await registerAndSignIn(page, builtKeeper, 'ada')
  const callApi = <Data>(path: string, body?: unknown) =>
    builtKeeper.callApi<Data>(`/api/keeper${path}`, body, { token })
  const keeperInput = { title: 'The Harbour Year', purpose: 'p', keeperType: 'journal', memoryPattern: 'sole' }
  const keeper = await callApi<Keeper>('/keepers', keeperInput)
  const createdAt = new Date(Date.now() - 48 * 60 * 60 * 1000).toISOString()
  const { id } = await callApi<Reflection>(`/keepers/${keeper.id}/reflections`, {
    content: 'The gate shuts.',
    createdAt,
  })
  const journalPath = `/keeper/${keeper.id}/reflection-journal`
  return {
    callApi,
    id,
    journalPath,
    dashboardPath: `/keeper/${keeper.id}/dashboard`,
    editPath: `${journalPath}?tab=write&reflection=${id}`,
    readPath: `${journalPath}?reflection=${id}`,
    fetchReflection: () => callApi<Reflection>(`/reflections/${id}`),
    listReflections: () => callApi<Reflection[]>(`/keepers/${keeper.id}/reflections`),
    listCards: () => callApi<MemoryCard[]>(`/keepers/${keeper.id}/memory-cards`),
  }
}

/** The next save is executed, but its response never arrives. */
async function dropNextSaveResponse(page: Page): Promise<void> {
  let isDropped = false
  await page.route(saveUrl, async (route) => {
    if (isDropped || route.request().method() === 'GET') return route.continue()
    isDropped = true
    await route.fetch()
  })
}

/** Leaves an edit that only Ada's browser has, because saving fails. */
async function createUnsavedEdit(page: Page, builtKeeper: BuiltKeeper, watch: Watch) {
  const ada = await createReflectionOfAda(page, builtKeeper)
  await page.goto(ada.editPath)
  watch.expectLine(/status of 500|Failed to update reflection/)
  await page.route(saveUrl, (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 500, body: '' }) : route.continue(),
  )
  await getReflectionBox(page).fill('The gate sings.')
  await expect(page.getByText(/^Not saved\./)).toBeVisible()
  return { ...ada, restoreSaving: () => page.unroute(saveUrl) }
}

test('reloading during a save causes no conflict @long', async ({ page, keeper }) => {
  const { editPath, fetchReflection } = await createReflectionOfAda(page, keeper)
  await page.goto(editPath)
  await expect(getReflectionBox(page)).toHaveValue('The gate shuts.')
  await dropNextSaveResponse(page)
  await getReflectionBox(page).fill('The gate sings.')
  await expect.poll(async () => (await fetchReflection()).content).toBe('The gate sings.')
  await expect(page.getByRole('status').filter({ hasText: 'Saving...' })).toBeVisible()
  await page.reload()
  await expect(getReflectionBox(page)).toHaveValue('The gate sings.')
  await getReflectionBox(page).fill('The gate sings in the rain.')
  await expect(getSavedStatus(page)).toBeVisible()
  expect(await fetchReflection()).toMatchObject({ content: 'The gate sings in the rain.', rev: 3 })

  await dropNextSaveResponse(page)
  await getReflectionBox(page).fill('The gate weeps.')
  await expect.poll(async () => (await fetchReflection()).content).toBe('The gate weeps.')
  await getReflectionBox(page).fill('The gate weeps no more.')
  await page.reload()
  await expect(getReflectionBox(page)).toHaveValue('The gate weeps no more.')
  await expect.poll(async () => (await fetchReflection()).content).toBe('The gate weeps no more.')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect((await fetchReflection()).rev).toBe(5)
})

test("a reflection with unsaved changes can't be promoted to a memory card @long", async ({ page, keeper, watch }) => {
  const { journalPath, dashboardPath, readPath, listCards, restoreSaving } = await createUnsavedEdit(
    page,
    keeper,
    watch,
  )
  const unsavedNotice = page.getByText('You have unsaved changes in this browser.')
  for (const pagePath of [readPath, `${journalPath}?tab=suggested`, dashboardPath]) {
    await page.goto(pagePath)
    await expect(unsavedNotice).toBeVisible()
    await expect(getKeepButton(page)).toHaveCount(0)
  }
  await page.goto(readPath)
  await expectNoViolations(page, 'an unsaved reflection')
  await page.getByRole('link', { name: 'Continue writing' }).click()
  await expect(getReflectionBox(page)).toHaveValue('The gate sings.')
  await restoreSaving()
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(getSavedStatus(page)).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
  await getKeepButton(page).click()
  await expect(page.getByText('Kept as a memory card')).toBeVisible()
  expect((await listCards()).map(({ content }) => content)).toEqual(['The gate sings.'])
})

test('an edit of a reflection promoted on another device can be saved as new @long', async ({
  page,
  keeper,
  watch,
}) => {
  const { callApi, id, editPath, readPath, listReflections, restoreSaving } = await createUnsavedEdit(
    page,
    keeper,
    watch,
  )
  await page.goto('/keeper')
  await restoreSaving()
  await callApi(`/reflections/${id}/promote`, {})
  await page.goto(readPath)
  await expect(page.getByText('This reflection is locked because you kept it as a memory card.')).toBeVisible()
  await page.getByRole('link', { name: 'View your changes' }).click()
  await expect(page.getByText('This reflection is now a memory card and is locked.')).toBeVisible()
  await expect(getReflectionBox(page)).toHaveValue('The gate sings.')
  await expectNoViolations(page, 'a locked reflection with unsaved text')
  await page.getByRole('button', { name: 'Save as a new reflection' }).click()
  await expect(page.locator('[data-reading]')).toHaveText('The gate sings.')
  expect((await listReflections()).map(({ content }) => content)).toEqual(['The gate sings.', 'The gate shuts.'])

  await page.goto(editPath)
  await expect(page.getByText('This reflection is locked')).toBeVisible()
})
