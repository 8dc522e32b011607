import type { Page } from '@playwright/test'
import { shortcutGroups } from '#web/shell/shortcut-list.ts'
import { expect, test } from './fixtures.ts'

type ShortcutCheck = () => Promise<unknown>
const listShortcuts = (groupName: string) => {
  const group = shortcutGroups.find((shortcutGroup) => shortcutGroup.title === groupName)
  if (!group) throw new Error(`The shortcut list has no group ${groupName}`)
  return group.shortcuts.map(({ description }) => description)
}
/** Runs the check for each shortcut of a group; a missing or extra check fails. */
export async function checkShortcuts(groupName: string, checks: [description: string, check: ShortcutCheck][]) {
  expect(checks.map(([description]) => description).toSorted(), `checks of "${groupName}"`).toEqual(
    listShortcuts(groupName).toSorted(),
  )
  for (const [description, check] of checks) await test.step(description, check)
}
export const getHeading = (page: Page) => page.getByRole('heading', { level: 1 })
/** Presses keys outside of any field, so that single-key shortcuts work. */
export const press = async (page: Page, ...keys: string[]) => {
  await expect(getHeading(page)).toBeVisible()
  for (const key of keys) await page.keyboard.press(key)
}
