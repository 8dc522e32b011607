import type { Page } from '@playwright/test'
import type { Reflection } from '#contract/keepers/reflections.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expect, test } from './fixtures.ts'
import { getReflectionBox } from './locators.ts'
import { openMoments } from './open-moments.ts'

test.use({ settings: { KEEPER_TEXT_MB_PER_PERSON: '1' } })

const refusal = /Your texts take 2 MB of the 1 MB each person has here, so your change wasn’t saved/

async function fillTextQuota(page: Page, keeper: BuiltKeeper) {
  const body = 'The harbour is calm. '.repeat(7500)
  const { id, token } = await openMoments(
    page,
    keeper,
    Array.from({ length: 7 }, () => ({ body })),
  )
  const listReflections = () =>
    keeper.callApi<Reflection[]>(`/api/keeper/keepers/${id}/reflections`, undefined, { token })
  return { journal: `/keeper/${id}/reflection-journal?tab=write`, listReflections }
}

test('a reflection over the text quota stays in the editor and says why', async ({ page, keeper, watch }) => {
  watch.expectLine(/413|Failed to create reflection/)
  const { journal, listReflections } = await fillTextQuota(page, keeper)
  await page.goto(journal)
  await getReflectionBox(page).fill('The gate shuts at nine.')
  await page.getByRole('button', { name: 'Save Reflection' }).click()
  await expect(page.getByText(refusal).first()).toBeVisible()
  await expect(getReflectionBox(page)).toHaveValue('The gate shuts at nine.')
  await page.reload()
  await expect(getReflectionBox(page)).toHaveValue('The gate shuts at nine.')
  expect(await listReflections()).toEqual([])
})

test('an offline reflection over the text quota stays in the browser and says why @long', async ({
  page,
  keeper,
  watch,
}) => {
  watch.expectLine(/413|ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to/)
  const { journal, listReflections } = await fillTextQuota(page, keeper)
  await page.goto(journal)
  await expect(getReflectionBox(page)).toBeVisible()
  await page.context().setOffline(true)
  await getReflectionBox(page).fill('The lamp is out.')
  await page.getByRole('button', { name: 'Save Reflection' }).click()
  await expect(page.getByText(/^1 change waiting to be sent/)).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByText('1 change needs your attention.')).toBeVisible({ timeout: 20_000 })
  await page.getByRole('button', { name: 'Review' }).click()
  await expect(page.getByText(refusal).first()).toBeVisible()
  await expect(page.getByText('The lamp is out.').first()).toBeVisible()
  expect(await listReflections()).toEqual([])
})
