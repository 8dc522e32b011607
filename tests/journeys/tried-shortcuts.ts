import type { Page } from '@playwright/test'
import { shortcutGroups } from '#web/shell/shortcut-list.ts'
import { expect, test } from './fixtures.ts'

type Shown = () => Promise<unknown>
const listed = (where: string) => {
  const group = shortcutGroups.find((each) => each.where === where)
  if (!group) throw new Error(`The shortcut list has no group ${where}`)
  return group.shortcuts.map(({ does }) => does)
}
/** Runs the check for each shortcut of a group; a missing or extra check fails. */
export async function eachOf(where: string, tries: [does: string, seen: Shown][]) {
  expect(tries.map(([does]) => does).toSorted(), `checks of "${where}"`).toEqual(listed(where).toSorted())
  for (const [does, seen] of tries) await test.step(does, seen)
}
export const heading = (page: Page) => page.getByRole('heading', { level: 1 })
/** Presses keys outside of any field, so that single-key shortcuts work. */
export const press = async (page: Page, ...keys: string[]) => {
  await expect(heading(page)).toBeVisible()
  for (const key of keys) await page.keyboard.press(key)
}
