import type { Page } from '@playwright/test'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { arrive } from './fixtures.ts'

/** Opens the moments page of a new keeper of Ada's with these moments; `list` fetches them from the server. */
export async function atTheMoments(page: Page, keeper: BuiltKeeper, told: object[] = []) {
  const { token } = await arrive(page, keeper, 'ada')
  const words = { title: 'The Harbour Year', purpose: 'p', keeperType: 'journal', memoryPattern: 'sole' }
  const { id } = await keeper.ask<Keeper>('/api/keeper/keepers', words, { token })
  const path = `/api/keeper/keepers/${id}/moments`
  for (const each of told) await keeper.ask<Moment>(path, each, { token })
  const list = async () => {
    const response = await page.request.get(path, { headers: { authorization: `Bearer ${token}` } })
    return ((await response.json()) as { data: { items: Moment[] } }).data.items
  }
  await page.goto(`/keeper/${id}/moments`)
  return { id, token, list, address: `/keeper/${id}/moments` }
}
