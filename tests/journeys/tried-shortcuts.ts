import type { Page } from '@playwright/test'
import { shortcutGroups } from '#web/shell/shortcut-list.ts'
import { expect, test } from './fixtures.ts'

type Shown = () => Promise<unknown>
const listed = (where: string) => {
  const group = shortcutGroups.find((each) => each.where === where)
  if (!group) throw new Error(`The sheet has no group ${where}`)
  return group.shortcuts.map(({ does }) => does)
}
/** Runs what is written down for each line of a group; a line without one, or one too many, fails. */
export async function eachOf(where: string, tries: [does: string, seen: Shown][]) {
  expect(tries.map(([does]) => does).toSorted(), `what is tried of "${where}"`).toEqual(listed(where).toSorted())
  for (const [does, seen] of tries) await test.step(does, seen)
}
export const heading = (page: Page) => page.getByRole('heading', { level: 1 })
/** Away from any box, so that single keys are heard. */
export const press = async (page: Page, ...keys: string[]) => {
  await expect(heading(page)).toBeVisible()
  for (const key of keys) await page.keyboard.press(key)
}
