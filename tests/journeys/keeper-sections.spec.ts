import type { Page } from '@playwright/test'
import { createKeeperOfAda } from './ada-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, test } from './fixtures.ts'
import { getActiveRows, getSidebarNav } from './locators.ts'

const phone = { width: 390, height: 844 }

const getSectionNav = (page: Page) => page.getByRole('navigation', { name: 'Pages of this keeper' })

test('a page of another mode shows its sections and keeps the mode @long', async ({ page, keeper }) => {
  const { id } = await createKeeperOfAda(page, keeper)
  await page.goto(`/keeper/${id}/reflection-journal`)
  await expect(page.getByRole('radio', { name: 'Architect', exact: true })).toBeChecked()
  const visited = getSidebarNav(page).getByRole('list').first()
  await expect(getSidebarNav(page).getByRole('button').first()).toHaveText('The Harbour Year')
  await expect(visited.getByRole('link')).toHaveCount(13)
  await expect(getActiveRows(page)).toHaveText('Reflection Journal')
  await visited.getByRole('link', { name: 'Logbook' }).click()
  await expect(page).toHaveURL(`/keeper/${id}/logbook`)
  await expect(getActiveRows(page)).toHaveText('Logbook')
  await page.keyboard.press('[')
  await expect(page.getByRole('button', { name: 'Expand sidebar' })).toBeVisible()
  await expect(getActiveRows(page)).toHaveText('Logbook')

  await page.goto('/admin/audit')
  await expect(getSidebarNav(page).getByRole('list').first()).toHaveAccessibleName('Admin')
  await expect(getActiveRows(page)).toHaveText('User Management')
  await page.setViewportSize(phone)
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: 'Menu' })
  await expect(drawer.getByRole('button', { name: 'Admin', exact: true })).toBeVisible()
  await expect(drawer.locator('nav a[aria-current="page"]')).toHaveText('User Management')
  await drawer.getByRole('link', { name: 'Manage Agents' }).click()
  await expect(page).toHaveURL('/studio/agents')
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await expect(drawer.getByRole('button', { name: 'Admin', exact: true })).toHaveCount(0)
  await expect(drawer.locator('nav a[aria-current="page"]')).toHaveText('Manage Agents')
  expect(await page.evaluate(() => localStorage.getItem('keeper-view-mode')), 'no visit chose a mode').toBeNull()
})

for (const [device, viewport] of [
  ['desktop', { width: 1440, height: 900 }],
  ['phone', phone],
] as const) {
  test.describe(device, () => {
    test.use({ viewport, hasTouch: device === 'phone' })

    test(`on a ${device}, Moments and the journal are one step apart`, async ({ page, keeper }) => {
      const { id, createMoment } = await createKeeperOfAda(page, keeper)
      await createMoment('The buns')
      await page.goto(`/keeper/${id}/moments`)
      const getLink = (name: string) => getSectionNav(page).getByRole('link', { name })
      await expect(getLink('Moments')).toHaveAttribute('aria-current', 'page')
      await expect(getLink('Moments'), 'with its count').toHaveText('Moments1')
      const journal = getLink('Reflection Journal')
      await expect(journal).toBeInViewport({ ratio: 1 })
      await expect(journal).not.toHaveAttribute('aria-current')
      const { x, y } = (await journal.boundingBox()) ?? { x: 0, y: 0 }
      if (device === 'phone') await page.touchscreen.tap(x + 30, y + 20)
      else await page.mouse.click(x + 30, y + 18)
      await expect(page).toHaveURL(`/keeper/${id}/reflection-journal`)
      await expect(journal).toHaveAttribute('aria-current', 'page')
      await expect(getSectionNav(page).locator('[aria-current]')).toHaveCount(1)
      if (device === 'desktop') await expect(getLink('Moments')).toBeInViewport({ ratio: 1 })

      await getSectionNav(page).getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Settings' }).click()
      await expect(page).toHaveURL(`/keeper/selected/metadata?id=${id}`)
      await expect(getLink('Settings')).toHaveAttribute('aria-current', 'page')
      await expect(getLink('Settings')).toBeInViewport({ ratio: 1 })
      await getLink('Memory Cards').click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('The Harbour Year - Memory Cards')
      await getLink('Back to Keepers').click()
      await expect(page).toHaveURL('/keeper')
      await expect(getSectionNav(page)).toHaveCount(0)
    })

    test(`on a ${device}, the line of sections covers no focus or anchor @long`, async ({ page, keeper }) => {
      const { id, createMoment } = await createKeeperOfAda(page, keeper)
      for (let index = 0; index < 12; index++) await createMoment(`Moment ${index}`)
      await page.goto(`/keeper/${id}/moments`)
      const tools = page.getByRole('main').locator('article, li').getByRole('button')
      await expect(tools.nth(4)).toBeAttached()
      await expect(getSectionNav(page).getByRole('link', { name: 'Moments' })).toHaveText('Moments12')
      await expectNoViolations(page, 'counts of two digits')
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      await tools.nth(4).focus()
      const line = await getSectionNav(page).boundingBox()
      const focused = await tools.nth(4).boundingBox()
      expect(line?.y).toBe(device === 'phone' ? 52 : 56)
      expect(focused?.y ?? 0).toBeGreaterThanOrEqual((line?.y ?? 0) + (line?.height ?? 0))
      await page.goto(`/keeper/${id}/logbook`)
      const logbook = page.getByRole('region', { name: 'Logbook', exact: true })
      await expect(logbook).toBeFocused()
      await expect
        .poll(async () => ((await logbook.boundingBox())?.y ?? 0) - (line?.height ?? 0))
        .toBeGreaterThanOrEqual(device === 'phone' ? 52 : 56)
    })
  })
}

test('recent pages in the palette show names and keep their parameters @long', async ({ page, keeper }) => {
  const { id } = await createKeeperOfAda(page, keeper)
  await page.goto(`/keeper/${id}/moments`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The Harbour Year - Moments')
  await getSectionNav(page).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The Harbour Year')
  await getSectionNav(page).getByRole('link', { name: 'Journeys' }).click()
  await page.keyboard.press('Control+k')
  const recent = page.getByRole('dialog', { name: 'Search or jump to' }).getByRole('group', { name: 'Recent' })
  await expect(recent.getByRole('option', { name: 'Moments The Harbour Year' })).toBeVisible()
  await expect(recent).not.toContainText(id)
  await expect(recent).not.toContainText('/')
  await recent.getByRole('option', { name: 'Keeper Metadata The Harbour Year' }).click()
  await expect(page).toHaveURL(`/keeper/selected/metadata?id=${id}`)
})
