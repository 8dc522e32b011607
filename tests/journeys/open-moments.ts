import type { Page } from '@playwright/test'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { registerAndSignIn } from './fixtures.ts'

/** Opens the moments page of a new keeper of Ada's with these moments; `listMoments` fetches them from the server. */
export async function openMoments(page: Page, keeper: BuiltKeeper, moments: object[] = []) {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const keeperInput = { title: 'The Harbour Year', purpose: 'p', keeperType: 'journal', memoryPattern: 'sole' }
  const { id } = await keeper.callApi<Keeper>('/api/keeper/keepers', keeperInput, { token })
  const path = `/api/keeper/keepers/${id}/moments`
  for (const moment of moments) await keeper.callApi<Moment>(path, moment, { token })
  const listMoments = async () => {
    const response = await page.request.get(path, { headers: { authorization: `Bearer ${token}` } })
    return ((await response.json()) as { data: { items: Moment[] } }).data.items
  }
  await page.goto(`/keeper/${id}/moments`)
  return { id, token, listMoments, address: `/keeper/${id}/moments` }
}
