import type { Locator, Page } from '@playwright/test'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { registerAndSignIn } from './fixtures.ts'

/** Signs Ada in with a keeper; `callApi` acts in her name. */
export async function createKeeperOfAda(page: Page, keeper: BuiltKeeper) {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const callApi = <Data>(path: string, body?: unknown, method?: string) =>
    keeper.callApi<Data>(`/api/keeper${path}`, body, { token, ...(method && { method }) })
  const { id } = await callApi<Keeper>('/keepers', {
    title: 'The Harbour Year',
    purpose: 'p',
    keeperType: 'journal',
    memoryPattern: 'sole',
  })
  const createMoment = (title: string, extraFields: object = {}) =>
    callApi<Moment>(`/keepers/${id}/moments`, {
      title,
      body: `${title}, in full.`,
      occurredAt: '2026-03-08T12:00:00Z',
      ...extraFields,
    })
  return { callApi, id, createMoment }
}

export async function chooseFrom(page: Page, menu: string | Locator, item: string): Promise<void> {
  await (typeof menu === 'string' ? page.getByRole('button', { name: menu, exact: true }) : menu).click()
  await page
    .getByRole('menuitem', { name: item })
    .or(page.getByRole('menuitemcheckbox', { name: item }))
    .click()
}
